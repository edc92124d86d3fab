import { randomBytes } from 'node:crypto';

export interface AgentSource {
  /** The page agent, as a JavaScript expression. */
  readonly agent: string;
  /** The script for the page's main world: it reports timers to the agent. */
  readonly world: string;
  /** The same, which also limits the console. */
  readonly worldWithLimits: string;
}

let loading: Promise<AgentSource> | undefined;

/** Loads the scripts, once. The server starts without them: they are a tenth of its code. */
export async function loadAgentSource(): Promise<AgentSource> {
  loading ??= load();
  return loading;
}

async function load(): Promise<AgentSource> {
  const { source, worldSource } = await import('pagehelm:page-agent');
  // A secret per process, so that pages cannot guess the event names.
  const secret = randomBytes(12).toString('hex');
  const withSecret = (text: string): string => text.replaceAll('pagehelm-timer', secret);
  const world = (limitsConsole: boolean): string =>
    withSecret(`${worldSource}('pagehelm-timer-question','pagehelm-timer-answer',${limitsConsole})`);
  return { agent: withSecret(source), world: world(false), worldWithLimits: world(true) };
}
