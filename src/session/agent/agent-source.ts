import { randomBytes } from 'node:crypto';
import { source, timerSource } from 'pagehelm:page-agent';

/** Names that no page can guess, new in every process. */
const secret = randomBytes(12).toString('hex');

function withSecret(text: string): string {
  return text.replaceAll('pagehelm-timer', secret);
}

/** The page agent, as the text of an expression. */
export const agentSource: string = withSecret(source);

/** What tells the agent of timers, from the page's own world. */
export const timerScript: string = withSecret(timerSource);
