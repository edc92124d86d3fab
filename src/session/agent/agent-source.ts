import { randomBytes } from 'node:crypto';

export interface AgentSource {
  /** The page agent, as a JavaScript expression. */
  readonly agent: string;
  /** The script that reports timers to the agent, for the page's main world. */
  readonly timers: string;
}

let loading: Promise<AgentSource> | undefined;

/** Loads the scripts, once. The server starts without them: they are a tenth of its code. */
export async function loadAgentSource(): Promise<AgentSource> {
  loading ??= load();
  return loading;
}

async function load(): Promise<AgentSource> {
  const { source, timerSource } = await import('pagehelm:page-agent');
  // A secret per process, so that pages cannot guess the event names.
  const secret = randomBytes(12).toString('hex');
  const withSecret = (text: string): string => text.replaceAll('pagehelm-timer', secret);
  return { agent: withSecret(source), timers: withSecret(timerSource) };
}
