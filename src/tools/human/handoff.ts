import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import type { CallContext } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { Handoff, HandoffResult } from '../../session/control/handoffs.ts';
import { pause, raceSignal } from '../../util/signals.ts';
import { cut, oneLine } from '../../util/text.ts';

const kinds = ['captcha', 'login', 'payment', 'choice', 'other'] as const;
const longestWait = 300;
/** Below the limit of most clients. */
const usualWait = 50;
const progressMs = 5000;

export const handoff = defineTool({
  name: 'browser_handoff',
  title: 'Ask a person',
  description: 'Ask a person to do a step in the browser (captcha, login, payment), and wait until it is done.',
  capabilities: ['human'],
  effect: 'manage',
  scope: 'driver',
  positional: ['reason'],
  input: {
    reason: z.string().min(1).max(500).optional().describe('What the person is to do'),
    kind: z.enum(kinds).default('other').describe('Kind of step'),
    timeout: z.int().min(10).max(1800).default(600).describe('Seconds until the request ends'),
    ticket: z.string().max(40).optional().describe('Ticket of an earlier request, to wait for it'),
    wait: z.int().min(0).max(longestWait).optional().describe('Seconds to wait for the person'),
  },
  run: async (call) => {
    const { args, sessions, handoffs, links, response } = call;
    // A client that has asked its user repeats the call, with the ticket.
    const ticket = links?.answered?.ticket ?? args.ticket;
    const session = sessions.active();
    const known = ticket === undefined ? undefined : handoffs.get(session.owner, ticket);
    if (ticket !== undefined && known === undefined)
      throw new ToolError('NO_SUCH_HANDOFF', { ticket: cut(oneLine(ticket), 40) });
    if (links?.answered !== undefined && links.answered.action !== 'accept')
      known?.end({ outcome: 'declined', note: '' });
    if (known !== undefined) return answer(call, known, args.wait ?? usualWait);
    const { reason, kind } = args;
    if (reason === undefined) throw new ToolError('MISSING_PARAMETER', noReason);
    const made = handoffs.create(session, { reason, kind, timeoutMs: args.timeout * 1000 });
    if (made === undefined) throw new ToolError('NO_DASHBOARD', {});
    if (links?.canAsk === true) {
      links.ask({ ticket: made.ticket, url: made.link, message: made.reason });
      response.text('The client asks its user.');
      return undefined;
    }
    return answer(call, made, args.wait ?? 0);
  },
});

const noReason = {
  problems: ['Missing argument "reason": what the person is to do.'],
  accepted: ['reason', 'kind', 'timeout', 'ticket', 'wait'],
};

async function answer(
  { response, signal, progress }: CallContext,
  made: Handoff,
  waitSeconds: number,
): Promise<undefined> {
  const result = await resultWithin(made, waitSeconds * 1000, signal, progress);
  const { ticket, reason } = made;
  if (result === undefined) {
    const seconds = Math.max(0, Math.round((made.until - performance.now()) / 1000));
    response.text(`Asked a person: ${JSON.stringify(reason)}. Not done yet; ${seconds} s left.`);
    response.text(`Link for the user (works once): ${made.link}`);
    response.text(`Give the user this link, then wait with ticket ${ticket}.`);
    response.data({ outcome: 'open', ticket, link: made.link, secondsLeft: seconds });
    return undefined;
  }
  const { outcome, note } = result;
  response.text(`The person's answer: ${outcome}${note === '' ? '.' : `, with the note ${JSON.stringify(note)}`}`);
  response.data({ outcome, ticket, ...(note === '' ? {} : { note }) });
  return undefined;
}

async function resultWithin(
  { ended }: Handoff,
  waitMs: number,
  signal: AbortSignal,
  progress: (message: string) => void,
): Promise<HandoffResult | undefined> {
  const end = performance.now() + waitMs;
  for (;;) {
    const left = end - performance.now();
    const stop = new AbortController();
    const late = pause(Math.min(Math.max(0, left), progressMs), stop.signal).then(() => undefined);
    const result = await raceSignal(Promise.race([ended, late]), signal);
    stop.abort();
    if (result !== undefined || left <= progressMs) return result;
    progress('Waiting for a person');
  }
}
