/** How a page can reach another host. */
export interface Way {
  readonly name: string;
  /** The document, given the URL to reach and the host and port in it. */
  readonly page: (url: string, place: string) => string;
  /** Response headers of the document. */
  readonly headers?: (url: string) => Readonly<Record<string, string>>;
  /** Opened as the page itself: a frame cannot do it, or it navigates. */
  readonly isTop?: boolean;
  /** UDP and speculative loads are off behind a proxy, so that also allowed hosts are not reached. */
  readonly isOffWithRules?: boolean;
}

const script = (code: string): string => `<script>${code}</script>`;
const worker = (code: string): string =>
  `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' }))`;
const form = (method: string, url: string, target = ''): string =>
  `<form method="${method}" action="${url}" target="${target}"><input name="q" value="1"></form>${script('document.forms[0].submit()')}`;
const link = (attributes: string): string =>
  `<a id="link" ${attributes}>Link</a>${script("document.getElementById('link').click()")}`;
const peer = (server: string): string =>
  script(
    `const peer = new RTCPeerConnection({ iceServers: [${server}] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))`,
  );
const redirect = (url: string, status = 302): string => `/redirect?status=${status}&to=${encodeURIComponent(url)}`;
const rules = (kind: string, url: string): string =>
  `<script type="speculationrules">${JSON.stringify({ [kind]: [{ source: 'list', urls: [url], eagerness: 'immediate' }] })}</script>`;

/** Requests of markup. */
const markup: readonly Way[] = [
  { name: 'image', page: (url) => `<img src="${url}">` },
  { name: 'srcset', page: (url) => `<img srcset="${url} 1x, ${url} 2x">` },
  { name: 'picture source', page: (url) => `<picture><source srcset="${url}"><img></picture>` },
  { name: 'input image', page: (url) => `<input type="image" src="${url}">` },
  { name: 'body background', page: (url) => `<body background="${url}">` },
  { name: 'video', page: (url) => `<video src="${url}" autoplay muted></video>` },
  { name: 'video poster', page: (url) => `<video poster="${url}"></video>` },
  { name: 'audio', page: (url) => `<audio src="${url}" preload="auto"></audio>` },
  {
    name: 'track',
    page: (url) =>
      `<video crossorigin="anonymous" src="/empty"><track default src="${url}"></video>${script("document.querySelector('track').track.mode = 'showing'")}`,
  },
  { name: 'script', page: (url) => `<script src="${url}"></script>` },
  { name: 'module script', page: (url) => `<script type="module" src="${url}"></script>` },
  { name: 'static import', page: (url) => `<script type="module">import '${url}'</script>` },
  { name: 'iframe', page: (url) => `<iframe src="${url}"></iframe>` },
  { name: 'frameset', page: (url) => `<frameset><frame src="${url}"></frameset>`, isTop: true },
  { name: 'object', page: (url) => `<object data="${url}"></object>` },
  { name: 'embed', page: (url) => `<embed src="${url}">` },
  { name: 'PDF', page: (url) => `<iframe src="${url}.pdf"></iframe>` },
  { name: 'SVG image', page: (url) => `<svg><image href="${url}"/></svg>` },
  {
    name: 'SVG filter image',
    page: (url) =>
      `<svg width="9" height="9"><filter id="f"><feImage href="${url}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
  },
  { name: 'srcdoc frame', page: (url) => `<iframe srcdoc="<img src='${url}'>"></iframe>` },
  { name: 'data frame', page: (url) => `<iframe src="data:text/html,<img src='${url}'>"></iframe>` },
  { name: 'favicon', page: (url) => `<link rel="icon" href="${url}">`, isTop: true },
  { name: 'manifest', page: (url) => `<link rel="manifest" href="${url}">`, isTop: true },
  { name: 'preload', page: (url) => `<link rel="preload" as="image" href="${url}">` },
  { name: 'prefetch', page: (url) => `<link rel="prefetch" href="${url}">` },
  { name: 'modulepreload', page: (url) => `<link rel="modulepreload" href="${url}">` },
  { name: 'preconnect', page: (url) => `<link rel="preconnect" href="${url}">` },
  { name: 'dns-prefetch', page: (url) => `<link rel="dns-prefetch" href="${url}">` },
  { name: 'speculative prefetch', page: (url) => rules('prefetch', url), isTop: true, isOffWithRules: true },
  { name: 'speculative prerender', page: (url) => rules('prerender', url), isTop: true, isOffWithRules: true },
  { name: 'redirected image', page: (url) => `<img src="${redirect(url)}">` },
  { name: 'redirect chain', page: (url) => `<img src="${redirect(redirect(redirect(url), 307), 301)}">` },
  { name: 'redirected frame', page: (url) => `<iframe src="${redirect(url)}"></iframe>` },
  { name: 'redirected script', page: (url) => `<script src="${redirect(url)}"></script>` },
];

/** Requests of styles. */
const styles: readonly Way[] = [
  { name: 'stylesheet', page: (url) => `<link rel="stylesheet" href="${url}">` },
  { name: 'CSS import', page: (url) => `<style>@import url("${url}");</style>` },
  { name: 'CSS background', page: (url) => `<div style="background: url(${url})">Text</div>` },
  { name: 'CSS image-set', page: (url) => `<div style="background: image-set(url(${url}) 1x)">Text</div>` },
  { name: 'CSS cursor', page: (url) => `<div style="cursor: url(${url}), auto">Text</div>` },
  { name: 'CSS mask', page: (url) => `<div style="mask-image: url(${url})">Text</div>` },
  { name: 'CSS border image', page: (url) => `<div style="border: 9px solid; border-image: url(${url}) 9">Text</div>` },
  { name: 'CSS list image', page: (url) => `<ul><li style="list-style-image: url(${url})">Text</li></ul>` },
  { name: 'CSS content', page: (url) => `<style>p::before { content: url(${url}) }</style><p>Text</p>` },
  { name: 'CSS shape', page: (url) => `<div style="float: left; shape-outside: url(${url})">Text</div>` },
  {
    name: 'font',
    page: (url) => `<style>@font-face { font-family: f; src: url(${url}) }</style><p style="font-family: f">Text</p>`,
  },
  { name: 'XML stylesheet', page: (url) => `<iframe src="/xml?to=${encodeURIComponent(url)}"></iframe>` },
];

/** Requests of scripts. */
const scripts: readonly Way[] = [
  { name: 'fetch', page: (url) => script(`fetch('${url}', { mode: 'no-cors' })`) },
  {
    name: 'fetch with a preflight',
    page: (url) => script(`fetch('${url}', { method: 'PUT', headers: { 'x-y': '1' } })`),
  },
  {
    name: 'redirected fetch',
    page: (url) => script(`fetch('${redirect(url, 307)}', { method: 'POST', body: 'x', mode: 'no-cors' })`),
  },
  {
    name: 'keepalive fetch on unload',
    page: (url) =>
      script(`onpagehide = () => fetch('${url}', { mode: 'no-cors', keepalive: true }); location = '/empty'`),
  },
  {
    name: 'XMLHttpRequest',
    page: (url) => script(`const r = new XMLHttpRequest(); r.open('GET', '${url}'); r.send()`),
  },
  { name: 'beacon', page: (url) => script(`navigator.sendBeacon('${url}', 'x')`) },
  { name: 'WebSocket', page: (_url, place) => script(`new WebSocket('ws://${place}/')`) },
  { name: 'EventSource', page: (url) => script(`new EventSource('${url}')`) },
  { name: 'Image object', page: (url) => script(`window.kept = new Image(); kept.src = '${url}'`) },
  { name: 'Audio object', page: (url) => script(`window.kept = new Audio('${url}'); kept.load()`) },
  { name: 'FontFace object', page: (url) => script(`new FontFace('f', 'url(${url})').load()`) },
  { name: 'dynamic import', page: (url) => script(`import('${url}')`) },
  { name: 'WebAssembly', page: (url) => script(`WebAssembly.instantiateStreaming(fetch('${url}'))`) },
  { name: 'Cache API', page: (url) => script(`caches.open('c').then((cache) => cache.add('${url}'))`) },
  { name: 'worklet', page: (url) => script(`new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('${url}')`) },
  { name: 'worker fetch', page: (url) => script(`new Worker(${worker(`fetch('${url}', { mode: 'no-cors' })`)})`) },
  { name: 'worker importScripts', page: (url) => script(`new Worker(${worker(`importScripts('${url}')`)})`) },
  {
    name: 'worker WebSocket',
    page: (_url, place) => script(`new Worker(${worker(`new WebSocket('ws://${place}/')`)})`),
  },
  {
    name: 'worker XMLHttpRequest',
    page: (url) =>
      script(`new Worker(${worker(`const r = new XMLHttpRequest(); r.open('GET', '${url}', false); r.send()`)})`),
  },
  {
    name: 'shared worker',
    page: (url) => script(`new SharedWorker(${worker(`fetch('${url}', { mode: 'no-cors' })`)})`),
  },
  {
    name: 'service worker',
    page: (url) => script(`navigator.serviceWorker.register('/worker?kind=fetch&to=${encodeURIComponent(url)}')`),
    isTop: true,
  },
  {
    name: 'service worker importScripts',
    page: (url) =>
      script(
        `navigator.serviceWorker.register('/worker?kind=import&to=${encodeURIComponent(url)}', { scope: '/import/' })`,
      ),
    isTop: true,
  },
  { name: 'WebRTC STUN', page: (_url, place) => peer(`{ urls: 'stun:${place}' }`), isOffWithRules: true },
  {
    name: 'WebRTC TURN over UDP',
    page: (_url, place) => peer(`{ urls: 'turn:${place}?transport=udp', username: 'a', credential: 'b' }`),
    isOffWithRules: true,
  },
  {
    name: 'WebRTC TURN over TCP',
    page: (_url, place) => peer(`{ urls: 'turn:${place}?transport=tcp', username: 'a', credential: 'b' }`),
  },
  {
    name: 'WebTransport',
    page: (_url, place) => script(`new WebTransport('https://${place}/')`),
    isOffWithRules: true,
  },
  {
    name: 'CSP report',
    page: () => '<img src="data:,">',
    headers: (url) => ({ 'content-security-policy': `img-src 'none'; report-uri ${url}` }),
  },
  {
    name: 'Reporting API',
    page: () => '<img src="data:,">',
    headers: (url) => ({
      'reporting-endpoints': `e="${url}"`,
      'content-security-policy': "img-src 'none'; report-to e",
    }),
  },
  { name: 'ping', page: (url) => link(`href="#x" ping="${url}"`) },
  { name: 'attribution source', page: (url) => `<img src="/empty" attributionsrc="${url}">` },
];

/** Navigations and headers. */
const navigations: readonly Way[] = [
  { name: 'location', page: (url) => script(`location = '${url}'`), isTop: true },
  { name: 'meta refresh', page: (url) => `<meta http-equiv="refresh" content="0; url=${url}">`, isTop: true },
  { name: 'Refresh header', page: () => 'Text', headers: (url) => ({ refresh: `0; url=${url}` }), isTop: true },
  { name: 'redirected page', page: (url) => script(`location = '${redirect(url)}'`), isTop: true },
  { name: 'form with GET', page: (url) => form('get', url), isTop: true },
  { name: 'form with POST', page: (url) => form('post', url), isTop: true },
  { name: 'form in a frame', page: (url) => `<iframe name="f"></iframe>${form('post', url, 'f')}` },
  { name: 'link', page: (url) => link(`href="${url}"`), isTop: true },
  { name: 'link to a new tab', page: (url) => link(`href="${url}" target="_blank" rel="noopener"`), isTop: true },
  { name: 'download link', page: (url) => link(`href="${redirect(url)}" download`), isTop: true },
  { name: 'popup', page: (url) => script(`open('${url}')`), isTop: true },
  { name: 'popup that is navigated', page: (url) => script(`open('about:blank').location = '${url}'`), isTop: true },
  {
    name: 'history',
    page: (url) => script(`history.pushState(1, '', '/empty?2'); location.replace('${url}')`),
    isTop: true,
  },
  {
    name: 'preload header',
    page: () => 'Text',
    headers: (url) => ({ link: `<${url}>; rel=preload; as=image` }),
    isTop: true,
  },
  {
    name: 'preconnect header',
    page: () => 'Text',
    headers: (url) => ({ link: `<${url}>; rel=preconnect` }),
    isTop: true,
  },
  {
    name: 'stylesheet header',
    page: () => 'Text',
    headers: (url) => ({ link: `<${url}>; rel=prefetch` }),
    isTop: true,
  },
];

export const ways: readonly Way[] = [...markup, ...styles, ...scripts, ...navigations];
