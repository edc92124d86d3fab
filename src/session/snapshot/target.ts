import type { Frame, Locator, Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import { pageCode } from '../../util/code.ts';
import type { Code } from '../../util/code.ts';
import { repeatsGroup } from './selector-regex.ts';

export const selectorTypes = ['css', 'text', 'role', 'testId', 'label', 'placeholder', 'xpath'] as const;
export type SelectorType = (typeof selectorTypes)[number];

/** The element that a call names, as written. */
export type Target =
  | {
      readonly kind: 'ref';
      readonly ref: string;
      readonly given: string;
      /** The caller's own words for the element. */
      readonly described?: string;
    }
  | {
      readonly kind: 'selector';
      readonly selector: string;
      readonly type: SelectorType;
      readonly options: Readonly<Record<string, unknown>>;
      readonly given: string;
      /** If elements have exactly this name, the name does not mean others that contain it. */
      readonly prefersExact?: boolean;
    };

/** A resolved target. */
export interface Located {
  readonly locator: Locator;
  /** Playwright code that finds it. */
  readonly code: Code;
  /** The name that answers use. */
  readonly label: string;
  /** The point to act at, if not the centre. */
  readonly position?: { readonly x: number; readonly y: number } | undefined;
  /** The element itself, if `locator` is the one drawn in its place. */
  readonly own?: Locator;
  /** A note for the answer about how it was found. */
  readonly note?: string;
}

export type SelectorTarget = Extract<Target, { readonly kind: 'selector' }>;

const longestSelector = 10_000;

/** What a target means that prefers an exact name, in order. */
export function readings(target: SelectorTarget): readonly SelectorTarget[] {
  const exact = { ...target, options: { ...target.options, exact: true } };
  return target.prefersExact === true ? [exact, target] : [target];
}

/** The selector as errors show it; of a role and name, both. */
export function selectorText({ selector, given, prefersExact }: SelectorTarget): string {
  return prefersExact === true ? given : selector;
}

/** A lazy locator: the element is looked up when it is used. */
export function locateSelector(root: Page | Frame, target: SelectorTarget): Located {
  const { selector, type, options } = target;
  if (selector.trim() === '' || selector.length > longestSelector) {
    const reason =
      selector.length > longestSelector ? `it is longer than ${longestSelector} characters` : 'it is empty';
    throw new ToolError('INVALID_SELECTOR', { selector: selector.slice(0, 100), reason });
  }
  if (/(?:^|>>)\s*\*?\s*(?:internal:|helm=|aria-ref\b)/.test(selector)) {
    throw new ToolError('INVALID_SELECTOR', {
      selector: selector.slice(0, 100),
      reason: 'it uses an internal selector engine',
    });
  }
  if ((type === 'css' || type === 'xpath') && repeatsGroup(selector)) {
    throw new ToolError('INVALID_SELECTOR', {
      selector: selector.slice(0, 100),
      reason: 'its regular expression repeats a group, which can block the page',
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
