/** Pages that try to block, flood, crash or outlast the server. Each has a button `#go` unless it removes it. */

import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';

export interface HostilePage {
  readonly name: string;
  readonly html: string;
  /** More paths of its site. */
  readonly routes?: Readonly<Record<string, string | RequestListener>>;
  /** Part of the default run. */
  readonly isSample?: boolean;
  /** Takes a second or more of CPU in the page itself: sessions that share its cores slow down too. */
  readonly isHeavy?: boolean;
}

const body = (script: string, content = ''): string =>
  `<!doctype html><title>Hostile</title><button id="go">Go</button>${content}<script>${script}</script>`;

/** Runs the script a moment after the load event, when the answer to the navigation may be on its way. */
const later = (script: string): string => body(`addEventListener('load', () => setTimeout(() => { ${script} }, 50))`);

const onClick = (script: string): string => body(`go.onclick = () => { ${script} }`);

const endless: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/html');
  const more = (): void => void (response.writable && response.write('<p>more</p>'.repeat(1000)));
  const timer = setInterval(more, 5);
  response.on('close', () => clearInterval(timer));
};

const drip: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/html');
  const timer = setInterval(() => void (response.writable && response.write('.')), 1000);
  response.on('close', () => clearInterval(timer));
};

const endlessDownload: RequestListener = (_request, response) => {
  response.setHeader('content-disposition', 'attachment; filename="endless.bin"');
  const chunk = Buffer.alloc(256 * 1024);
  const timer = setInterval(() => void (response.writable && response.write(chunk)), 10);
  response.on('close', () => clearInterval(timer));
};

const bomb: RequestListener = (_request, response) => {
  const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
  response.writeHead(200, headers).end(gzipSync(Buffer.alloc(100_000_000, 'A')));
};

const texts: readonly HostilePage[] = [
  { name: 'console line of 400 MB', html: later("console.log('A'.repeat(4e8))"), isHeavy: true },
  { name: 'error of 300 MB', html: later("throw new Error('A'.repeat(3e8))"), isHeavy: true },
  { name: 'rejection of 100 MB', html: later("Promise.reject('A'.repeat(1e8))"), isHeavy: true },
  { name: 'title of 100 MB', html: body("document.title = 'A'.repeat(1e8)"), isHeavy: true },
  { name: 'aria-label of 200 MB', html: body("go.setAttribute('aria-label', 'A'.repeat(2e8))"), isHeavy: true },
  { name: 'aria-label of 20 MB', html: body("go.setAttribute('aria-label', 'A '.repeat(1e7))"), isSample: true },
  {
    name: 'aria-labelledby to 100 MB of text',
    html: body("text.textContent = 'A b '.repeat(2.5e7); go.setAttribute('aria-labelledby', 'text')", '<p id="text">'),
    isHeavy: true,
  },
  { name: 'title attribute of 50 MB', html: body("go.title = 'A'.repeat(5e7)"), isHeavy: true },
  { name: 'input value of 50 MB', html: body("field.value = 'A'.repeat(5e7)", '<input id="field">'), isHeavy: true },
  {
    name: 'textarea of 50 MB',
    html: body("field.value = 'A b\\n'.repeat(1.25e7)", '<textarea id="field"></textarea>'),
    isHeavy: true,
  },
  { name: 'placeholder of 50 MB', html: body("field.placeholder = 'A'.repeat(5e7)", '<input id="field">') },
  { name: 'alt text of 50 MB', html: body("image.alt = 'A'.repeat(5e7)", '<img id="image" src="/none">') },
  { name: 'text node of 50 MB', html: body("document.body.append('word '.repeat(1e7))"), isHeavy: true },
  { name: 'link URL of 20 MB', html: body("a.href = '/?' + 'A'.repeat(2e7)", '<a id="a">Link</a>') },
  { name: 'element with 10,000 attributes', html: body("for (let i = 0; i < 1e4; i++) go.setAttribute('x' + i, i)") },
  { name: 'URL of 1.9 MB', html: body("history.pushState(0, '', '/?' + 'A'.repeat(1.9e6))") },
  { name: 'bidi and zero-width names', html: body("go.textContent = '\\u202e\\u2066\\u200b'.repeat(1e5) + 'Go'") },
];

const consoles: readonly HostilePage[] = [
  { name: '200,000 console lines', html: later("for (let i = 0; i < 2e5; i++) console.log('line', i)"), isHeavy: true },
  { name: '20,000 console lines', html: later("for (let i = 0; i < 2e4; i++) console.log('line', i)"), isSample: true },
  {
    name: '40 console lines of 30 MB',
    html: later("for (let i = 0; i < 40; i++) console.log(i + 'A'.repeat(3e7))"),
    isHeavy: true,
  },
  {
    name: 'console lines without end',
    html: later('setInterval(() => { for (let i = 0; i < 50; i++) console.log(i) })'),
  },
  { name: 'console errors without end', html: later("setInterval(() => console.error('again'))") },
  {
    name: 'console call with 100,000 arguments',
    html: later('console.log(...Array.from({ length: 1e5 }, (_, i) => i))'),
  },
  {
    name: 'console call with a large array',
    html: later('console.log(Array.from({ length: 1e6 }, (_, i) => ({ i })))'),
  },
  {
    name: 'console call with getters that throw',
    html: later('console.log(new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } }), { get a() { throw 3 } })'),
  },
  { name: 'errors without end', html: later("setInterval(() => { throw new Error('again') })") },
  { name: 'rejections without end', html: later("setInterval(() => Promise.reject(new Error('again')))") },
  { name: 'error handler that fails', html: later('onerror = () => { setTimeout(() => nothing()) }; nothing()') },
];

const loops: readonly HostilePage[] = [
  { name: 'loop while parsing', html: body('for (;;);'), isSample: true },
  { name: 'loop at the load event', html: body("addEventListener('load', () => { for (;;); })") },
  { name: 'loop after the load event', html: later('for (;;);') },
  { name: 'loop in click', html: onClick('for (;;);'), isSample: true },
  { name: 'loop in mousedown', html: body('go.onmousedown = () => { for (;;); }') },
  { name: 'loop in mousemove', html: body('onmousemove = () => { for (;;); }') },
  { name: 'loop in beforeunload', html: body('onbeforeunload = () => { for (;;); }'), isSample: true },
  { name: 'loop in pagehide', html: body('onpagehide = () => { for (;;); }') },
  { name: 'loop of microtasks', html: later('const again = () => Promise.resolve().then(again); again()') },
  {
    name: 'loop of a mutation observer',
    html: later(
      "new MutationObserver(() => go.setAttribute('x', Math.random())).observe(go, { attributes: true }); go.id = 'go'",
    ),
  },
  {
    name: 'loop of animation frames',
    html: later(
      'const again = () => { const end = performance.now() + 200; while (performance.now() < end); requestAnimationFrame(again) }; again()',
    ),
  },
  {
    name: 'loop of timers',
    html: later(
      'const again = () => { for (let i = 0; i < 20; i++) setTimeout(() => undefined); setTimeout(again) }; again()',
    ),
  },
  { name: 'loop in a frame', html: body('', '<iframe srcdoc="<script>for (;;);</script>"></iframe>') },
  { name: 'loop in a worker', html: body("new Worker(URL.createObjectURL(new Blob(['for (;;);'])))") },
  { name: 'slow regular expression', html: onClick("/^(a+)+$/.test('a'.repeat(40) + 'b')") },
  { name: 'debugger statements', html: later('setInterval(() => { debugger })') },
  { name: 'messages without end', html: later("onmessage = () => postMessage(1, '*'); postMessage(1, '*')") },
  {
    name: 'broadcasts without end',
    html: later(
      "const [a, b] = [0, 0].map(() => new BroadcastChannel('c')); a.onmessage = b.onmessage = (e) => e.target.postMessage(1); a.postMessage(1)",
    ),
  },
];

const dialogs: readonly HostilePage[] = [
  { name: 'alert loop', html: later('for (;;) alert(1)'), isSample: true },
  { name: 'alert loop while parsing', html: body('for (;;) alert(1)') },
  { name: 'alert loop with changing messages', html: later('for (let i = 0; ; i++) alert(i)') },
  { name: 'alert in an interval', html: later('setInterval(() => alert(1), 10)'), isSample: true },
  { name: 'alert in many intervals', html: later('for (let i = 0; i < 50; i++) setInterval(() => alert(i), 1)') },
  { name: 'alert loop in beforeunload', html: body('onbeforeunload = () => { for (;;) alert(1) }') },
  {
    name: 'beforeunload that asks to stay',
    html: body("onbeforeunload = (event) => { event.preventDefault(); return 'stay' }; go.onclick = () => 0"),
  },
  { name: 'alert in pagehide', html: body('onpagehide = onunload = () => { alert(1); for (;;) confirm(1) }') },
  { name: 'prompt of 10 MB', html: later("prompt('A'.repeat(1e7), 'B'.repeat(1e7))") },
  {
    name: 'dialogs in frames',
    html: body('', '<iframe srcdoc="<script>setInterval(() => alert(1), 5)</script>"></iframe>'.repeat(5)),
  },
  { name: 'print loop', html: later('setInterval(() => print(), 5)') },
  {
    name: 'file choosers without end',
    html: body('setInterval(() => file.click(), 10)', '<input type="file" id="file">'),
  },
  {
    name: 'permission requests',
    html: later(
      'setInterval(() => { navigator.geolocation.getCurrentPosition(() => 0); Notification.requestPermission() }, 10)',
    ),
  },
];

const navigations: readonly HostilePage[] = [
  { name: 'reload loop', html: body('location.reload()'), isSample: true },
  {
    name: 'refresh at once',
    html: '<meta http-equiv="refresh" content="0"><title>Hostile</title><button id="go">Go</button>',
  },
  { name: 'fragments without end', html: later('let i = 0; setInterval(() => { location.hash = i++ })') },
  {
    name: 'pushState without end',
    html: later(
      "let i = 0; setInterval(() => { for (let k = 0; k < 20; k++) history.pushState(0, '', '/page' + i++) })",
    ),
  },
  {
    name: 'popups without end',
    html: later("setInterval(() => open('/popup'), 10)"),
    routes: { '/popup': '<title>Popup</title>' },
  },
  {
    name: 'popups that open popups',
    html: onClick("open('/popup'); open('/popup')"),
    routes: { '/popup': "<title>Popup</title><script>open('/popup'); open('/popup')</script>" },
  },
  { name: 'page that closes itself', html: later('close()') },
  { name: 'page that goes back', html: later('setInterval(() => history.back(), 10)') },
  { name: 'page that stops every load', html: body('setInterval(() => stop(), 0); onbeforeunload = () => stop()') },
  { name: 'page that navigates away on navigation', html: body("onbeforeunload = () => { location.href = '/' }") },
  {
    name: 'redirect loop',
    html: '<meta http-equiv="refresh" content="0; url=/loop"><button id="go">Go</button>',
    routes: { '/loop': (_request, response) => void response.writeHead(302, { location: '/loop' }).end() },
  },
  {
    name: 'header of 200 KB',
    html: body("location.href = '/headers'"),
    routes: {
      '/headers': (_request, response) => void response.writeHead(200, { 'x-large': 'A'.repeat(200_000) }).end('x'),
    },
  },
  { name: 'response without end', html: body("location.href = '/endless'"), routes: { '/endless': endless } },
  { name: 'one byte per second', html: body("location.href = '/drip'"), routes: { '/drip': drip } },
  { name: 'document without an answer', html: body("location.href = '/never'"), routes: { '/never': () => undefined } },
  { name: 'compressed 100 MB', html: body("location.href = '/bomb'"), routes: { '/bomb': bomb }, isHeavy: true },
  {
    name: 'blob document that reloads',
    html: later(
      "location.href = URL.createObjectURL(new Blob(['<script>location.reload()</script>'], { type: 'text/html' }))",
    ),
  },
  {
    name: 'download without end',
    html: later("location.href = '/download'"),
    routes: { '/download': endlessDownload },
  },
  {
    name: '100 downloads',
    html: later(
      "for (let i = 0; i < 100; i++) { const a = document.createElement('a'); a.href = 'data:text/plain,' + i; a.download = i + '.txt'; a.click() }",
    ),
  },
];

const documents: readonly HostilePage[] = [
  {
    name: '500,000 nodes',
    html: body("box.innerHTML = '<p>a<b>c</b></p>'.repeat(125_000)", '<div id="box"></div>'),
    isHeavy: true,
  },
  {
    name: 'tree of 20,000 levels',
    html: body(
      "let at = document.body; for (let i = 0; i < 20000; i++) at = at.appendChild(document.createElement('div'))",
    ),
    isSample: true,
  },
  {
    name: 'shadow roots of 500 levels',
    html: body(
      "let at = box; for (let i = 0; i < 500; i++) { const next = document.createElement('div'); at.attachShadow({ mode: 'open' }).append(next); at = next }",
      '<div id="box"></div>',
    ),
  },
  {
    name: 'select with 200,000 options',
    html: body("box.innerHTML = '<option>a</option>'.repeat(2e5)", '<select id="box"></select>'),
    isHeavy: true,
  },
  { name: 'frame in itself', html: body('', '<iframe src="/"></iframe><iframe src="/?2"></iframe>'), isHeavy: true },
  { name: '300 frames', html: body('', '<iframe srcdoc="<p>x</p>"></iframe>'.repeat(300)), isHeavy: true },
  {
    name: 'frames that come and go',
    html: later("setInterval(() => { box.innerHTML = '<iframe></iframe>'.repeat(5) }, 5)").replace(
      '<script>',
      '<div id="box"></div><script>',
    ),
  },
  {
    name: 'frames that cannot be read',
    html: body('', '<iframe src="file:///x"></iframe><iframe src="chrome://x"></iframe><iframe src="/never"></iframe>'),
    routes: { '/never': () => undefined },
  },
  {
    name: 'changes without end',
    html: body("setInterval(() => { box.innerHTML = '<b>x</b>'.repeat(500) })", '<div id="box"></div>'),
  },
  {
    name: 'elements replaced on every frame',
    html: body(
      "const again = () => { box.innerHTML = '<button id=go>Go</button>'; requestAnimationFrame(again) }; again()",
      '<div id="box"></div>',
    ).replace('<button id="go">Go</button>', ''),
  },
  {
    name: 'endless list',
    html: body(
      "setInterval(() => box.append(...Array.from({ length: 100 }, () => { const p = document.createElement('p'); p.textContent = 'row'; return p })), 10)",
      '<div id="box"></div>',
    ),
    isHeavy: true,
  },
  { name: 'document.write loop', html: later("setInterval(() => document.write('<button id=go>Go</button>'), 5)") },
  { name: 'no document element', html: later('document.documentElement.remove()') },
  {
    name: '5,000 animations',
    html: body(
      "box.innerHTML = '<i>x</i>'.repeat(5000)",
      '<style>@keyframes k { to { transform: rotate(1turn) } } i { animation: k 1s infinite }</style><div id="box"></div>',
    ),
    isHeavy: true,
  },
  {
    name: 'canvas of 16,000 pixels',
    html: body("c.getContext('2d').fillRect(0, 0, 9, 9)", '<canvas id="c" width="16000" height="16000"></canvas>'),
  },
  { name: 'page of a million pixels', html: body('', '<div style="height: 1000000px; width: 1000000px">x</div>') },
  {
    name: 'nested SVG uses',
    html: body(
      '',
      `<svg><defs><g id="g0"><rect width="1" height="1"/></g>${Array.from({ length: 12 }, (_, i) => `<g id="g${i + 1}">${`<use href="#g${i}"/>`.repeat(3)}</g>`).join('')}</defs><use href="#g8"/></svg>`,
    ),
  },
  {
    name: 'slow :has() rules',
    html: body(
      "box.innerHTML = '<div><div><div></div></div></div>'.repeat(3000); setInterval(() => box.classList.toggle('x'), 5)",
      '<style>div:has(div:has(div.x ~ div)) { color: red } .x div:has(~ div) { color: blue }</style><div id="box"></div>',
    ),
  },
  {
    name: 'custom elements that recurse',
    html: body(
      "customElements.define('x-a', class extends HTMLElement { connectedCallback() { if (this.children.length < 3 && document.all.length < 5000) this.append(document.createElement('x-a')) } })",
      '<x-a></x-a>',
    ),
  },
  { name: 'titles without end', html: body("let i = 0; setInterval(() => { document.title = 'T' + i++ }, 1)") },
  {
    name: 'patched built-ins',
    html: body(
      "for (const t of [Array, String, Map, Set, Function, Promise, Element, Node]) for (const k of Object.getOwnPropertyNames(t.prototype)) { try { if (k !== 'constructor') t.prototype[k] = () => { throw 1 } } catch {} }",
    ),
  },
  {
    name: 'global getters that throw',
    html: body(
      "for (const k of ['name', 'length', 'frames', 'opener', 'performance', 'navigator', 'scrollX']) try { Object.defineProperty(window, k, { get() { throw new Error(k) } }) } catch {}",
    ),
  },
];

const resources: readonly HostilePage[] = [
  {
    name: '2,000 requests at once',
    html: later("for (let i = 0; i < 2000; i++) fetch('/data?' + i)"),
    routes: { '/data': '{}' },
    isHeavy: true,
  },
  {
    name: 'requests without end',
    html: later("setInterval(() => fetch('/data?' + Math.random()), 2)"),
    routes: { '/data': '{}' },
  },
  {
    name: '500 requests without an answer',
    html: later("for (let i = 0; i < 500; i++) fetch('/never?' + i)"),
    routes: { '/never': () => undefined },
  },
  {
    name: '200 WebSockets',
    html: later("for (let i = 0; i < 200; i++) new WebSocket(location.href.replace('http', 'ws'))"),
  },
  {
    name: 'event stream without end',
    html: later("new EventSource('/events').onmessage = () => 0"),
    routes: {
      '/events': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const timer = setInterval(
          () => void (response.writable && response.write(`data: ${'A'.repeat(50_000)}\n\n`)),
          5,
        );
        response.on('close', () => clearInterval(timer));
      },
    },
  },
  {
    name: 'full localStorage',
    html: body("try { for (let i = 0; ; i++) localStorage['k' + i] = 'A'.repeat(1e5) } catch {}"),
  },
  {
    name: 'IndexedDB of 50 MB',
    html: later(
      "indexedDB.open('d').onupgradeneeded = (e) => { const s = e.target.result.createObjectStore('s'); for (let i = 0; i < 50; i++) s.put('A'.repeat(1e6), i) }",
    ),
    isHeavy: true,
  },
  {
    name: '170 cookies of 4 KB',
    html: body("for (let i = 0; i < 170; i++) document.cookie = 'c' + i + '=' + 'A'.repeat(4000)"),
  },
  {
    name: 'service worker that never answers',
    html: later("navigator.serviceWorker.register('/worker.js')"),
    routes: {
      '/worker.js': (_request, response) =>
        void response
          .setHeader('content-type', 'text/javascript')
          .end(
            "addEventListener('install', () => skipWaiting()); addEventListener('activate', (e) => e.waitUntil(clients.claim())); addEventListener('fetch', (e) => { if (!e.request.url.endsWith('/next')) e.respondWith(new Promise(() => {})) })",
          ),
    },
  },
  { name: 'WebAssembly memory of 2 GB', html: body('globalThis.m = new WebAssembly.Memory({ initial: 32000 })') },
  {
    name: 'WebGL contexts',
    html: later("setInterval(() => document.createElement('canvas').getContext('webgl')?.clear(16384), 20)"),
  },
  {
    name: 'heap of 300 MB',
    html: later('globalThis.kept = []; for (let i = 0; i < 300; i++) kept.push(new Array(131072).fill(i))'),
    isHeavy: true,
  },
];

export const hostilePages: readonly HostilePage[] = [
  ...texts,
  ...consoles,
  ...loops,
  ...dialogs,
  ...navigations,
  ...documents,
  ...resources,
];
