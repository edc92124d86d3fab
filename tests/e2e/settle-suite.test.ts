import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { evaluate, expect, never, refOf, slowly, test, testWith } from '../fixtures.ts';
import type { Site, TestApp } from '../fixtures.ts';

/** With these limits a blocked click would take 20 s. */
const testPatient = testWith(['--timeout-settle=20000', '--timeout-load=20000']);

const kinds = ['timer', 'fetch', 'chain', 'navigation', 'push'] as const;
const delaysMs = [0, 50, 100, 200, 300, 500, 1000, 1500, 2000] as const;
type Kind = (typeof kinds)[number];

/** Does not occur in any URL or page before the effect. */
const effect = 'EFFECT';
const show = "out.textContent = 'EFF' + 'ECT'";

function script(kind: Kind, ms: number): string {
  switch (kind) {
    case 'timer':
      return `setTimeout(() => { ${show} }, ${ms})`;
    case 'fetch':
      return `fetch('/api/${ms}').then((answer) => answer.text()).then(() => { ${show} })`;
    case 'chain':
      return `fetch('/api/${ms / 2}').then((answer) => answer.text()).then(() => fetch('/api/${ms / 2}?second'))
        .then((answer) => answer.text()).then(() => { ${show} })`;
    case 'navigation':
      return `setTimeout(() => { location.href = '/next/${ms / 2}' }, ${ms / 2})`;
    case 'push':
      return `setTimeout(() => { history.pushState(1, '', '/pushed'); ${show} }, ${ms})`;
  }
}

function serve(site: Site): void {
  for (const ms of delaysMs) {
    for (const part of [ms, ms / 2]) {
      site.set(`/api/${part}`, slowly(part, 'done', 'text/plain'));
      site.set(`/next/${part}`, slowly(part, `<h1>${effect}</h1>`));
    }
    for (const kind of kinds) {
      site.set(
        `/${kind}/${ms}`,
        `<button onclick="${script(kind, ms).replaceAll('"', '&quot;')}">Go</button><p id="out">nothing yet</p>`,
      );
    }
  }
}

/** The pages of one kind run in order; the kinds run in parallel, each in its own session. */
async function missed(server: TestApp, site: Site, kind: Kind): Promise<readonly string[]> {
  await using driver = await server.drive();
  const misses: string[] = [];
  for (const ms of delaysMs) {
    const shown = await driver.call('browser_navigate', { url: site.url(`/${kind}/${ms}`) });
    const answer = await driver.call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
    if (!answer.text.includes(effect)) misses.push(`${kind} after ${ms} ms: ${answer.text}`);
  }
  return misses;
}

test('[C5-2, S2-08, S2-10] effects after 0 to 2,000 ms by timer, fetch, chain, navigation and push are in the answer', async ({
  site,
  server,
}) => {
  serve(site);
  const misses = await Promise.all(kinds.map((kind) => missed(server, site, kind)));
  expect(misses.flat()).toEqual([]);
});

/** What a page does all the time. Each counts its ticks without a request, except where the request is the point. */
const busyPages = {
  'a fetch every 100 ms': "setInterval(() => { tick(); fetch('/data') }, 100)",
  'a chain of timers': '(function again() { tick(); setTimeout(again, 50) })()',
  'an interval that writes to the page': 'setInterval(() => { tick(); out.textContent = ticks }, 100)',
  'a request that is never answered': "fetch('/never'); setInterval(tick, 100)",
  'a poll that a timer repeats': "(function again() { tick(); fetch('/data').then(() => setTimeout(again, 150)) })()",
  'a socket': 'new WebSocket(socket).onmessage = ({ data }) => { tick(); out.textContent = data }',
  'an animation': "(function again(at) { tick(); out.style.left = at + 'px'; requestAnimationFrame(again) })(0)",
} as const;

/** Far below the limit that a blocked click would wait for, and far above the time of a click on a busy machine. */
const blockedMs = 5000;

for (const [what, work] of Object.entries(busyPages)) {
  testPatient(`[C5-2] ${what} does not block an unrelated click`, async ({ site, call }) => {
    await using socket = await chattySocket();
    site.set('/data', 'ok');
    site.set('/never', never);
    site.set(
      '/',
      `<button onclick="document.title = 'clicked'; clickedAt = ticks">Go</button>
       <p id="out" style="position: absolute"></p>
       <script>let ticks = 0; let clickedAt; const tick = () => { ticks++ }; const socket = '${socket.url}';
         onload = () => setTimeout(() => { ${work} }, 2500)</script>`,
    );
    const shown = await call('browser_navigate', { url: site.url('/') });
    // Long enough after the navigation that the page's requests are its own.
    await call('browser_evaluate', {
      function: 'async () => { while (ticks < 15) await new Promise((resolve) => setTimeout(resolve, 50)) }',
    });
    const started = performance.now();
    const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
    expect(performance.now() - started, 'the click was blocked').toBeLessThan(blockedMs);
    expect(answer.page).toContain('Page Title: clicked');
    expect(answer.section('Result')).not.toContain('Still waiting');
    // The page is still busy: the click did not outlast its work.
    const clickedAt = Number(await evaluate(call, 'clickedAt'));
    await expect.poll(async () => Number(await evaluate(call, 'ticks'))).toBeGreaterThan(clickedAt);
  });
}

/** A WebSocket server that says "hi" every 100 ms. */
async function chattySocket(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer().on('upgrade', (request, stream) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    stream.write(
      `HTTP/1.1 101 Hello\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const timer = setInterval(() => stream.write(Buffer.from([0x81, 2, 0x68, 0x69])), 100);
    stream.on('error', () => undefined).on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the socket has no port');
  return {
    url: `ws://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
