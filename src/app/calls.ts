import { dispatch } from '../call/dispatch.ts';
import type { CallRequest, DispatchDeps } from '../call/dispatch.ts';
import type { CallResult, Report } from '../call/report.ts';
import { SessionLog } from '../call/session-log.ts';
import type { Workspace } from '../session/files/workspace.ts';

export interface Calls extends AsyncDisposable {
  readonly call: (request: CallRequest) => Promise<CallResult>;
}

/** Runs calls, and records them with `--save-session`. */
export function callsOf(deps: DispatchDeps, workspace: Workspace): Calls {
  const { config, log, secrets } = deps;
  const redact = (value: unknown): unknown => secrets.redactAll(value);
  const sessionLog = config.saveSession ? new SessionLog({ workspace, log, now: Date.now, redact }) : undefined;
  const onReport = ({ driver, name: tool, args }: CallRequest, report: Report): void =>
    sessionLog?.record({ driver, tool, args, report });
  return {
    call: async (request) => dispatch({ ...deps, onReport }, request),
    [Symbol.asyncDispose]: async () => sessionLog?.[Symbol.asyncDispose](),
  };
}
