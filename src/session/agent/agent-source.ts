import { randomBytes } from 'node:crypto';
import { source, timerSource } from 'pagehelm:page-agent';

/** A secret per process, so that pages cannot guess the event names. */
const secret = randomBytes(12).toString('hex');

function withSecret(text: string): string {
  return text.replaceAll('pagehelm-timer', secret);
}

/** The page agent, as a JavaScript expression. */
export const agentSource: string = withSecret(source);

/** The script that reports timers to the agent, for the page's main world. */
export const timerScript: string = withSecret(timerSource);
