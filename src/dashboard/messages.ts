import * as z from 'zod';

const size = z.int().min(16).max(4096);
const stream = z.int().min(0).max(65_535);
const session = z.string().max(100);
const coordinate = z.number().min(-1000).max(20_000);
const modifiers = z.array(z.enum(['Alt', 'Control', 'Meta', 'Shift'])).max(4);
const at = { x: coordinate, y: coordinate, modifiers };
const text = z.string().max(20_000);
const turn = z.number().min(-10_000).max(10_000);
const button = z.enum(['left', 'middle', 'right']);
const clicks = z.int().min(1).max(3);
const key = z.string().min(1).max(40);

const inputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('move'), ...at }),
  z.strictObject({ kind: z.enum(['down', 'up']), ...at, button, clicks }),
  z.strictObject({ kind: z.literal('wheel'), ...at, dx: turn, dy: turn }),
  z.strictObject({ kind: z.enum(['keydown', 'keyup']), key, modifiers }),
  z.strictObject({ kind: z.literal('text'), text }),
  z.strictObject({ kind: z.literal('paste'), text }),
  z.strictObject({ kind: z.enum(['copy', 'cut']) }),
  z.strictObject({
    kind: z.literal('answer'),
    popup: z.int().min(1),
    options: z.array(z.int().min(0).max(2000)).max(2000).optional(),
    value: z.string().max(2000).optional(),
    accept: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('navigate'), url: z.string().min(1).max(8000) }),
  z.strictObject({ kind: z.literal('go'), to: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ kind: z.literal('tab'), tab: z.string().max(20) }),
]);

/** Messages of the page on the WebSocket. Anything else ends the connection. */
export const messageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), token: z.string().max(200) }),
  z.strictObject({
    type: z.literal('watch'),
    stream,
    session,
    width: size,
    height: size,
    fps: z.number().min(0.1).max(60),
  }),
  z.strictObject({ type: z.literal('unwatch'), stream }),
  z.strictObject({ type: z.literal('ack'), stream, seq: z.int().min(0) }),
  z.strictObject({ type: z.literal('input'), session, id: z.int().min(0), input: inputSchema }),
]);

export type ViewerMessage = z.output<typeof messageSchema>;
