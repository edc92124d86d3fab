import { dispatch } from '../call/dispatch.ts';
import type { CallRequest, DispatchDeps } from '../call/dispatch.ts';
import type { CallResult, Report } from '../call/answer/report.ts';
import { SessionLog } from '../call/answer/session-log.ts';
import type { Workspace } from '../session/files/workspace.ts';
import { Counters } from '../util/counters.ts';
import type { ToolTable } from './offered-tools.ts';

export interface Calls extends AsyncDisposable {
  /** With another tool table, only its tools can be called. */
  readonly call: (request: CallRequest, table?: ToolTable) => Promise<CallResult>;
  /** Counts of calls, in the text format of Prometheus. */
  readonly metrics: () => readonly string[];
}

/** Runs and counts calls, and records them with `--save-session`. */
export function callsOf(deps: DispatchDeps, workspace: Workspace): Calls {
  const { config, log, secrets } = deps;
  const redact = (value: unknown): unknown => secrets.redactAll(value);
  const sessionLog = config.saveSession ? new SessionLog({ workspace, log, now: Date.now, redact }) : undefined;
  const onReport = ({ driver, name: tool, args }: CallRequest, report: Report): void =>
    sessionLog?.record({ driver, tool, args, report });
  const counters = new Counters();
  return {
    call: async (request, table) => {
      const started = performance.now();
      const result = await dispatch({ ...deps, ...table, onReport }, request);
      const tool = { tool: request.name };
      counters.add('pagehelm_calls_total', { ...tool, outcome: result.isError === true ? 'error' : 'ok' });
      counters.add('pagehelm_call_seconds_total', tool, (performance.now() - started) / 1000);
      return result;
    },
    metrics: () => counters.lines(),
    [Symbol.asyncDispose]: async () => sessionLog?.[Symbol.asyncDispose](),
  };
}
