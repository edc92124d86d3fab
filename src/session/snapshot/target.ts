import type { Frame, Locator, Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import { pageCode } from '../../util/code.ts';
import type { Code } from '../../util/code.ts';

export const selectorTypes = ['css', 'text', 'role', 'testId', 'label', 'placeholder', 'xpath'] as const;
export type SelectorType = (typeof selectorTypes)[number];

/** What an action is aimed at, as the caller wrote it. */
export type Target =
  | { readonly kind: 'ref'; readonly ref: string; readonly given: string }
  | {
      readonly kind: 'selector';
      readonly selector: string;
      readonly type: SelectorType;
      readonly options: Readonly<Record<string, unknown>>;
      readonly given: string;
    };

/** The element as Playwright finds it, and the code that finds it again. */
export interface Located {
  readonly locator: Locator;
  /** The code that finds it. */
  readonly code: Code;
  /** How answers call it. */
  readonly label: string;
  /** Where in it to act, if not in its middle. */
  readonly position?: { readonly x: number; readonly y: number } | undefined;
  /** The element itself, where what is drawn in its place is acted on. */
  readonly own?: Locator;
  /** What the caller should know about how it was found. */
  readonly note?: string;
}

const longestSelector = 10_000;
/** A ref that nobody has shown is a ref all the same: no element of a page is called `e1a2b3`. */
const shortRef = /^(?:f\d+)?e\d\w*$/;
const qualifiedRef = /^c(\d+)p(\d+)f(\d+)e(\d+)$/;

export function isRef(text: string): boolean {
  return shortRef.test(text) || qualifiedRef.test(text) || /^[\w-]+:(?:f\d+)?e\d\w*$/.test(text);
}

/** Where a call is: refs that name a session or a tab must name this one. */
export interface Place {
  readonly name: string;
  readonly tabs: readonly unknown[];
  readonly current: unknown;
}

/** Reads a ref (`e12`, `f1e2`, `name:e12`, `c0p0f0e1`) or takes the text as a selector. */
export function readTarget(text: string, here: Place): Target {
  const given = text;
  const qualified = qualifiedRef.exec(text);
  if (qualified !== null) {
    const [, context = '0', page = '0', frame = '0', element = '0'] = qualified;
    // The default session is the first; numbers of others are nowhere shown.
    if ((context === '0') !== (here.name === 'default'))
      throw new ToolError('REF_OF_OTHER_SESSION', { ref: text, session: `c${context}`, here: here.name });
    const tab = here.tabs.indexOf(here.current);
    if (tab >= 0 && Number(page) !== tab) throw new ToolError('REF_OF_OTHER_TAB', { ref: text, tab: page, here: tab });
    return { kind: 'ref', ref: frame === '0' ? `e${element}` : `f${frame}e${element}`, given };
  }
  if (shortRef.test(text)) return { kind: 'ref', ref: text, given };
  const colon = text.indexOf(':');
  if (colon > 0 && shortRef.test(text.slice(colon + 1)) && /^[\w-]+$/.test(text.slice(0, colon))) {
    const session = text.slice(0, colon);
    if (session !== here.name) throw new ToolError('REF_OF_OTHER_SESSION', { ref: text, session, here: here.name });
    return { kind: 'ref', ref: text.slice(colon + 1), given };
  }
  return { kind: 'selector', selector: text, type: 'css', options: {}, given };
}

/** Finds by selector; the element itself is looked for when it is acted on. */
export function locateSelector(root: Page | Frame, target: Extract<Target, { kind: 'selector' }>): Located {
  const { selector, type, options } = target;
  if (selector.trim() === '' || selector.length > longestSelector) {
    const reason =
      selector.length > longestSelector ? `it is longer than ${longestSelector} characters` : 'it is empty';
    throw new ToolError('INVALID_SELECTOR', { selector: selector.slice(0, 100), reason });
  }
  if (/(?:^|>>)\s*(?:internal:|helm=)/.test(selector)) {
    throw new ToolError('INVALID_SELECTOR', {
      selector: selector.slice(0, 100),
      reason: 'it names an engine that is not for callers',
    });
  }
  const exact = typeof options['exact'] === 'boolean' ? { exact: options['exact'] } : {};
  const label = target.given;
  const call = (method: string): Code => pageCode.call(method, selector, exact);
  switch (type) {
    case 'css':
      return { locator: root.locator(selector), code: pageCode.call('locator', selector), label };
    case 'xpath': {
      const full = selector.startsWith('xpath=') ? selector : `xpath=${selector}`;
      return { locator: root.locator(full), code: pageCode.call('locator', full), label };
    }
    case 'text':
      return { locator: root.getByText(selector, exact), code: call('getByText'), label };
    case 'label':
      return { locator: root.getByLabel(selector, exact), code: call('getByLabel'), label };
    case 'placeholder':
      return { locator: root.getByPlaceholder(selector, exact), code: call('getByPlaceholder'), label };
    case 'testId':
      return { locator: root.getByTestId(selector), code: pageCode.call('getByTestId', selector), label };
    case 'role': {
      const name = typeof options['name'] === 'string' ? options['name'] : undefined;
      const byName = name === undefined ? {} : { name };
      // Roles are an open list here: Playwright answers an unknown one with no match, and so do we.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const role = selector as Parameters<Page['getByRole']>[0];
      const wanted = { ...byName, ...exact };
      return { locator: root.getByRole(role, wanted), code: pageCode.call('getByRole', selector, wanted), label };
    }
  }
}
