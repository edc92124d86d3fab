import type { CDPSession, Page } from 'playwright-core';
import { ariaRoles } from '../../src/page/aria/role-tables.ts';
import type { Seen } from './harness.ts';

/** An element that both Chromium's accessibility tree and our snapshot show. */
export interface Compared {
  readonly html: string;
  readonly theirs: string;
  readonly ours: string;
  /** Our name before styles change it. */
  readonly written?: string;
  /** Roles and names at its place in Playwright's snapshot; none if that does not show it. */
  readonly playwright: readonly string[];
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly backendDOMNodeId?: number;
}

function squeezed(text: string): string {
  return text.replaceAll(/[\s\u00ad\u200b-\u200f\ue000-\uf8ff]+/g, ' ').trim();
}

function textOf(property: AxNode['name']): string {
  return typeof property?.value === 'string' ? property.value : '';
}

function roleOf({ role }: AxNode): string {
  const value = textOf(role);
  return value === 'image' ? 'img' : value;
}

/** Our role and name of an element, if the walk shows it. */
const ours = `function () {
  const known = walked.get(this);
  const { x, y, width, height } = this.getBoundingClientRect();
  const box = [x, y, width, height].map(Math.round).join();
  return JSON.stringify({ known, box, html: this.outerHTML.slice(0, 120) });
}`;

/** Roles and names of the elements of a document, by Chromium and by us. */
export async function compared(seen: Seen, cdp: CDPSession, html: string): Promise<readonly Compared[]> {
  await seen.show(html);
  await seen.page
    .evaluate(`globalThis.walked = new Map(walker.walk(undefined, { allRefs: true, maxText: 100000 }).refs.map(
    ([ref, role, name, written]) => [walker.elementOf(ref), { said: role + ' ' + name, written }])); 0`);
  const { nodes }: { readonly nodes: readonly AxNode[] } = await cdp.send('Accessibility.getFullAXTree');
  const playwright = await byBox(seen.page);
  const found: Compared[] = [];
  for (const node of nodes) {
    const { ignored, name, backendDOMNodeId: backendNodeId } = node;
    if (ignored || backendNodeId === undefined || !ariaRoles.has(roleOf(node)) || roleOf(node) === 'generic') continue;
    const { object } = await cdp.send('DOM.resolveNode', { backendNodeId });
    if (object.objectId === undefined || object.subtype !== 'node') continue;
    const { result } = await cdp.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: ours,
    });
    const { known, box = '', html: source } = readAnswer(result.value);
    if (known !== undefined)
      found.push({
        html: source,
        theirs: squeezed(`${roleOf(node)} ${textOf(name)}`),
        ours: squeezed(known.said),
        playwright: playwright.get(box) ?? [],
        ...(known.written === undefined ? {} : { written: squeezed(known.written) }),
      });
  }
  return found;
}

interface AriaNode {
  readonly role: string;
  readonly name?: string;
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly children?: readonly (AriaNode | string)[];
}

/** The roles and names of Playwright's snapshot by the box of the element, which is all that identifies it. */
async function byBox(page: Page): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const visit = (node: AriaNode | string): void => {
    if (typeof node === 'string') return;
    const { role, name = '', box, children = [] } = node;
    if (box !== undefined) {
      const key = [box.x, box.y, box.width, box.height].join();
      found.set(key, [...(found.get(key) ?? []), squeezed(`${role} ${name}`)]);
    }
    for (const child of children) visit(child);
  };
  // The public type is plain JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const roots = (await page.ariaSnapshotJSON({ boxes: true })) as unknown as readonly AriaNode[];
  for (const root of roots) visit(root);
  return found;
}

interface Answer {
  readonly box?: string;
  readonly known?: { readonly said: string; readonly written?: string };
  readonly html: string;
}

function readAnswer(value: unknown): Answer {
  if (typeof value !== 'string') return { html: '' };
  // Our own function wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(value) as Answer;
}
