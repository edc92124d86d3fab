import type { Page } from 'playwright-core';
import type { WalkResult } from '../../src/page/walk/items.ts';
import type { Seen } from './harness.ts';

/** The part of Playwright's JSON snapshot that is compared. */
interface AriaNode {
  readonly role: string;
  readonly name?: string;
  readonly children?: readonly (AriaNode | string)[];
}

/** An intended difference from Playwright's snapshot. */
export interface Difference {
  readonly why: string;
  /** Elements that Playwright lists and we do not. */
  readonly selector: string;
}

export const differences: readonly Difference[] = [
  {
    why: 'aria-hidden: what the author hides from assistive technology stands mostly behind a dialog or is decoration',
    selector: '[aria-hidden=true] *, [aria-hidden=true]:not(button):not(a)',
  },
  { why: 'inert: nothing in it can be acted on', selector: '[inert], [inert] *' },
  {
    why: 'collapsed: a box of no height or width that clips, such as a closed drawer',
    selector: '[style*="height:0;overflow:hidden"] *',
  },
  { why: 'content-visibility: hidden content is not rendered', selector: '[style*="content-visibility:hidden"] *' },
  {
    why: 'a closed details shows its summary only, whatever display its content has',
    selector: 'details:not([open]) > :not(summary), details:not([open]) > :not(summary) *',
  },
  {
    why: 'items of trees and menus are not named by the items that they open',
    selector: '[role=treeitem]:has([role=group]), [role=menuitem]:has([role=menu])',
  },
  { why: 'an element without a box inside what is hidden is hidden too', selector: '.vh .con, .vh.con' },
  {
    why: 'content that a style moves away, scales to nothing or masks is not visible',
    selector: '.far *, .flat *, .mask *',
  },
  { why: 'a slot has no box and no name; Chromium ignores its label too', selector: 'button:has(> slot[aria-label])' },
  { why: 'a long select says how many options it has', selector: 'select option' },
];

const acted = new Set(
  (
    'button link textbox searchbox combobox checkbox radio switch slider spinbutton option menuitem menuitemcheckbox ' +
    'menuitemradio tab treeitem'
  ).split(' '),
);

function squeezed(text: string): string {
  return text.replaceAll(/[\s\u00ad\u200b-\u200f\ue000-\uf8ff]+/g, '');
}

/**
 * Everything that Playwright lists as interactive. The list for assistive technology has all names; the one for models
 * has more elements but omits names that the content repeats, so only roles are compared.
 */
async function oracleActions(page: Page, mode: 'default' | 'ai'): Promise<string[]> {
  const found: string[] = [];
  const visit = (node: AriaNode | string): void => {
    if (typeof node === 'string' || node.role === 'iframe') return;
    if (acted.has(node.role)) found.push(mode === 'ai' ? node.role : `${node.role} ${squeezed(node.name ?? '')}`);
    for (const child of node.children ?? []) visit(child);
  };
  // The public type is plain JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const roots = (await page.ariaSnapshotJSON({ mode })) as unknown as readonly AriaNode[];
  for (const root of roots) visit(root);
  return found;
}

function ourActions(result: WalkResult): string[] {
  return result.refs
    .filter(([, role]) => acted.has(role))
    .map(([, role, name, written]) => `${role} ${squeezed(written ?? name)}`);
}

/** The elements explained by the intended differences. */
async function explained(page: Page): Promise<string[]> {
  const selector = differences.map((difference) => difference.selector).join(',');
  const found: string[] = await page.evaluate(
    `(() => {
      const within = (root) => [...root.querySelectorAll(${JSON.stringify(selector)}),
        ...[...root.querySelectorAll('*')].flatMap((element) => element.shadowRoot ? within(element.shadowRoot) : [])];
      return within(document).map((element) => {
        const { role, name } = walker.describe(element);
        const slot = element.querySelector(':scope > slot[aria-label]');
        return role + ' ' + (slot?.ariaLabel ?? (name || element.textContent)); }); })()`,
  );
  return found.map((text) => {
    const [role = '', ...name] = text.split(' ');
    return `${role} ${squeezed(name.join(' '))}`;
  });
}

/**
 * Fields that Playwright leaves without a name and browsers do not: buttons that only a label names, and fields whose
 * label is empty but which have a title or a hint.
 */
async function namelessThere(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('input,select,textarea')].filter((field) => {
    const labels = [...(field.labels ?? [])];
    const { name } = walker.describe(field);
    const isEmpty = labels.length > 0 && name !== '' && [field.title.trim(), field.placeholder?.trim()].includes(name);
    return isEmpty || (['button', 'image', 'file'].includes(field.type) && labels.length > 0);
  }).map((field) => walker.describe(field).role + ' ')`);
}

/**
 * Of links with the same name one after another to the same place only the first is listed, and a link without a name is
 * left out where a named one beside it leads to the same place.
 */
function withoutTwins(actions: readonly string[]): string[] {
  return actions.filter(
    (action, at) => action !== 'link ' && (!action.startsWith('link ') || action !== actions[at - 1]),
  );
}

/** The items of the first list that are missing in the others. */
function missing(from: readonly string[], ...others: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const text of others.flat()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return from.filter((text) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

const roleOf = (action: string): string => action.split(' ')[0] ?? '';

/** The interactive elements of Playwright's snapshot that ours lacks. */
export async function lacking(seen: Seen, html: string): Promise<string[]> {
  await seen.show(html);
  const ours = ourActions(await seen.walk());
  const excused = await explained(seen.page);
  const theirs = withoutTwins(await oracleActions(seen.page, 'default'));
  // Playwright may see only a part of an omitted element and name it by that part.
  const isPart = (action: string): boolean =>
    excused.some(
      (other) => roleOf(other) === roleOf(action) && other.includes(action.slice(roleOf(action).length + 1)),
    );
  const named = missing(theirs, ours, excused, await namelessThere(seen.page)).filter((action) => !isPart(action));
  const twins = (await oracleActions(seen.page, 'default')).length - theirs.length;
  const excusedRoles = [...excused.map(roleOf), ...Array.from({ length: twins }, () => 'link')];
  const roles = missing(await oracleActions(seen.page, 'ai'), ours.map(roleOf), excusedRoles);
  return [...named, ...roles];
}
