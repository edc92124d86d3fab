import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { RunningCalls } from '../call/running-calls.ts';
import type { Handoffs } from '../session/control/handoffs.ts';
import type { Session } from '../session/session.ts';
import type { Refusal } from '../transport/access/guard.ts';
import { readBytes, readJson } from '../transport/http/body.ts';
import type { Visitor } from './access.ts';

const maxBody = 16 * 1024;
/** A file of the person, for a file field. */
const maxFile = 32 * 1024 * 1024;
const maxFiles = 20;

const changeSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('take'), force: z.boolean().optional(), isPrivate: z.boolean().optional() }),
  z.strictObject({ do: z.literal('give'), note: z.string().max(2000).optional(), failed: z.boolean().optional() }),
  z.strictObject({ do: z.literal('decline'), note: z.string().max(2000).optional() }),
  z.strictObject({ do: z.literal('extend') }),
  z.strictObject({ do: z.literal('revoke') }),
]);

const side = z.number().min(0).max(20_000);
const markSchema = z.strictObject({ x: side, y: side, width: side, height: side, text: z.string().min(1).max(500) });
const annotateMs = 60_000;

const fileSchema = z.object({
  popup: z.coerce.number().int().min(1),
  name: z.string().min(1).max(255),
  type: z.string().max(100).default(''),
  /** Further files follow. */
  more: z.literal('1').optional(),
});

interface ControlRequest {
  readonly request: IncomingMessage;
  readonly session: Session;
  readonly visitor: Visitor;
  readonly running: RunningCalls;
  readonly handoffs: Handoffs;
}

const notHeld: Refusal = { status: 409, message: 'You do not have control of this session.' };

/** Takes control of a session, gives it back, or uploads a file to the chooser that is open in it. */
export async function changeControl(
  from: ControlRequest,
  what: 'control' | 'files' | 'annotate',
): Promise<Refusal | undefined> {
  if (what === 'annotate') return mark(from);
  return what === 'files' ? upload(from) : change(from);
}

async function mark({ request, session }: ControlRequest): Promise<Refusal | undefined> {
  const body = await readJson(request, maxBody);
  if ('refusal' in body) return body.refusal;
  const parsed = markSchema.safeParse(body.value);
  if (!parsed.success) return { status: 400, message: 'The note is not valid.' };
  try {
    await session.person.annotations.add(parsed.data, AbortSignal.timeout(annotateMs));
    return undefined;
  } catch {
    return { status: 409, message: 'The page could not be read.' };
  }
}

async function change({ request, session, visitor, running, handoffs }: ControlRequest): Promise<Refusal | undefined> {
  const body = await readJson(request, maxBody);
  if ('refusal' in body) return body.refusal;
  const parsed = changeSchema.safeParse(body.value);
  if (!parsed.success) return { status: 400, message: 'The change is not valid.' };
  const { data } = parsed;
  const { control } = session.person;
  const { id } = visitor.person;
  if (data.do === 'take') {
    const isTaken = control.take(visitor.person, data.isPrivate ?? true);
    if (!isTaken) return { status: 409, message: `${control.state?.person.name ?? 'Another person'} has control.` };
    if (data.force === true && !control.isHeldBy(id)) running.interrupt(session.id);
    return undefined;
  }
  if (data.do === 'revoke') {
    if (visitor.scope !== 'admin') return { status: 403, message: 'Only an operator may take control back.' };
    return (await control.revoke()) ? undefined : notHeld;
  }
  const asked = handoffs.in(session);
  if (data.do === 'decline') {
    asked?.end({ outcome: 'declined', note: data.note ?? '' });
    return asked === undefined ? { status: 409, message: 'Nobody is asked in this session.' } : undefined;
  }
  const wasHeld = control.isHeldBy(id);
  const isDone = data.do === 'give' ? await control.give(id, data.note) : control.extend(id);
  if (isDone && data.do === 'give' && wasHeld)
    asked?.end({ outcome: data.failed === true ? 'failed' : 'done', note: data.note ?? '' });
  return isDone ? undefined : notHeld;
}

async function upload({ request, session, visitor }: ControlRequest): Promise<Refusal | undefined> {
  const { control, hands } = session.person;
  if (!control.isHeldBy(visitor.person.id)) return notHeld;
  const query = Object.fromEntries(new URLSearchParams(request.url?.split('?')[1]));
  const file = fileSchema.safeParse(query);
  if (!file.success) return { status: 400, message: 'The file has no valid name.' };
  const buffer = await readBytes(request, maxFile);
  if (buffer === undefined)
    return { status: 413, message: `A file may have at most ${maxFile} bytes.`, headers: { Connection: 'close' } };
  const { popup, name, type, more } = file.data;
  const mimeType = /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
  // Control may have ended while the file arrived.
  if (!control.isHeldBy(visitor.person.id)) return notHeld;
  const isDone = await hands.popups.add(popup, { name: plainName(name), mimeType, buffer }, more === '1', maxFiles);
  return isDone ? undefined : { status: 409, message: 'The file chooser is no longer open, or has too many files.' };
}

/** The name alone: a path of the person is of no use to the page. */
function plainName(name: string): string {
  return name.replaceAll(/[\\/\0]/g, '_');
}
