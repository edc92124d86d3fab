import { dispatch } from '../call/dispatch.ts';
import type { CallRequest, DispatchDeps } from '../call/dispatch.ts';
import type { CallResult } from '../call/report.ts';
import { SessionLog } from '../call/session-log.ts';
import type { Workspace } from '../session/files/workspace.ts';

export interface Calls extends AsyncDisposable {
  readonly call: (request: CallRequest) => Promise<CallResult>;
}

/** Runs calls, and records them with `--save-session`. */
export function callsOf(deps: DispatchDeps, workspace: Workspace): Calls {
  const { config, log, secrets } = deps;
  const redact = (value: unknown): unknown => secrets.redactAll(value);
  const record = config.saveSession ? new SessionLog({ workspace, log, now: Date.now, redact }) : undefined;
  return {
    call: async (request) => {
      const result = await dispatch(deps, request);
      record?.record({ driver: request.driver, tool: request.name, args: request.args, result });
      return result;
    },
    [Symbol.asyncDispose]: async () => record?.[Symbol.asyncDispose](),
  };
}
