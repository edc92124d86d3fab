import { spawn } from 'node:child_process';
import type { Config } from '../config/schema/schema.ts';
import type { EventBus } from '../events/bus.ts';
import type { Logger } from '../log.ts';
import { Handoffs } from '../session/control/handoffs.ts';
import type { Handoff } from '../session/control/handoffs.ts';

const webhookMs = 10_000;

export function handoffsOf(config: Config, log: Logger, events: EventBus): Handoffs {
  return new Handoffs(handoffDelivery(config, log), ({ id }) => events.emit({ type: 'popups.changed', session: id }));
}

/** Sends each request for a person to the operator's webhook and command. */
function handoffDelivery(
  { handoffWebhook: webhook, handoffCommand: command }: Config,
  log: Logger,
): (handoff: Handoff) => void {
  return (handoff) => {
    const { session, reason, kind, link, until } = handoff;
    const seconds = Math.round((until - performance.now()) / 1000);
    log.info('a person is asked', { session: session.id, kind });
    if (webhook !== undefined) {
      const body = JSON.stringify({ text: `${reason} ${link}`, session: session.name, kind, reason, link, seconds });
      void post(webhook, body).catch((error: unknown) => log.warn('the handoff webhook failed', { error }));
    }
    if (command === undefined) return;
    // The operator's own command; what an agent wrote reaches it as variables only.
    const child = spawn(command, {
      shell: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        PAGEHELM_HANDOFF_LINK: link,
        PAGEHELM_HANDOFF_REASON: reason,
        PAGEHELM_HANDOFF_KIND: kind,
        PAGEHELM_HANDOFF_SESSION: session.name,
      },
    });
    child.on('error', (error) => log.warn('the handoff command failed', { error }));
    child.unref();
  };
}

async function post(url: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(webhookMs) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
}
