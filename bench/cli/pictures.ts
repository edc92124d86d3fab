import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import * as z from 'zod';
import type { CommandUser, ContestantName } from './contestants.ts';

/** Changes its color now and then, and is otherwise at rest: a frame that arrives shows the last change. */
export const blinkingPage = `<title>Blinking</title><body style="margin:0"><h1>Blinking</h1><p>${'Some text. '.repeat(200)}</p>
<script>let count = 0; setInterval(() => {
  navigator.sendBeacon('/changed' + location.search + '&at=' + Date.now()); document.body.style.background = ++count % 2 ? 'teal' : 'silver';
}, 400)</script>`;

export interface Frame {
  readonly at: number;
  /** Of the message. */
  readonly bytes: number;
}

export interface Viewer extends AsyncDisposable {
  readonly frames: Frame[];
}

/** Watches the page that a user has open, as the page of each program's dashboard does. */
export async function watch(user: CommandUser): Promise<Viewer> {
  return viewers[user.contestant.name](user);
}

const viewers: Readonly<Record<ContestantName, (user: CommandUser) => Promise<Viewer>>> = {
  pagehelm: watchOurs,
  'playwright-cli': watchPlaywright,
  'agent-browser': watchAgentBrowser,
};

async function watchOurs(user: CommandUser): Promise<Viewer> {
  const link = new URL(/http:\S+/.exec((await user.run(['dashboard'])).text)?.[0] ?? '');
  const own = { origin: link.origin, 'sec-fetch-site': 'same-origin' };
  const entered = await fetch(new URL('/dashboard/enter', link), {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json', 'x-pagehelm-dashboard': '' },
    body: JSON.stringify({ ticket: new URLSearchParams(link.hash.slice(1)).get('ticket') }),
  });
  const { token } = z.object({ token: z.string() }).parse(await entered.json());
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const headers = { ...own, cookie, 'x-pagehelm-dashboard': token };
  const state = await fetch(new URL('/api/v1/state', link), { headers });
  const { sessions } = z.object({ sessions: z.array(z.object({ id: z.string() })) }).parse(await state.json());
  const socket = new WebSocket(`ws://${link.host}/api/v1/watch`, { headers: { cookie, origin: link.origin } });
  const send = (message: object): void => socket.send(JSON.stringify(message));
  const frames: Frame[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return;
    frames.push({ at: Date.now(), bytes: data.length });
    send({ type: 'ack', stream: 1, seq: data.readUInt32BE(4) });
  });
  await once(socket, 'open');
  send({ type: 'hello', token });
  send({ type: 'watch', stream: 1, session: sessions[0]?.id, width: 1280, height: 720, fps: 30 });
  return viewer(socket, frames);
}

const playwrightTabs = z.object({
  method: z.literal('tabs'),
  params: z.object({ tabs: z.array(z.looseObject({ browser: z.string(), context: z.string(), page: z.string() })) }),
});

async function watchPlaywright(user: CommandUser): Promise<Viewer> {
  const [file = '', ...args] = user.contestant.program;
  const server = spawn(file, [...args, 'show', '--port', '0'], { cwd: user.tree, env: user.env });
  let printed = '';
  while (!/http:\S+/.test(printed)) printed += String((await once(server.stdout, 'data'))[0]);
  const origin = new URL(/http:\S+/.exec(printed)?.[0] ?? '');
  const redirect = await fetch(origin, { redirect: 'manual' });
  const path = new URL(redirect.headers.get('location') ?? '', origin).searchParams.get('ws');
  const socket = new WebSocket(`ws://${origin.host}/${path}`);
  const frames: Frame[] = [];
  let isAttached = false;
  socket.on('message', (data: Buffer) => {
    const message: unknown = JSON.parse(data.toString());
    if (z.looseObject({ method: z.literal('frame') }).safeParse(message).success)
      frames.push({ at: Date.now(), bytes: data.length });
    const tab = playwrightTabs.safeParse(message).data?.params.tabs[0];
    if (tab === undefined || isAttached) return;
    isAttached = true;
    socket.send(JSON.stringify({ id: 1, method: 'selectTab', params: tab }));
  });
  await once(socket, 'open');
  return viewer(socket, frames, () => void server.kill('SIGTERM'));
}

async function watchAgentBrowser(user: CommandUser): Promise<Viewer> {
  const { text } = await user.run(['stream', 'status', '--json']);
  const port = /"port":\s*(\d+)/.exec(text)?.[1];
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?pacing=ack`);
  const frames: Frame[] = [];
  socket.on('message', (data: Buffer) => {
    const { type, seq } = z
      .looseObject({ type: z.string(), seq: z.number().optional() })
      .parse(JSON.parse(data.toString()));
    if (type !== 'frame') return;
    frames.push({ at: Date.now(), bytes: data.length });
    socket.send(JSON.stringify({ type: 'ack', seq }));
  });
  await once(socket, 'open');
  return viewer(socket, frames);
}

async function viewer(socket: WebSocket, frames: Frame[], end: () => void = () => undefined): Promise<Viewer> {
  const deadline = Date.now() + 15_000;
  while (frames.length === 0 && Date.now() < deadline) await pause(50);
  return {
    frames,
    [Symbol.asyncDispose]: async () => {
      socket.terminate();
      end();
    },
  };
}

/** From each change of the page to the first frame after it; changes without a frame before the next one are left out. */
export function delays(changes: readonly number[], frames: readonly Frame[]): readonly number[] {
  return changes.flatMap((change, place) => {
    const next = changes[place + 1] ?? Number.POSITIVE_INFINITY;
    const frame = frames.find(({ at }) => at >= change && at < next);
    return frame === undefined ? [] : [frame.at - change];
  });
}
