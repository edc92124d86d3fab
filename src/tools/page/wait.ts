import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import type { CallContext } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { Tab } from '../../session/tab.ts';
import { pause } from '../../util/signals.ts';
import { pageCode } from '../../util/code.ts';
import { actOnPage } from '../lib/act.ts';
import { checkTarget, optionalTarget, optionalTargetShape, timeoutShape, wholeWithin } from '../lib/argument-shapes.ts';
import type { TargetArguments } from '../lib/argument-shapes.ts';
import { conditionTimeout } from '../lib/timeouts.ts';
import { conditionsOf, elementStates } from './wait-conditions.ts';
import type { Condition } from './wait-conditions.ts';

const longestSeconds = 30;
const progressMs = 2000;

export const waitFor = defineTool({
  name: 'browser_wait_for',
  title: 'Wait',
  description: 'Wait for a text, a time or another condition. Actions already wait for their effects.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  isRepeatable: false,
  scope: 'tab',
  positional: ['text'],
  input: {
    text: z.string().optional().describe('Text to appear'),
    textGone: z.string().optional().describe('Text to disappear'),
    time: z.number().optional().describe('Seconds, at most 30'),
    ...optionalTargetShape,
    state: z.enum(elementStates).optional().describe('Its state'),
    count: wholeWithin(1, 100_000).optional().describe('At least so many'),
    url: z.string().optional().describe('Part of the URL or pattern'),
    request: z.string().optional().describe('URL of a request'),
    response: z.string().optional().describe('URL of a response'),
    console: z.string().optional().describe('Console text'),
    event: z.enum(['download', 'newTab', 'quiet']).optional().describe('Quiet: no changes or requests'),
    any: z.boolean().optional().describe('One is enough'),
    ...timeoutShape,
  },
  check: checkConditions,
  run: async (call) => {
    const { tab, session, response, settings } = call;
    const args = withoutEmpty(call.args);
    const { time, event } = args;
    const timeoutMs = conditionTimeout(settings, args.timeout);
    const happening = { download: event === 'download', newTab: event === 'newTab', quiet: event === 'quiet' };
    const wanted = { ...args, ...happening, target: optionalTarget(args, session) };
    const conditions = conditionsOf(wanted, { session, tab, timeoutMs });
    const seconds = Math.min(Math.max(0, time ?? 0), longestSeconds);
    const names = conditions.map(({ what }) => what).join(args.any === true ? ' or ' : ' and ');
    let met: readonly Condition[] | undefined;
    await actOnPage(
      call,
      async () => {
        // With other conditions and any, the time is the longest wait.
        if (time !== undefined && args.any !== true) await pauseUnlessCrashed(tab, seconds * 1000, call.signal);
        met = await withProgress(call, names, async () =>
          args.any === true ? firstOf(conditions, call.signal) : allOf(conditions, call.signal),
        );
      },
      {
        failure: { what: `Waiting for ${names}`, timeoutMs },
        loadMs: settings.timeouts.load,
        isDirect: true,
        isPassive: true,
      },
    );
    if (met === undefined) return response.text('The wait was interrupted.');
    if (time !== undefined) {
      response.text(`Waited ${seconds} seconds${time > longestSeconds ? `, the maximum` : ''}.`);
      response.ran(pageCode.call('waitForTimeout', seconds * 1000));
    }
    for (const { met: line, code } of met) {
      response.text(line);
      if (code !== undefined) response.ran(code);
    }
  },
});

const conditionKeys = ['text', 'textGone', 'time', 'url', 'request', 'response', 'console', 'event'] as const;
const conditionNames = 'text, textGone, time, ref, count, url, request, response, console, event';

interface Wanted extends TargetArguments, Readonly<Partial<Record<(typeof conditionKeys)[number], unknown>>> {
  readonly state?: unknown;
  readonly count?: unknown;
}

/** Some models send an empty text for an argument that they do not use. */
function withoutEmpty<T extends Wanted>(args: T): T {
  const used = Object.entries(args).filter(([, value]) => value !== '');
  // The arguments that are left out are optional.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(used) as T;
}

function checkConditions(given: Wanted): void {
  const args = withoutEmpty(given);
  const hasElement = checkTarget(args) !== undefined;
  const accepted = [...conditionKeys, 'ref', 'state', 'count'];
  const problems: string[] = [];
  if (args.state !== undefined && !hasElement) problems.push('state needs ref.');
  if (args.count !== undefined && !hasElement && args.text === undefined) problems.push('count needs ref or text.');
  if (problems.length > 0) throw new ToolError('MISSING_PARAMETER', { problems, accepted });
  if (hasElement || conditionKeys.some((key) => args[key] !== undefined)) return;
  throw new ToolError('MISSING_PARAMETER', { problems: [`Give one or more of ${conditionNames}.`], accepted });
}

/** A crash ends the pause: the action reports it. */
async function pauseUnlessCrashed(tab: Tab, ms: number, signal: AbortSignal): Promise<void> {
  if (tab.crashed) return;
  const { page } = tab;
  const crashed = new AbortController();
  const onCrash = (): void => crashed.abort();
  page.once('crash', onCrash);
  try {
    await pause(ms, AbortSignal.any([signal, crashed.signal]));
  } finally {
    page.off('crash', onCrash);
  }
}

async function allOf(conditions: readonly Condition[], signal: AbortSignal): Promise<readonly Condition[]> {
  await endTogether(signal, async (own) => Promise.all(conditions.map(async (each) => each.wait(own))));
  return conditions;
}

async function firstOf(conditions: readonly Condition[], signal: AbortSignal): Promise<readonly Condition[]> {
  const first = async (own: AbortSignal): Promise<Condition> =>
    Promise.any(conditions.map(async (each) => each.wait(own).then(() => each)));
  try {
    return [await endTogether(signal, first)];
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

/** Aborts the waits that go on when the others have decided. */
async function endTogether<T>(signal: AbortSignal, run: (own: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  try {
    return await run(AbortSignal.any([signal, over.signal]));
  } finally {
    over.abort();
  }
}

/** Tells a client that the wait goes on: some give up on a call that is silent. */
async function withProgress<T>({ progress }: CallContext, names: string, run: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const tell = (): void => progress(`Waiting for ${names}: ${Math.round((performance.now() - started) / 1000)} s`);
  const timer = setInterval(tell, progressMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

export const waitForLoad = defineTool({
  name: 'wait_for_load',
  title: 'Wait for load',
  description: 'Wait until the page has loaded.',
  toolsets: ['design'],
  effect: 'read',
  isRepeatable: false,
  scope: 'tab',
  positional: ['state'],
  answer: 'data',
  input: {
    state: z.enum(['load', 'domcontentloaded', 'networkidle']).optional().describe('Load state, default load'),
    ...timeoutShape,
  },
  run: async ({ tab, args, response, settings, signal }) => {
    const { state = 'load', timeout = settings.session.defaultTimeout } = args;
    response.attempt({ what: `Waiting for ${state}`, url: tab.page.url(), timeoutMs: timeout });
    await tab.page.waitForLoadState(state, { timeout, signal });
    response.facts(async () => ({ state, url: tab.page.url(), title: (await tab.state(signal))?.title ?? tab.title }));
  },
});
