import { randomBytes } from 'node:crypto';
import { toToolError } from '../browser/failure.ts';
import type { Config } from '../config/schema/schema.ts';
import { ToolError } from '../errors.ts';
import type { ToolNameOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Secrets } from '../policy/secrets.ts';
import { redactParameters, typedIn } from '../policy/typed-secrets.ts';
import type { Session } from '../session/session.ts';
import type { SessionStore } from '../session/store.ts';
import { mapTexts } from '../util/map-texts.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { cut } from '../util/text.ts';
import { estimateTokens } from '../util/tokens.ts';
import type { CallOrigin, SessionBinding } from './binding.ts';
import { fitReport } from './answer/budget.ts';
import { collect, markBefore } from './answer/collect.ts';
import { errorText } from './sentence-error.ts';
import { readEnvelope } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import { plainReport } from './answer/plain-report.ts';
import { render } from './answer/render.ts';
import type { CallResult, Report } from './answer/report.ts';
import { Response } from './answer/response.ts';
import { nearestTool } from './tool.ts';
import type { BrowserControl, CallContext, PreparedCall, Tool } from './tool.ts';
import { abandonLimitMs } from '../session/timing.ts';

/** A call as it comes off the wire. */
export interface CallRequest extends CallOrigin {
  readonly name: string;
  readonly args: unknown;
  /** Aborts when the client cancels, or is gone. */
  readonly signal: AbortSignal;
  readonly progress?: (message: string) => void;
}

export interface DispatchDeps {
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
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly now: () => Date;
  /** Called with what every call answered, redacted. */
  readonly onReport?: (request: CallRequest, report: Report) => void;
}

/** There is no tool of that name: a protocol error, not a tool's. */
export class UnknownToolError extends Error {
  readonly suggestion: string | undefined;

  constructor(name: string, suggestion: string | undefined) {
    super(`Unknown tool: ${cut(name, 100)}`);
    this.name = 'UnknownToolError';
    this.suggestion = suggestion;
  }
}

/** Calls a tool. Every transport, the command line and the library use it. */
export async function dispatch(deps: DispatchDeps, request: CallRequest): Promise<CallResult> {
  const tool = deps.tools.get(request.name) ?? (await deps.later(request.name));
  if (tool === undefined) throw new UnknownToolError(request.name, nearestTool(request.name, deps.listed));
  const started = performance.now();
  const { config } = deps;
  let session: Session | undefined;
  let report: Report;
  let { maxTokens } = config.snapshot;
  let tab: Envelope['tab'];
  try {
    const prepared = tool.prepare(request.args);
    const envelope = readEnvelope(request.args, config.snapshot);
    maxTokens = envelope.maxTokens;
    tab = ownTab(tool, envelope);
    if (tool.scope !== 'driver') session = deps.binding.sessionFor(request, envelope.sessionId);
    report = await runUntilDeadline(deps, request, { tool, prepared, session, envelope });
  } catch (error) {
    report = failureReport(deps, error, request, { tool, session });
  }
  report = { ...report, ...placeOf(deps.store, request, session, tab) };
  if (session !== undefined) deps.store.touch(session);
  const typed = typedIn(deps.store.list(request.driver));
  const shown = fitReport(withoutSecrets(report, deps.secrets, typed), maxTokens, deps.nameOf);
  const result = render(shown, {
    structured: config.structuredContent === 'auto',
    images: config.imageResponses === 'only' ? 'only' : 'with text',
    fence: config.snapshot.fence ? randomBytes(6).toString('hex') : undefined,
  });
  const tokens = tokensOf(result);
  session?.meter(tokens);
  const ms = Math.round(performance.now() - started);
  const total = session?.tokens;
  deps.log.debug('call', { tool: tool.name, ms, code: report.error?.kind, tokens, total });
  deps.onReport?.(request, shown);
  return { ...result, _meta: { 'pagehelm/tokens': tokens } };
}

/** Runs before anything is cut: half of a secret could not be recognised. */
function withoutSecrets(report: Report, secrets: Secrets, typed: readonly string[]): Report {
  const configured = secrets.redactAll(report);
  const all = typed.length === 0 ? configured : mapTexts(configured, (text) => redactParameters(text, typed));
  // Only texts are replaced; the shape of the data stays.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return all as Report;
}

/** Tokens of texts and links; clients count images in different ways. */
function tokensOf({ content }: CallResult): number {
  return content.reduce((sum, item) => {
    if (item.type === 'image') return sum;
    return sum + estimateTokens(item.type === 'text' ? item.text : JSON.stringify(item));
  }, 0);
}

/** The tab named for this call only; some tools have an own argument of that name with another meaning. */
function ownTab(tool: Tool, { tab }: Envelope): Envelope['tab'] {
  return tool.scope === 'driver' || 'tab' in tool.input.shape ? undefined : tab;
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

interface ReadyCall {
  readonly tool: Tool;
  readonly prepared: PreparedCall;
  /** None for a tool with the scope `driver`. */
  readonly session: Session | undefined;
  readonly envelope: Envelope;
}

async function runUntilDeadline(deps: DispatchDeps, request: CallRequest, call: ReadyCall): Promise<Report> {
  const { config, now } = deps;
  const { tool, prepared, session } = call;
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new ToolError('TIMEOUT', { what: tool.name, ms: config.timeouts.call }));
  }, config.timeouts.call);
  const signal = AbortSignal.any([request.signal, deadline.signal]);
  const { snapshotMode } = call.envelope;
  const response = new Response(tool.answer === 'sections' && snapshotMode !== 'none' && !config.snapshot.boxes);
  for (const note of [...prepared.notes, ...call.envelope.notes]) response.note(note);
  const progress = request.progress ?? (() => undefined);
  const sessions = deps.binding.sessionsOf(request);
  const context = {
    response,
    signal,
    settings: config,
    secrets: deps.secrets,
    now,
    progress,
    maxTokens: call.envelope.maxTokens,
    sessions,
    browser: deps.browser,
  };
  try {
    if (session !== undefined) return await runInSession(deps, { ...call, session }, context);
    await raceSignal(prepared.run(context, undefined), signal);
    return await plainReport(response, tool.answer, []);
  } finally {
    clearTimeout(timer);
  }
}

async function runInSession(
  deps: DispatchDeps,
  { tool, prepared, session, envelope }: ReadyCall & { readonly session: Session },
  context: CallContext,
): Promise<Report> {
  const { response, signal, progress } = context;
  const run = async (): Promise<Report> => {
    const before = markBefore(session);
    if (!session.isOpen) progress('Starting the browser');
    const options = {
      settings: deps.config,
      signal,
      now: deps.now,
      envelope,
      form: tool.answer,
      clearedBy: clearedBy(deps),
      redact: (text: string) => deps.secrets.redact(text),
    };
    const work = prepared.run(context, session).then(() => collect(session, response, before, options));
    try {
      // Handlers may wait in a Playwright call that takes no signal.
      return await raceSignal(work, signal);
    } catch (error) {
      // The next call must not overlap with this one.
      if (signal.aborted) await settlesWithin(work, abandonLimitMs);
      signal.throwIfAborted();
      throw toToolError(error, { what: tool.name, ...response.attempted, browserLost: session.isLost });
    }
  };
  return session.exclusive(signal, async () => session.onTab(ownTab(tool, envelope), run));
}

function clearedBy(deps: DispatchDeps): (kind: string) => string | undefined {
  return (kind) => [...deps.tools.values()].find((tool) => tool.clears === kind)?.name ?? deps.nameOf('browser_close');
}

function failureReport(
  { log, nameOf }: DispatchDeps,
  error: unknown,
  request: CallRequest,
  { tool, session }: { readonly tool: Tool; readonly session: Session | undefined },
): Report {
  const known = request.signal.aborted
    ? new ToolError('CANCELLED', { what: request.name })
    : toToolError(error, { what: request.name, browserLost: session?.isLost === true });
  if (known.code === 'INTERNAL_ERROR') log.error('internal error', { tool: request.name, error });
  const view = known.viewFor(nameOf);
  const named = view.kind === 'SESSION_NOT_FOUND' || view.kind === 'SESSION_EXPIRED' ? view.details['session'] : '';
  const id = session?.id ?? (typeof named === 'string' ? named : '');
  const sessionId = id === '' ? {} : { sessionId: id };
  const text = errorText(tool, request.args, view);
  return { error: view, ...text, result: [], code: [], modals: [], events: [], images: [], ...sessionId };
}
