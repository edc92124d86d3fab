import type { Frame, Locator, Page } from 'playwright-core';
import { askFrames } from '../../session/agent/ask-frames.ts';
import type { Session } from '../../session/session.ts';
import type { Target } from '../../session/snapshot/target.ts';
import type { Tab } from '../../session/tab.ts';
import type { Code } from '../../util/code.ts';
import { pageCode } from '../../util/code.ts';
import { TimedOut, pause } from '../../util/signals.ts';
import { urlMatcher } from '../lib/patterns/url-pattern.ts';

export const elementStates = ['visible', 'hidden', 'enabled', 'disabled', 'checked', 'unchecked'] as const;
export type ElementState = (typeof elementStates)[number];

/** What a wait can be for. */
export interface Wanted {
  readonly text?: string | undefined;
  readonly textGone?: string | undefined;
  readonly target?: Target | undefined;
  readonly state?: ElementState | undefined;
  readonly count?: number | undefined;
  readonly url?: string | undefined;
  readonly request?: string | undefined;
  readonly response?: string | undefined;
  readonly console?: string | undefined;
  readonly download?: boolean | undefined;
  readonly newTab?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** Something to wait for. */
export interface Condition {
  /** For progress and errors, as in `Waiting for …`. */
  readonly what: string;
  /** The line of the answer once it holds. */
  readonly met: string;
  readonly code?: Code;
  /** Resolves when it holds, rejects when the time is over or the signal aborts. */
  wait(signal: AbortSignal): Promise<unknown>;
}

interface Place {
  readonly session: Session;
  readonly tab: Tab;
  readonly timeoutMs: number;
}

const pollMs = 100;
/** A page that has not changed for this long is quiet. */
const quietMs = 500;

const quote = JSON.stringify;

/** The conditions that are given, in the order in which the answer names them. */
export function conditionsOf(wanted: Wanted, place: Place): readonly Condition[] {
  const { text, textGone, url, request, response, console: line, download, newTab, quiet } = wanted;
  const { tab, timeoutMs: timeout } = place;
  const { page } = tab;
  const conditions: Condition[] = [];
  if (textGone !== undefined) {
    const code = firstWith(textGone).call('waitFor', { state: 'hidden' });
    const wait = async (signal: AbortSignal): Promise<void> => untilShown(page, textGone, false, timeout, signal);
    conditions.push({ what: `${quote(textGone)} to be gone`, met: `The text ${quote(textGone)} is gone.`, code, wait });
  }
  if (text !== undefined) conditions.push(textCondition(text, wanted, place));
  if (wanted.target !== undefined) conditions.push(elementCondition(wanted.target, wanted, place));
  if (url !== undefined) {
    const wait = async (signal: AbortSignal): Promise<void> => {
      const matches = await urlMatcher(url);
      await until(() => matches(new URL(page.url())), timeout, signal);
    };
    conditions.push({ what: `the URL ${quote(url)}`, met: `The URL matches ${quote(url)}.`, wait });
  }
  if (request !== undefined || response !== undefined) conditions.push(...networkConditions(wanted, place));
  if (line !== undefined) {
    const isLogged = (): boolean => tab.console.entries('debug', false).some((entry) => entry.text.includes(line));
    const wait = async (signal: AbortSignal): Promise<void> => until(isLogged, timeout, signal);
    conditions.push({ what: `${quote(line)} on the console`, met: `The console shows ${quote(line)}.`, wait });
  }
  if (download === true) {
    const wait = async (signal: AbortSignal): Promise<unknown> => page.waitForEvent('download', { timeout, signal });
    conditions.push({ what: 'a download', met: 'A download has started.', wait });
  }
  if (newTab === true) {
    const wait = async (signal: AbortSignal): Promise<unknown> =>
      page.context().waitForEvent('page', { timeout, signal });
    conditions.push({ what: 'a new tab', met: 'A tab has opened.', wait });
  }
  if (quiet === true) {
    const isQuiet = async (signal: AbortSignal): Promise<boolean> =>
      ((await tab.state(signal))?.quietMs ?? 0) >= quietMs;
    const wait = async (signal: AbortSignal): Promise<void> => {
      await page.waitForLoadState('networkidle', { timeout, signal });
      await until(async () => isQuiet(signal), timeout, signal);
    };
    conditions.push({ what: 'a quiet page', met: 'The page is quiet.', wait });
  }
  return conditions;
}

function textCondition(text: string, { count, target }: Wanted, { tab, timeoutMs }: Place): Condition {
  const { page } = tab;
  // Without an element, the count is that of the texts.
  if (count === undefined || target !== undefined) {
    const wait = async (signal: AbortSignal): Promise<void> => untilShown(page, text, true, timeoutMs, signal);
    return { what: quote(text), met: `The text ${quote(text)} is there.`, code: firstWith(text).call('waitFor'), wait };
  }
  const countOf = async (frame: Frame): Promise<number> => frame.getByText(text).filter({ visible: true }).count();
  const isThere = async (): Promise<boolean> => {
    const counts = await askFrames(page.frames(), countOf);
    return counts.reduce((sum, each) => sum + each, 0) >= count;
  };
  const wait = async (signal: AbortSignal): Promise<void> => until(isThere, timeoutMs, signal);
  return { what: `${quote(text)} ${count} times`, met: `The text ${quote(text)} is there ${count} times.`, wait };
}

function elementCondition(target: Target, { state, count }: Wanted, { tab, timeoutMs }: Place): Condition {
  const named = quote(target.given);
  const locate = async (signal: AbortSignal): Promise<Locator> =>
    (await tab.refs.locate(target, undefined, signal)).locator;
  if (count !== undefined) {
    const wait = async (signal: AbortSignal): Promise<void> => {
      const locator = await locate(signal);
      await until(async () => (await locator.filter({ visible: true }).count()) >= count, timeoutMs, signal);
    };
    return { what: `${count} elements ${named}`, met: `There are at least ${count} elements ${named}.`, wait };
  }
  const wait = async (signal: AbortSignal): Promise<void> => {
    const locator = (await locate(signal)).first();
    await until(async () => isIn(locator, state ?? 'visible'), timeoutMs, signal);
  };
  return { what: `${named} to be ${state ?? 'visible'}`, met: `The element ${named} is ${state ?? 'visible'}.`, wait };
}

/** Whether an element is in a state now. One that does not exist is only hidden. */
async function isIn(locator: Locator, state: ElementState): Promise<boolean> {
  if (state === 'hidden') return !(await locator.isVisible());
  if ((await locator.count()) === 0) return false;
  const now = { timeout: pollMs };
  switch (state) {
    case 'visible':
      return locator.isVisible();
    case 'enabled':
      return locator.isEnabled(now).catch(() => false);
    case 'disabled':
      return locator.isDisabled(now).catch(() => false);
    case 'checked':
      return locator.isChecked(now).catch(() => false);
    case 'unchecked':
      return locator.isChecked(now).then(
        (isChecked) => !isChecked,
        () => false,
      );
  }
}

/** A request that this document has already made counts: the wait may begin after it. */
function networkConditions({ request, response }: Wanted, { tab, timeoutMs }: Place): readonly Condition[] {
  const wait = async (pattern: string, isAnswered: boolean, signal: AbortSignal): Promise<void> => {
    const matches = await urlMatcher(pattern);
    const isDone = async (): Promise<boolean> => {
      for (const { request: each } of tab.network.entries()) {
        if (!matches(new URL(each.url()))) continue;
        if (!isAnswered || each.existingResponse() !== null) return true;
      }
      return false;
    };
    await until(isDone, timeoutMs, signal);
  };
  return [
    ...(request === undefined
      ? []
      : [
          {
            what: `a request to ${quote(request)}`,
            met: `A request to ${quote(request)} was made.`,
            wait: async (signal: AbortSignal) => wait(request, false, signal),
          },
        ]),
    ...(response === undefined
      ? []
      : [
          {
            what: `a response from ${quote(response)}`,
            met: `A response from ${quote(response)} has arrived.`,
            wait: async (signal: AbortSignal) => wait(response, true, signal),
          },
        ]),
  ];
}

/** Asks again and again. */
async function until(isMet: () => boolean | Promise<boolean>, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isMet())) {
    signal.throwIfAborted();
    if (performance.now() > end) throw new TimedOut(timeoutMs);
    await pause(pollMs, signal);
  }
}

function firstWith(text: string): Code {
  return pageCode.call('getByText', text).call('first');
}

/** Whether any frame shows the text; to wait until it is gone, all frames are checked. */
async function untilShown(
  page: Page,
  text: string,
  isShown: boolean,
  timeout: number,
  signal: AbortSignal,
): Promise<void> {
  const waits = page.frames().map(async (frame) => {
    // A frame may show the text many times; some may be hidden copies.
    const matches = frame.getByText(text);
    const wanted = isShown ? matches.filter({ visible: true }).first() : matches.filter({ visible: true });
    await wanted.first().waitFor({ state: isShown ? 'visible' : 'hidden', timeout, signal });
  });
  if (!isShown) {
    await Promise.all(waits);
    return;
  }
  try {
    await Promise.any(waits);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}
