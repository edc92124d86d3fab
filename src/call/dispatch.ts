import { randomBytes } from 'node:crypto';
import type { Config } from '../config/schema/schema.ts';
import type { ToolNameOf } from '../errors.ts';
import type { Handoffs } from '../session/control/handoffs.ts';
import type { Session } from '../session/session.ts';
import type { SessionStore } from '../session/store.ts';
import type { CallOrigin, SessionBinding } from './binding.ts';
import { tokensOf } from './answer/answer-size.ts';
import { fitReport } from './answer/budget.ts';
import { failureReport } from './failure-report.ts';
import { EffectWatch } from './call-effect.ts';
import type { CallGate } from './call-gate.ts';
import type { CallHooks, RecordedCall } from './call-hooks.ts';
import { readEnvelope } from './arguments/envelope.ts';
import { CallEvents } from './call-events.ts';
import type { CallEventDeps } from './call-events.ts';
import type { LinkRequest } from './link-request.ts';
import type { Confirmation, PermitDeps } from './permit.ts';
import type { Envelope } from './arguments/envelope.ts';
import { ownTab, runUntilDeadline } from './run-call.ts';
import { withoutSecrets } from './arguments/without-secrets.ts';
import { render, verbatimError } from './answer/render.ts';
import type { CallResult, Report } from './answer/report.ts';
import { UnknownToolError, nearestTool } from './tool.ts';
import type { BrowserControl, CallContext, Tool } from './tool.ts';

export { UnknownToolError };

/** A call as it comes off the wire. */
export interface CallRequest extends CallOrigin {
  readonly name: string;
  readonly args: unknown;
  /** Aborts when the client cancels, or is gone. */
  readonly signal: AbortSignal;
  readonly progress?: (message: string) => void;
  /** Folders that the client declares as its roots. */
  readonly roots?: readonly string[] | undefined;
  /** Names the call: repeated with the same id, it runs once. */
  readonly callId?: string | undefined;
  /** The W3C trace context of the client. */
  readonly trace?: string | undefined;
  /** Asks a user, if the client can. */
  readonly confirmation?: Confirmation | undefined;
  /** Shows a link to a user, if the client can. */
  readonly links?: LinkRequest | undefined;
}

export interface DispatchDeps extends PermitDeps, CallEventDeps, CallHooks {
  /** Every name that can be called. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Loads a tool that can be called but is not loaded at start-up. */
  readonly later: (name: string) => Promise<Tool | undefined>;
  /** Names of the listed tools, for suggestions. */
  readonly listed: readonly string[];
  /** The name under which a tool is offered, for texts that refer to it. */
  readonly nameOf: ToolNameOf;
  readonly store: SessionStore;
  readonly binding: SessionBinding;
  readonly browser: BrowserControl;
  readonly config: Config;
  readonly now: () => Date;
  /** The configuration without secrets. */
  readonly shownConfig: CallContext['shownConfig'];
  readonly gate: CallGate;
  readonly handoffs: Handoffs;
  /** Called with what every call answered, redacted. */
  readonly onReport?: (request: CallRequest, report: Report) => void;
}

const nothing: Report = { result: [], code: [], modals: [], events: [], images: [] };

/** Calls a tool. Every transport, the command line and the library use it. */
export async function dispatch(deps: DispatchDeps, request: CallRequest): Promise<CallResult> {
  const tool = deps.tools.get(request.name) ?? (await deps.later(request.name));
  if (tool === undefined && deps.config.compat === 'playwright') {
    return render({ ...nothing, verbatim: verbatimError(`Tool "${request.name}" not found`) });
  }
  if (tool === undefined) throw new UnknownToolError(request.name, nearestTool(request.name, deps.listed));
  const { config } = deps;
  const call = new CallEvents(deps, request);
  let session: Session | undefined;
  let report: Report;
  let { maxTokens } = config.snapshot;
  let tab: Envelope['tab'];
  const done: string[] = [];
  const effect = new EffectWatch(tool.effect, done);
  let recorded: RecordedCall | undefined;
  try {
    const prepared = tool.prepare(request.args);
    const envelope = readEnvelope(request.args, config.snapshot);
    maxTokens = envelope.maxTokens;
    tab = ownTab(tool, envelope);
    deps.fence?.(request.driver);
    recorded = await deps.record?.(request, tool);
    if (recorded?.answer !== undefined) return recorded.answer;
    if (tool.scope !== 'driver') session = deps.binding.sessionFor(request, envelope.sessionId);
    const stopped = call.begin(session);
    const ready = { tool, prepared, session, envelope, done, effect, stopped };
    report = await runUntilDeadline(deps, request, ready);
  } catch (error) {
    report = failureReport(deps, error, request, { tool, session, done, call: call.id });
  }
  const had = effect.of(report.error);
  report = { ...report, ...(had && { effect: had }), ...placeOf(deps.store, request, session, tab) };
  if (session !== undefined) deps.store.touch(session);
  const safe = withoutSecrets(report, deps.secrets, deps.store.list(request.driver));
  const shown = safe.verbatim === undefined ? fitReport(safe, maxTokens, deps.nameOf) : safe;
  const result = render(shown, {
    structured: config.structuredContent === 'auto',
    images: config.imageResponses === 'only' ? 'only' : 'with text',
    fence: config.snapshot.fence ? randomBytes(6).toString('hex') : undefined,
  });
  const tokens = tokensOf(result);
  session?.meter(tokens);
  call.ended(session, { report: shown, result, tokens });
  deps.onReport?.(request, shown);
  const meta = { 'pagehelm/tokens': tokens, 'pagehelm/call': call.id, ...(had && { 'pagehelm/effect': had }) };
  const answer = shown.verbatim === undefined ? { ...result, _meta: meta } : result;
  await recorded?.end(answer, had);
  return answer;
}

/** Session and tab of the call, if there are several. */
function placeOf(
  store: SessionStore,
  { driver }: CallRequest,
  session: Session | undefined,
  tab: Envelope['tab'],
): Pick<Report, 'place'> {
  if (session === undefined) return {};
  const isOneOfMany = store.list(driver).length > 1;
  const lines = [...(isOneOfMany ? [`Session: ${session.name}`] : []), ...(tab === undefined ? [] : [`Tab: ${tab}`])];
  return lines.length === 0 ? {} : { place: lines };
}
