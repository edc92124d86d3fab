import { toToolError } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import type { Session } from '../session/session.ts';
import { abandonLimitMs, lateMs } from '../session/timing.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { collect, markBefore } from './answer/collect.ts';
import { plainReport } from './answer/plain-report.ts';
import type { Report } from './answer/report.ts';
import { Response } from './answer/response.ts';
import { isNetworkDriver } from './binding.ts';
import { isRepeatable } from './call-effect.ts';
import type { EffectWatch } from './call-effect.ts';
import { timeoutOf } from './call-timeout.ts';
import { titleOf } from './call-title.ts';
import type { CallRequest, DispatchDeps } from './dispatch.ts';
import type { Envelope } from './arguments/envelope.ts';
import { permitOf } from './permit.ts';
import { stepsOf } from './steps.ts';
import type { CallContext, PreparedCall, Tool } from './tool.ts';

/** A call with valid arguments, and what it needs to run. */
export interface ReadyCall {
  readonly tool: Tool;
  readonly prepared: PreparedCall;
  /** None for a tool with the scope `driver`. */
  readonly session: Session | undefined;
  readonly envelope: Envelope;
  /** The steps that were run so far. */
  readonly done: string[];
  readonly effect: EffectWatch;
  /** Aborts when a person stops the call. */
  readonly stopped?: AbortSignal | undefined;
}

/**
 * Runs a call in the queue of its session, within the time of a call. A read is repeated once after a crash, and a
 * navigation from a page that does not respond.
 */
export async function runUntilDeadline(deps: DispatchDeps, request: CallRequest, call: ReadyCall): Promise<Report> {
  const { tool, stopped } = call;
  const { call: limitMs } = deps.config.timeouts;
  const place = deps.gate.enter();
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new ToolError('TIMEOUT', { what: tool.name, ms: limitMs }));
  }, limitMs);
  using right = rightOf(deps, request, call);
  const ends = [request.signal, deadline.signal, right.signal];
  const signal = AbortSignal.any(stopped === undefined ? ends : [...ends, stopped]);
  const timeoutMs = timeoutOf(tool, call.prepared, deps.config.timeouts);
  const until = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  const timed: TimedCall = { ...call, until, left: {} };
  try {
    return await runOnce(deps, { ...request, signal }, timed).catch(async (error: unknown) => {
      const isLost = error instanceof ToolError && isRepeatable(tool, error, timed.left.url) && !signal.aborted;
      // A read that was given up late would take as long again. A page that blocks must be left whatever it takes.
      const isLate = !tool.replacesPage && performance.now() > (timed.until ?? Number.POSITIVE_INFINITY) + lateMs;
      if (!isLost || isLate) throw error;
      deps.log.info('a call is repeated', { tool: tool.name, code: error.code });
      return runOnce(deps, { ...request, signal }, timed);
    });
  } finally {
    clearTimeout(timer);
    place[Symbol.dispose]();
  }
}

type TimedCall = ReadyCall & {
  /** The end of its timeout, if it has one; as `performance.now()`. */
  readonly until: number | undefined;
  /** The page of its tab when it began to run. */
  readonly left: { url?: string | undefined };
};

/** Aborts when another process may act for the driver: what this one does then could come after the work of the other. */
function rightOf(
  { right }: DispatchDeps,
  { driver }: CallRequest,
  { tool, effect }: ReadyCall,
): Disposable & { readonly signal: AbortSignal } {
  const lost = new AbortController();
  const onLost = (): void =>
    lost.abort(
      effect.mayHaveActed
        ? new ToolError('EFFECT_UNKNOWN', { tool: tool.name })
        : new ToolError('CLUSTER_DEGRADED', { reason: 'the directory does not respond' }),
    );
  const held = right?.(driver);
  if (held?.aborted === true) onLost();
  held?.addEventListener('abort', onLost);
  return { signal: lost.signal, [Symbol.dispose]: () => held?.removeEventListener('abort', onLost) };
}

async function runOnce(deps: DispatchDeps, request: CallRequest, call: TimedCall): Promise<Report> {
  const { config, now } = deps;
  const { tool, prepared, session, effect } = call;
  const { signal } = request;
  const { snapshotMode } = call.envelope;
  const showsPages = tool.answer === 'sections' && snapshotMode !== 'none' && !config.snapshot.boxes;
  const response = new Response(showsPages, call.done);
  for (const note of [...prepared.notes, ...call.envelope.notes]) response.note(note);
  const context = {
    response,
    signal,
    settings: config,
    secrets: deps.secrets,
    now,
    progress: request.progress ?? (() => undefined),
    maxTokens: call.envelope.maxTokens,
    sessions: deps.binding.sessionsOf(request),
    browser: deps.browser,
    permit: permitOf(deps, request.confirmation, tool.effect === 'steps'),
    prepareStep: stepsOf({ ...deps, clearedBy: clearedBy(deps) }),
    shownConfig: deps.shownConfig,
    begin: () => {
      deps.fence?.(request.driver);
      effect.begin();
    },
    handoffs: deps.handoffs,
    links: request.links,
  };
  if (session !== undefined) return runInSession(deps, { ...call, session }, context, request);
  await raceSignal(prepared.run(context, undefined), signal);
  return plainReport(response, tool.answer, []);
}

async function runInSession(
  deps: DispatchDeps,
  { tool, prepared, session, envelope, until, left }: TimedCall & { readonly session: Session },
  context: CallContext,
  request: CallRequest,
): Promise<Report> {
  const { response, progress } = context;
  const run = async (failed: AbortSignal): Promise<Report> => {
    const signal = AbortSignal.any([context.signal, failed]);
    // Folders of another machine mean nothing here, and its client must not choose what is read on this one.
    session.holdTo(isNetworkDriver(request.driver) ? undefined : request.roots);
    left.url = session.current?.page.url();
    const before = markBefore(session);
    if (!session.isOpen) progress('Starting the browser');
    const options = {
      settings: deps.config,
      signal,
      now: deps.now,
      envelope,
      // Who is answered.
      client: request.connection ?? request.driver,
      form: tool.answer,
      clearedBy: clearedBy(deps),
      redact: (text: string) => deps.secrets.redact(text),
    };
    const work = prepared.run({ ...context, signal }, session).then(() => collect(session, response, before, options));
    try {
      // Handlers may wait in a Playwright call that takes no signal.
      const report = await raceSignal(work, signal);
      return response.failure === undefined ? report : { ...report, error: response.failure };
    } catch (error) {
      // The next call must not overlap with this one.
      if (signal.aborted) await settlesWithin(work, abandonLimitMs);
      signal.throwIfAborted();
      throw toToolError(error, { what: tool.name, ...response.attempted, browserLost: session.isLost });
    }
  };
  const tab = ownTab(tool, envelope);
  return session.exclusive(
    context.signal,
    async (failed) =>
      session.onTab(tab, async () => session.tracing.inGroup(titleOf(request), async () => run(failed))),
    { progress, timeoutMs: until === undefined ? undefined : Math.max(0, until - performance.now()) },
  );
}

function clearedBy(deps: DispatchDeps): (kind: string) => string | undefined {
  return (kind) => [...deps.tools.values()].find((tool) => tool.clears === kind)?.name ?? deps.nameOf('browser_close');
}

/** The tab named for this call only; some tools have an own argument of that name with another meaning. */
export function ownTab(tool: Tool, { tab }: Envelope): Envelope['tab'] {
  return tool.scope === 'driver' || 'tab' in tool.input.shape ? undefined : tab;
}
