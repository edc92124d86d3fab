import { randomBytes } from 'node:crypto';
import { CallGate } from '../call/call-gate.ts';
import { dispatch } from '../call/dispatch.ts';
import type { CallRequest, DispatchDeps } from '../call/dispatch.ts';
import type { CallResult, Report } from '../call/answer/report.ts';
import { SessionLog } from '../call/answer/session-log.ts';
import type { Config } from '../config/schema/schema.ts';
import { shownConfig } from '../config/shown-config.ts';
import type { McpDeps } from '../mcp/server.ts';
import { ActionPolicy } from '../policy/actions.ts';
import { Secrets } from '../policy/secrets.ts';
import type { Workspace } from '../session/files/workspace.ts';
import type { Logger } from '../log.ts';
import type { ToolTable } from './offered-tools.ts';
import { recordInMemory } from './repeated-calls.ts';

export interface Calls extends AsyncDisposable {
  /** With another tool table, only its tools can be called. */
  readonly call: (request: CallRequest, table?: ToolTable, observe?: (report: Report) => void) => Promise<CallResult>;
  /** What the protocol needs to run calls. */
  readonly forProtocol: Pick<McpDeps, 'call' | 'questionKey' | 'asksUsers'>;
}

/** The configured secrets. */
export function secretsOf({ secrets, security }: Pick<Config, 'secrets' | 'security'>): Secrets {
  return new Secrets(secrets, security.secretOrigins);
}

/** What calls need of the configuration. */
export function callDeps(
  config: Config,
  log: Logger,
): Pick<DispatchDeps, 'config' | 'actions' | 'gate' | 'now' | 'shownConfig' | 'record'> {
  return {
    config,
    actions: new ActionPolicy(config.security.actionPolicy),
    gate: new CallGate(config.session.maxCalls),
    now: () => new Date(),
    shownConfig: () => shownConfig(config),
    record: recordInMemory(log),
  };
}

/** Runs calls, and records them with `--save-session`. */
export function callsOf(deps: DispatchDeps, workspace: Workspace, questionKey: Uint8Array = randomBytes(32)): Calls {
  const { config, log, secrets } = deps;
  const redact = (value: unknown): unknown => secrets.redactAll(value);
  // Playwright's tools write a log of their own.
  const isLogged = config.saveSession && config.compat !== 'playwright';
  const sessionLog = isLogged ? new SessionLog({ workspace, log, now: Date.now, redact }) : undefined;
  const call: Calls['call'] = async (request, table, observe) => {
    const onReport = ({ driver, name, args }: CallRequest, report: Report): void => {
      sessionLog?.record({ driver, tool: name, args, report });
      observe?.(report);
    };
    return dispatch({ ...deps, ...table, onReport }, request);
  };
  return {
    call,
    forProtocol: { call, questionKey, asksUsers: deps.actions.asks },
    [Symbol.asyncDispose]: async () => sessionLog?.[Symbol.asyncDispose](),
  };
}
