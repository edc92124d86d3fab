import type { Frame, Locator, Page } from 'playwright-core';
import type { Finding, Found, Glance, Walked, WhyNot } from '../../page/protocol.ts';
import { linesOf } from '../../view/node.ts';
import type { ViewNode } from '../../view/node.ts';
import { readYaml } from '../../view/read-yaml.ts';

/** What a snapshot said an element was. */
export interface RefInfo {
  readonly role: string;
  readonly name: string;
}

/** The page as it was seen. */
export interface PageView {
  /** The main frame's document that it is of, where that is known. */
  readonly document?: string;
  readonly nodes: readonly ViewNode[];
  readonly refs: ReadonlyMap<string, RefInfo>;
}

export interface LookOptions {
  /** The part of the page to look at; the whole page without one. */
  readonly target?: Locator;
  readonly boxes?: boolean;
  /** A ref on every line, not only on what can be acted on. */
  readonly allRefs?: boolean;
  /** Only what may have changed since the last look needs to be looked at. */
  readonly isUpdate?: boolean;
  /** What a glance has seen; it need not be looked at again. */
  readonly walked?: Walked | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Field values that must not be shown. */
  readonly secrets: readonly string[];
}

/** How a page is seen and its refs are found again; the rest of the server knows nothing of how that is done. */
export interface Eyes {
  look(page: Page, options: LookOptions): Promise<PageView>;
  /** How to look at the whole page along with its state; undefined where that takes a look of its own. */
  glance(page: Page, isUpdate: boolean): Pick<Glance, 'since' | 'options'> | undefined;
  /** Its refs are those of the page agent, which can be asked for them along with the state. */
  readonly areAgents: boolean;
  locate(page: Page, ref: string): Locator;
  frameOf(page: Page, ref: string): Frame;
  /** Whether a ref still leads to its element, or to the one that was rendered in its place. */
  find(page: Page, finding: Finding, timeoutMs: number, signal: AbortSignal): Promise<Found>;
  /** Gives refs to elements that were found in another way. */
  name(locators: readonly Locator[], timeoutMs: number, signal: AbortSignal): Promise<ReadonlyMap<string, RefInfo>>;
  /** What stands in the way of acting on an element; undefined where that cannot be told. */
  why(locator: Locator, isEditing: boolean, timeoutMs: number, signal: AbortSignal): Promise<WhyNot | undefined>;
}

/** Playwright's own accessibility snapshot. */
export const ariaEyes: Eyes = {
  look: async (page, options) => {
    const { target, boxes, signal, timeoutMs: timeout } = options;
    const text = await (target ?? page).ariaSnapshot({ mode: 'ai', signal, timeout, boxes: boxes === true });
    const nodes = masked(readYaml(text), options.secrets);
    return { nodes, refs: refsOf(nodes) };
  },
  glance: () => undefined,
  areAgents: false,
  locate: (page, ref) => page.getByRef(ref),
  // Playwright's refs lead into frames by themselves.
  frameOf: (page) => page.mainFrame(),
  find: async (page, { ref }) => ({ is: (await page.getByRef(ref).count()) > 0 ? 'here' : 'none' }),
  why: async () => undefined,
  name: async () => new Map(),
};

/** A text field's value stands behind its line's colon, quoted or not. */
function masked(nodes: readonly ViewNode[], secrets: readonly string[]): readonly ViewNode[] {
  if (secrets.length === 0) return nodes;
  return nodes.map((node) => {
    const match = /^((?:textbox|searchbox|combobox|spinbutton)\b.*?\]): (.*)$/.exec(node.line);
    const [, field = '', value = ''] = match ?? [];
    const isSecret = match !== null && secrets.some((secret) => secret.trim() === unquoted(value).trim());
    return { ...node, line: isSecret ? `${field}: [REDACTED]` : node.line, children: masked(node.children, secrets) };
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
    const match = /^'?([\w-]+)(?: ("(?:[^"\\]|\\.)*"))?.*?\[ref=((?:f\d+)?e\d+)\]/.exec(node.line);
    if (match === null) continue;
    const [, role = '', name = '', ref = ''] = match;
    refs.set(ref, { role, name: unquoted(name) });
  }
  return refs;
}
