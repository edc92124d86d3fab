// @ts-check
// Measures what the dashboard costs and how fast it is, on the built server. Usage: node scripts/dashboard-figures.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { WebSocket } from 'ws';

const root = fileURLToPath(new URL('..', import.meta.url));
const browser = process.env['PAGEHELM_BROWSER'] ?? '/usr/bin/chromium-headless-shell';
const rounds = 8;
const clicksPerRound = 25;
const stallMs = 10_000;

const button = `<body style="margin:0"><button style="width:300px;height:80px" onclick="this.textContent = ++n">0</button><script>n = 0</script>`;
const moving = `<body><div id=d style="position:absolute;width:200px;height:200px;background:teal"></div><script>
  const step = (t) => { d.style.left = t / 5 % 800 + 'px'; requestAnimationFrame(step) }; requestAnimationFrame(step)</script>`;
const page = (/** @type {string} */ html) => `data:text/html,${encodeURIComponent(html)}`;
const median = (/** @type {number[]} */ values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function start(/** @type {string[]} */ flags) {
  const args = ['dist/bin.js', '--port', '0', '--headless', '--isolated', '--api-key', 'figures', ...flags];
  const child = spawn(process.execPath, [...args, '--executable-path', browser], { cwd: root });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (printed += text));
  while (!printed.includes('"mcpServers"')) await once(child.stderr, 'data');
  const origin = /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? '';
  const client = new Client({ name: 'figures', version: '1.0.0' });
  const requestInit = { headers: { authorization: 'Bearer figures' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
  const call = async (/** @type {string} */ name, /** @type {Record<string, unknown>} */ input) =>
    client.callTool({ name, arguments: input });
  await call('browser_navigate', { url: page(button) });
  return {
    origin,
    call,
    end: async () => {
      await client.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** A person with the key, who watches the only session. */
async function watch(/** @type {string} */ origin, { fps = 30, acknowledges = true } = {}) {
  const headers = {
    authorization: 'Bearer figures',
    origin,
    'sec-fetch-site': 'same-origin',
    'x-pagehelm-dashboard': '',
  };
  const entered = await fetch(`${origin}/dashboard/enter`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  });
  const { token } = Object(await entered.json());
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const own = { cookie, origin, 'sec-fetch-site': 'same-origin', 'x-pagehelm-dashboard': token };
  const state = async () => Object(await (await fetch(`${origin}/api/v1/state`, { headers: own })).json());
  const session = (await state()).sessions[0].id;
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/watch`, { headers: { cookie, origin } });
  await once(socket, 'open');
  const viewer = { frames: 0, bytes: 0, age: 0, acknowledges, last: 0, ack: () => undefined };
  /** @type {Map<number, () => void>} */
  const waiting = new Map();
  socket.on('message', (/** @type {Buffer} */ data, isBinary) => {
    if (!isBinary) {
      const message = JSON.parse(data.toString());
      if (message.type === 'done') waiting.get(message.id)?.();
      return;
    }
    viewer.frames++;
    viewer.bytes += data.length - 24;
    viewer.last = data.readUInt32BE(4);
    viewer.age = Date.now() - data.readDoubleBE(8);
    if (viewer.acknowledges) acknowledge();
  });
  const send = (/** @type {object} */ message) => socket.send(JSON.stringify(message));
  const acknowledge = () => send({ type: 'ack', stream: 1, seq: viewer.last });
  send({ type: 'hello', token });
  send({ type: 'watch', stream: 1, session, width: 1280, height: 720, fps });
  const control = async (/** @type {object} */ body) =>
    fetch(`${origin}/api/v1/sessions/${session}/control`, {
      method: 'POST',
      headers: { ...own, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const put = (/** @type {number} */ id, /** @type {object} */ input) =>
    new Promise((resolve) => {
      waiting.set(id, () => resolve(undefined));
      send({ type: 'input', session, id, input });
    });
  return { viewer, acknowledge, control, put, state, close: () => socket.terminate() };
}

async function clicks(/** @type {Awaited<ReturnType<typeof start>>} */ { call }) {
  /** @type {number[]} */
  const times = [];
  for (let count = 0; count < clicksPerRound; count++) {
    const began = performance.now();
    await call('browser_click', { selector: 'button' });
    times.push(performance.now() - began);
  }
  return median(times);
}

const [without, unwatched, watched] = [await start(['--no-dashboard']), await start([]), await start([])];
try {
  const person = await watch(watched.origin);
  for (const server of [without, unwatched, watched]) await clicks(server);
  /** @type {Record<string, number[]>} */
  const ratios = { unwatched: [], watched: [] };
  /** @type {number[]} */
  const base = [];
  for (let round = 0; round < rounds; round++) {
    const plain = await clicks(without);
    base.push(plain);
    ratios['unwatched']?.push((await clicks(unwatched)) / plain);
    ratios['watched']?.push((await clicks(watched)) / plain);
  }
  console.log(`a click: ${median(base).toFixed(2)} ms without the dashboard`);
  for (const [name, values] of Object.entries(ratios)) console.log(`${name}: ${median(values).toFixed(3)} of that`);

  await person.control({ do: 'take' });
  while ((await person.state()).sessions[0].control?.phase !== 'held');
  /** @type {number[]} */
  const behind = [];
  const at = { x: 20, y: 20, modifiers: [] };
  for (let round = 0; round < 10; round++) {
    for (let x = 0; x < 300; x++) void person.put(0, { kind: 'move', ...at, x });
    const began = performance.now();
    await person.put(2 * round + 1, { kind: 'down', ...at, button: 'left', clicks: 1 });
    await person.put(2 * round + 2, { kind: 'up', ...at, button: 'left', clicks: 1 });
    behind.push(performance.now() - began);
    // Messages are limited per second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  console.log(
    `a click behind 300 moves: median ${median(behind).toFixed(1)} ms, most ${Math.max(...behind).toFixed(1)} ms`,
  );
  await person.control({ do: 'give' });

  await watched.call('browser_navigate', { url: page(moving) });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const { frames, bytes } = person.viewer;
  await new Promise((resolve) => setTimeout(resolve, 3000));
  console.log(
    `moving page: ${((person.viewer.frames - frames) / 3).toFixed(1)} frames a second of ${Math.round((person.viewer.bytes - bytes) / Math.max(1, person.viewer.frames - frames) / 1024)} KiB`,
  );
  person.viewer.acknowledges = false;
  const before = (await person.state()).rssBytes;
  await new Promise((resolve) => setTimeout(resolve, stallMs));
  const after = (await person.state()).rssBytes;
  const seen = person.viewer.frames;
  person.acknowledge();
  while (person.viewer.frames === seen) await new Promise((resolve) => setImmediate(resolve));
  console.log(
    `after ${stallMs / 1000} s without a reader: the next frame is ${Math.round(person.viewer.age)} ms old, the server has ${((after - before) / 1024 / 1024).toFixed(1)} MiB more`,
  );
  person.close();
} finally {
  for (const server of [without, unwatched, watched]) await server.end();
}
