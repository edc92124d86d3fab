import { toToolError } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import { verbatimError } from './answer/render.ts';
import type { Session } from '../session/session.ts';
import type { Report } from './answer/report.ts';
import type { CallRequest, DispatchDeps } from './dispatch.ts';
import { errorText } from './sentence-error.ts';
import type { Tool } from './tool.ts';

interface FailedCall {
  readonly tool: Tool;
  readonly session: Session | undefined;
  readonly done: readonly string[];
  /** Its id. */
  readonly call: string;
}

/** The answer of a call that has failed, with the steps that were run before. */
export function failureReport(
  { log, nameOf }: Pick<DispatchDeps, 'log' | 'nameOf'>,
  error: unknown,
  request: CallRequest,
  { tool, session, done, call }: FailedCall,
): Report {
  const known = request.signal.aborted
    ? new ToolError('CANCELLED', { what: request.name })
    : toToolError(error, { what: request.name, browserLost: session?.isLost === true });
  if (known.code === 'INTERNAL_ERROR') log.error('internal error', { call, tool: request.name, error });
  const view = { ...known.viewFor(nameOf), call };
  const named = view.kind === 'SESSION_NOT_FOUND' || view.kind === 'SESSION_EXPIRED' ? view.details['session'] : '';
  const id = session?.id ?? (typeof named === 'string' ? named : '');
  const sessionId = id === '' ? {} : { sessionId: id };
  if (tool.answer === 'verbatim') {
    const none = { result: [], code: [], modals: [], events: [], images: [] };
    return { ...none, verbatim: verbatimError(`Error: ${view.message}`) };
  }
  // Without this, an error about the restored page would not say that it is another one.
  const events = request.signal.aborted ? [] : (session?.takeLosses() ?? []);
  const text = errorText(tool, request.args, view);
  // A client gets no answer to a call that it has cancelled, so the next answer tells.
  if (request.signal.aborted && done.length > 0) session?.tell(`${tool.name} was cancelled: ${done.join('; ')}`);
  return { error: view, ...text, result: [...done], code: [], modals: [], events, images: [], ...sessionId };
}
