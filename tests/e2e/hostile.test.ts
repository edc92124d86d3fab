import type { ServerResponse } from 'node:http';
import { expect, open, refOf, test } from '../fixtures.ts';
import type { Call, Site } from '../fixtures.ts';
import { launch } from '../page/harness.ts';

/** Checks that the page is shown, its button can be clicked, and the effect is reported. */
async function expectWorks(site: Site, call: Call, script: string): Promise<void> {
  const shown = await open(
    site,
    call,
    `<script>${script}</script><h1>Works</h1><label>Name <input></label><button id="go">Go</button><p id="out">before</p>
     <script>go.onclick = () => { out.textContent = 'after' }</script>`,
  );
  expect(shown.isError, shown.text).toBe(false);
  expect(shown.section('Snapshot')).toContain('- heading "Works" [level=1]');
  const clicked = await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
  expect(clicked.isError, clicked.text).toBe(false);
  expect(clicked.section('Snapshot')).toContain('after');
  const typed = await call('browser_type', { ref: refOf(shown.text, 'textbox', 'Name'), text: 'Ada' });
  expect(typed.isError, typed.text).toBe(false);
  expect((await call('browser_snapshot')).section('Snapshot')).toMatch(/textbox "Name" .*: Ada$/m);
  // A selector uses Playwright's actions, not the fast path.
  const again = await call('browser_type', { selector: 'input', text: 'Eve' });
  expect(again.isError, again.text).toBe(false);
  expect((await call('browser_snapshot')).section('Snapshot')).toMatch(/textbox "Name" .*: Eve$/m);
}

const fail = "() => { throw new Error('patched') }";

for (const [what, script] of [
  [
    'Array.prototype.map and similar methods',
    ['map', 'filter', 'push', 'join', 'slice', 'flatMap'].map((name) => `Array.prototype.${name} = ${fail};`).join(''),
  ],
  [
    'Element.prototype',
    `Element.prototype.getAttribute = ${fail}; Element.prototype.matches = ${fail}; Element.prototype.getBoundingClientRect = ${fail};`,
  ],
  ['JSON', `JSON.stringify = ${fail}; JSON.parse = ${fail};`],
  [
    'Map and Set',
    `Map.prototype.set = ${fail}; Map.prototype.get = ${fail}; Map.prototype.delete = ${fail}; Set.prototype.add = ${fail};`,
  ],
  [
    'Function.prototype',
    `Function.prototype.call = ${fail}; Function.prototype.apply = ${fail}; Function.prototype.bind = ${fail};`,
  ],
  [
    'iterators',
    `Array.prototype[Symbol.iterator] = ${fail}; Map.prototype[Symbol.iterator] = ${fail}; Map.prototype.values = ${fail};`,
  ],
  [
    'timers',
    `window.setTimeout = ${fail}; window.clearTimeout = ${fail}; window.setInterval = ${fail}; window.requestAnimationFrame = ${fail};`,
  ],
  [
    'events',
    `EventTarget.prototype.dispatchEvent = ${fail}; EventTarget.prototype.addEventListener = ${fail}; window.CustomEvent = ${fail}; window.Event = ${fail};`,
  ],
  [
    'clocks',
    `performance.now = ${fail}; Date.now = ${fail}; Math.random = ${fail}; window.MutationObserver = ${fail};`,
  ],
  [
    'the document',
    `Document.prototype.querySelector = ${fail}; Document.prototype.querySelectorAll = ${fail}; Document.prototype.createElement = ${fail}; window.getComputedStyle = ${fail};`,
  ],
  [
    'getters of elements',
    `for (const name of ['nodeType', 'firstChild', 'parentNode', 'nextSibling', 'childNodes', 'isConnected', 'ownerDocument']) Object.defineProperty(Node.prototype, name, { get: ${fail} });`,
  ],
] as const) {
  test(`a page that patches ${what} can still be read and acted on`, async ({ site, call }) => {
    await expectWorks(site, call, script);
  });
}

test('a page that replaces CustomEvent, Map and Set gets no console errors from the server', async ({ site, call }) => {
  await expectWorks(site, call, `window.CustomEvent = ${fail}; window.Map = ${fail}; window.Set = ${fail};`);
  expect((await call('browser_console_messages')).section('Result')).toBe('No console messages.');
});

test('a page that stops all event propagation can be read and acted on', async ({ site, call }) => {
  const stop = `for (const type of ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'input', 'change', 'focus', 'keydown', 'toggle', 'invalid'])
    addEventListener(type, (event) => { event.stopImmediatePropagation(); if (type === 'click') out.textContent = 'after'; }, true);`;
  await expectWorks(site, call, stop);
});

test('elements with throwing getters and throwing custom elements are shown as far as possible', async ({
  site,
  call,
}) => {
  const shown = await open(
    site,
    call,
    `<form><input name="childNodes" aria-label="A"><input name="getAttribute" aria-label="B"><input name="attributes" aria-label="C"><input name="parentNode"></form>
     <x-broken>Inside</x-broken><button id="b">After</button><script>
     for (const name of ['innerText', 'textContent', 'tagName', 'id', 'className', 'style', 'shadowRoot', 'labels', 'title'])
       Object.defineProperty(b, name, { get() { throw new Error('own getter') } });
     customElements.define('x-broken', class extends HTMLElement { constructor() { super(); throw new Error('constructor') }
       get textContent() { throw new Error('text') } });</script>`,
  );
  expect(shown.isError).toBe(false);
  for (const name of ['A', 'B', 'C']) expect(refOf(shown.text, 'textbox', name)).toMatch(/^e\d+$/);
  expect(shown.section('Snapshot')).toContain('Inside');
  expect((await call('browser_click', { ref: refOf(shown.text, 'button', 'After') })).isError).toBe(false);
});

test('a content security policy that forbids everything does not affect the agent', async ({ site, call }) => {
  site.set('/csp', (_request, response) => {
    response.setHeader('content-security-policy', "default-src 'none'; sandbox");
    response.setHeader('content-type', 'text/html').end('<h1>Locked</h1><label>Name <input></label>');
  });
  const shown = await call('browser_navigate', { url: site.url('/csp') });
  await call('browser_type', { ref: refOf(shown.text, 'textbox', 'Name'), text: 'Ada' });
  expect((await call('browser_snapshot')).section('Snapshot')).toContain('Ada');
});

/** Nested by script: the parser stops at 512 levels. */
const deep = (levels: number): string =>
  `<button>Top</button><div id="root"></div><script>let at = root;
   for (let i = 0; i < ${levels}; i++) { const next = document.createElement('div'); at.append(next); at = next }
   at.innerHTML = '<button>Bottom</button>'</script>`;

test('a tree of 2,000 levels gets a truncated answer that says so', async ({ site, call }) => {
  const shown = await open(site, call, deep(2000));
  expect(shown.section('Snapshot')).toContain('(elements nested too deep were not read)');
  expect((await call('browser_click', { ref: refOf(shown.text, 'button', 'Top') })).isError).toBe(false);
});

test('a page of 500,000 nodes gets a truncated answer that says so', async ({ site, call }) => {
  const shown = await open(
    site,
    call,
    `<button>First</button><main></main><script>document.querySelector('main').innerHTML = '<p>a<b>c</b></p>'.repeat(125_000)</script>`,
  );
  expect(shown.isError, shown.text).toBe(false);
  expect(shown.section('Snapshot')).toMatch(
    /only the first part of this large page was read|reading this large page was cut short/,
  );
  const clicked = await call('browser_click', { ref: refOf(shown.text, 'button', 'First') });
  expect(clicked.isError, clicked.text).toBe(false);
});

test('a page that changes continuously can be read and acted on', async ({ site, call }) => {
  const storm = `addEventListener('load', () => { const box = document.createElement('div'); document.body.append(box);
    (function again() { for (let i = 0; i < 500; i++) box.innerHTML = '<b>' + i + '</b>'; new MessageChannel().port1; setTimeout(again) })(); });`;
  await expectWorks(site, call, storm);
});

test.for(['file:///x', 'chrome://x'])(
  '[C5-7] a frame at %s, in which no script runs, is one line and does not block calls',
  async (src, { site, call }) => {
    const started = performance.now();
    const shown = await open(
      site,
      call,
      `<button onclick="document.title = 'clicked'">Go</button><iframe src="${src}"></iframe>`,
    );
    expect(shown.section('Snapshot')).toMatch(/- iframe \[ref=e\d+\]:\n {2}- text: \(this frame cannot be read now\)/);
    const clicked = await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
    expect(clicked.page).toContain('Page Title: clicked');
    const found = await call('browser_find', { target: 'button' });
    expect(found.isError, found.text).toBe(false);
    // Each of these calls took a minute.
    expect(performance.now() - started).toBeLessThan(20_000);
  },
);

test('a page cannot detect the agent: no globals, no attributes, native functions', async ({ site, call }) => {
  const look = `() => JSON.stringify({
    names: Object.getOwnPropertyNames(window).sort(),
    documentNames: Object.getOwnPropertyNames(document).sort(),
    html: document.documentElement.outerHTML,
    natives: [setTimeout, setInterval, clearTimeout, requestAnimationFrame, cancelAnimationFrame, addEventListener].map((it) => String(it).includes('[native code]')),
    shapes: [setTimeout, setInterval, clearTimeout, requestAnimationFrame, cancelAnimationFrame].map((it) => [it.name, it.length, 'prototype' in it, typeof it]),
  })`;
  const shown = await open(site, call, '<title>T</title><button>Go</button><input aria-label="Name">');
  const go = refOf(shown.text, 'button', 'Go');
  await call('browser_click', { ref: go });
  await call('browser_snapshot', { allRefs: true, boxes: true });
  await call('browser_snapshot', { ref: go });
  await call('browser_evaluate', { ref: go, function: '(element) => element.textContent' });
  await call('browser_scroll_into_view', { ref: go });
  const ours: unknown = JSON.parse(String((await call('browser_evaluate', { function: look })).section('Result')));
  await using browser = await launch();
  const page = await browser.newPage();
  await page.goto(site.url('/'));
  expect(ours).toEqual(JSON.parse(await page.evaluate(`(${look})()`)));
});

test('an endless script fails one screenshot, and the next one works', async ({ site, call }) => {
  let start = (): void => undefined;
  site.set('/start', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
    start = () => void response.write('data: now\n\n');
  });
  const spinning = new Promise((resolve) => {
    site.set('/spinning', (_request, response) => resolve(response.end()));
  });
  const script = `new EventSource('/start').onmessage = () => { navigator.sendBeacon('/spinning'); for (;;); };`;
  await open(site, call, `<title>Spins</title><p>Text</p><script>${script}</script>`);
  start();
  await spinning;
  const answer = await call('browser_take_screenshot', { timeout: 1000 });
  expect(answer.section('Error')?.split('\n')[0]).toBe('[TIMEOUT] The screenshot did not finish within 1000ms.');
  expect((await call('browser_take_screenshot')).isError).toBe(false);
});

test('a page whose frames come and go can be acted on and read', { timeout: 20_000 }, async ({ site, call }) => {
  await open(
    site,
    call,
    `<button id="go">Go</button><p id="out">before</p><div id="box"></div><script>
      go.onclick = () => { out.textContent = 'after' };
      setInterval(() => { box.innerHTML = '<iframe></iframe>'.repeat(5) }, 5)
    </script>`,
  );
  // Each frame of the snapshot is removed before it is asked.
  const clicked = await call('browser_click', { selector: '#go' });
  expect(clicked.isError, clicked.text).toBe(false);
  expect((await call('browser_snapshot')).section('Snapshot')).toContain('after');
});

test('a page with requests that are never answered can be left for another one of its host', async ({ site, call }) => {
  site.set('/next', '<h1>Next page</h1>');
  site.set('/never', () => undefined);
  await open(site, call, `<script>for (let i = 0; i < 50; i++) fetch('/never?' + i)</script>`);
  const left = await call('browser_navigate', { url: site.url('/next'), timeout: 5000 });
  expect(left.isError, left.text).toBe(false);
  expect(left.section('Snapshot')).toContain('Next page');
});

/** A page with as many event streams as the browser opens connections to a host; returns them once all are open. */
async function openStreams(site: Site, call: Call): Promise<readonly ServerResponse[]> {
  const streams: ServerResponse[] = [];
  site.set('/stream', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
    streams.push(response);
  });
  const listen = `new EventSource('/stream?' + i).onmessage = ({ data }) => { document.title = data }`;
  await open(site, call, `<title>Waits</title><script>for (let i = 0; i < 6; i++) ${listen}</script>`);
  await expect.poll(() => streams.length).toBe(6);
  return streams;
}

test('a navigation to a part of the page does not end its requests', async ({ site, call }) => {
  const [stream] = await openStreams(site, call);
  const answer = await call('browser_navigate', { url: site.url('/#part') });
  expect(answer.isError, answer.text).toBe(false);
  stream?.write('data: Pushed\n\n');
  const read = { function: '() => document.title' };
  await expect.poll(async () => (await call('browser_evaluate', read)).section('Result')).toBe('Pushed');
});

test('a navigation that ended the requests of the page and did not leave it says so', async ({ site, call }) => {
  await openStreams(site, call);
  site.set('/nothing', (_request, response) => response.writeHead(204).end());
  const answer = await call('browser_navigate', { url: site.url('/nothing'), timeout: 5000 });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.section('Events')).toContain('Open requests of the page were ended for this navigation');
});

test('frames that are not read are counted in one line', async ({ site, call }) => {
  site.set('/inner', '<p>Inner</p>');
  const shown = await open(site, call, '<iframe src="/inner"></iframe>'.repeat(23));
  expect(shown.section('Snapshot')?.match(/Inner/g)).toHaveLength(20);
  expect(shown.section('Snapshot')).toContain('text: (this frame and 2 more were not read; use ref to see one)');
});
