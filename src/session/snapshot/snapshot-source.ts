import type { Frame, Locator, Page } from 'playwright-core';
import type { Finding, Found, InlineSnapshot, Walked, WhyNot } from '../../page/protocol.ts';
import type { Code } from '../../util/code.ts';
import { headOf, linesOf } from '../../view/node.ts';
import type { ViewNode } from '../../view/node.ts';
import { readYaml } from '../../view/read-yaml.ts';
import { readLocator } from './read-locator.ts';

/** Role and name of an element, as a snapshot showed them. */
export interface RefInfo {
  readonly role: string;
  readonly name: string;
  /** The name as Playwright computes it, where a person sees another: in capitals, or without transparent text. */
  readonly written?: string;
}

export interface PageView {
  /** Id of the main frame's document, if known. */
  readonly document?: string;
  readonly nodes: readonly ViewNode[];
  readonly refs: ReadonlyMap<string, RefInfo>;
}

export interface SnapshotOptions {
  /** The part of the page to read; the whole page without one. */
  readonly target?: Locator;
  readonly boxes?: boolean;
  /** Put a ref on every line, not only on what can be acted on. */
  readonly allRefs?: boolean;
  /** Show the targets of all links. */
  readonly urls?: boolean;
  /** Characters of a part that is only one line. */
  readonly maxOneLine?: number;
  /** A searched text: long texts show the part around it. */
  readonly around?: string | undefined;
  /** Read only what may have changed since the last snapshot. */
  readonly isUpdate?: boolean;
  /** A snapshot of the main frame that was taken already; it is not taken again. */
  readonly inline?: Walked | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Field values that must not be shown. */
  readonly secrets: readonly string[];
}

/** Takes snapshots and resolves their refs. The rest of the server does not depend on how. */
export interface SnapshotSource {
  take(page: Page, options: SnapshotOptions): Promise<PageView>;
  /** A snapshot request to send with a state request; undefined where it needs a request of its own. */
  inlineRequest(page: Page, isUpdate: boolean): Pick<InlineSnapshot, 'since' | 'options'> | undefined;
  /** Its refs are the page agent's, which resolves them inside a state request. */
  readonly hasAgents: boolean;
  locate(page: Page, ref: string): Locator;
  frameOf(page: Page, ref: string): Frame | undefined;
  /** Code that finds the element of a ref; undefined if it follows from role, name and path. */
  codeOf(page: Page, ref: string): Promise<Code | undefined>;
  /** Whether a ref still leads to its element, or to its re-rendered replacement. */
  find(page: Page, finding: Finding, timeoutMs: number, signal: AbortSignal): Promise<Found>;
  /** Assigns refs to elements that locators found. */
  name(locators: readonly Locator[], timeoutMs: number, signal: AbortSignal): Promise<ReadonlyMap<string, RefInfo>>;
  /** What blocks an action on the element; undefined if unknown. */
  why(
    locator: Locator,
    isEditing: boolean,
    timeoutMs: number,
    signal: AbortSignal,
    isGuarded?: boolean,
  ): Promise<WhyNot | undefined>;
}

/** Playwright's own accessibility snapshot. */
export const ariaSnapshots: SnapshotSource = {
  take: async (page, options) => {
    const { target, boxes, signal, timeoutMs: timeout } = options;
    const text = await (target ?? page).ariaSnapshot({ mode: 'ai', signal, timeout, boxes: boxes === true });
    const nodes = masked(readYaml(text), options.secrets);
    return { nodes, refs: refsOf(nodes) };
  },
  inlineRequest: () => undefined,
  hasAgents: false,
  locate: (page, ref) => page.getByRef(ref),
  // Playwright resolves refs inside frames itself.
  // Playwright does not tell which frame the number of a ref means.
  frameOf: (page, ref) => (ref.startsWith('f') ? undefined : page.mainFrame()),
  codeOf: async (page, ref) => readLocator(String(await page.getByRef(ref).normalize())),
  find: async (page, { ref }) => ({ is: (await page.getByRef(ref).count()) > 0 ? 'here' : 'none' }),
  why: async () => undefined,
  name: async () => new Map(),
};

const typed = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

/** The value of a text field follows the colon of its line, quoted or not. */
function masked(nodes: readonly ViewNode[], secrets: readonly string[]): readonly ViewNode[] {
  if (secrets.length === 0) return nodes;
  return nodes.map((node) => {
    const rest = node.parts.at(-1);
    const value =
      typed.has(node.kind) && typeof rest === 'string' && rest.startsWith(': ') ? unquoted(rest.slice(2)) : '';
    const isSecret = value !== '' && secrets.some((secret) => secret.trim() === value.trim());
    const parts = isSecret ? [...node.parts.slice(0, -1), ': [REDACTED]'] : node.parts;
    return { ...node, parts, children: masked(node.children, secrets) };
  });
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

function refsOf(nodes: readonly ViewNode[]): ReadonlyMap<string, RefInfo> {
  const refs = new Map<string, RefInfo>();
  for (const { node } of linesOf(nodes)) {
    const { role, name = '', ref } = headOf(node) ?? { role: '' };
    if (ref !== undefined) refs.set(ref, { role, name });
  }
  return refs;
}
