import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, expect, never, open, slowly, testWith } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';

const test = testWith(['--timeout-settle=20000', '--timeout-load=20000']);
/** Far below the limits above, and far above the time of an action on a busy machine. */
const blockedMs = 5000;

/** Fails if the call waited for a limit instead of for the page. */
async function promptly(calling: Promise<Answer>): Promise<Answer> {
  const started = performance.now();
  const answer = await calling;
  expect(performance.now() - started, 'the call was blocked').toBeLessThan(blockedMs);
  expect(answer.isError, answer.text).toBe(false);
  return answer;
}

test('[S2-40, S2-41, C5-2] an action without effects does not wait for the settle time', async ({ site, call }) => {
  await open(site, call, '<title>Quiet</title><button>Go</button><input>');
  for (let round = 0; round < 5; round++) {
    expect((await promptly(call('browser_click', { selector: 'button' }))).section('Result')).toBe(
      'Successfully clicked element: button\nNo text or control changed.',
    );
    await promptly(call('browser_hover', { selector: 'input' }));
    await promptly(call('browser_press_key', { key: 'Shift' }));
  }
});

test('[C5-2] an action is answered before a timer of ten seconds that it started', async ({ site, call }) => {
  await open(
    site,
    call,
    '<title>Before</title><button onclick="setTimeout(() => { document.title = \'After\' }, 10000)">Go</button>',
  );
  const answer = await promptly(call('browser_click', { selector: 'button' }));
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Before`);
});

test('[S2-08, S2-10, S2-11, S2-12] a click that navigates waits until the new page has loaded', async ({
  site,
  call,
}) => {
  site.set(
    '/next',
    slowly(
      300,
      '<title>Early</title><p>Text</p><img src="/slow.png"><script>onload = () => { document.title = "Loaded" }</script>',
    ),
  );
  site.set('/slow.png', slowly(300, '', 'image/png'));
  await open(site, call, '<a href="/next">Next</a>');
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Result')).toBe('Successfully clicked element: a');
  expect(answer.page).toBe(`- Page URL: ${site.url('/next')}\n- Page Title: Loaded`);
});

test('[S2-08, S2-10] a click that fetches waits for the response and its effects', async ({ site, call }) => {
  site.set('/data', slowly(400, 'from the server'));
  await open(
    site,
    call,
    `<button onclick="fetch('/data').then((r) => r.text()).then((t) => { o.textContent = t })">Go</button><output id="o"></output>`,
  );
  expect((await call('browser_click', { selector: 'button' })).section('Snapshot')).toContain('from the server');
});

test('[S2-10] chained requests are all waited for', async ({ site, call }) => {
  for (const step of ['1', '2', '3']) site.set(`/step${step}`, slowly(150, step));
  await open(
    site,
    call,
    `<button onclick="run()">Go</button><output id="o"></output><script>
      async function run() { for (const step of [1, 2, 3]) o.textContent += await (await fetch('/step' + step)).text() }
    </script>`,
  );
  await call('browser_click', { selector: 'button' });
  expect(await evaluate(call, 'o.textContent')).toBe('123');
  expect(site.requests.map((request) => request.path)).toEqual(expect.arrayContaining(['/step1', '/step2', '/step3']));
});

test('[S2-10] a navigation that starts after a response is waited for', async ({ site, call }) => {
  site.set('/login', slowly(200, '{}'));
  site.set('/home', slowly(200, '<title>Home</title><p>Text</p>'));
  await open(site, call, `<button onclick="fetch('/login').then(() => { location = '/home' })">Log in</button>`);
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.page).toBe(`- Page URL: ${site.url('/home')}\n- Page Title: Home`);
});

test('[S2-10] a redirect is waited for', async ({ site, call }) => {
  site.set('/go', (_request, response) => response.writeHead(302, { location: '/end' }).end());
  site.set('/end', slowly(200, '<title>End</title><p>Text</p>'));
  await open(site, call, '<a href="/go">Go</a>');
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Result')).toBe('Successfully clicked element: a');
  expect(answer.page).toBe(`- Page URL: ${site.url('/end')}\n- Page Title: End`);
});

test('a URL change within a document is reported', async ({ site, call }) => {
  await open(
    site,
    call,
    "<title>Spa</title><button onclick=\"history.pushState({}, '', '/inside'); o.textContent = 'Inside'\">Go</button><h1 id=\"o\"></h1>",
  );
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Result')).toBe('Successfully clicked element: button');
  expect(answer.section('Page')).toBe(`- Page URL: ${site.url('/inside')}\n- Page Title: Spa`);
  expect(answer.section('Snapshot')).toContain('Inside');
});

test('[S2-40] an event stream and an endless image do not delay a click', async ({ site, call }) => {
  site.set(
    '/events',
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
  );
  site.set('/never.png', never);
  await open(
    site,
    call,
    `<button onclick="new EventSource('/events'); new Image().src = '/never.png'; o.textContent = 'on'">Go</button><output id="o"></output>`,
  );
  expect((await promptly(call('browser_click', { selector: 'button' }))).section('Snapshot')).toContain('on');
  await expect
    .poll(() => site.requests.map(({ path }) => path))
    .toEqual(expect.arrayContaining(['/events', '/never.png']));
});

test('[S2-40] an animation does not delay a click', async ({ site, call }) => {
  await open(
    site,
    call,
    `<button onclick="document.title = 'clicked'">Go</button><div id="d">x</div><script>
      let frames = 0;
      const step = (time) => { frames++; d.style.left = time + 'px'; requestAnimationFrame(step) };
      requestAnimationFrame(step);
    </script>`,
  );
  const before = Number(await evaluate(call, 'frames'));
  const answer = await promptly(call('browser_click', { selector: 'button' }));
  expect(answer.page).toContain('Page Title: clicked');
  expect(Number(await evaluate(call, 'frames'))).toBeGreaterThan(before);
});

/** Runs code after some animation frames. */
const frames = (count: number, then: string): string =>
  `(function next(left) { if (left === 0) { ${then} } else requestAnimationFrame(() => next(left - 1)) })(${count})`;

test.for([
  ['the click requests', (then: string) => frames(4, then)],
  ['come after a timer', (then: string) => `setTimeout(() => { ${frames(3, then)} }, 50)`],
  ['come after an answer', (then: string) => `fetch('/data').then(() => { ${frames(4, then)} })`],
  [
    'come after a message',
    (then: string) =>
      `const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { ${frames(3, then)} }; port2.postMessage(0)`,
  ],
] as const)('content rendered over several frames that %s is reported', async ([, over], { site, call }) => {
  site.set('/data', 'data');
  await open(
    site,
    call,
    `<button onclick="run()">Go</button><script>
      // The page has used the same functions before.
      for (let i = 0; i < 3; i++) { ${frames(4, '')} }
      let count = 0;
      const run = () => { ${over("document.body.append('Popup ' + ++count)")} };
    </script>`,
  );
  for (const popup of ['Popup 1', 'Popup 2', 'Popup 3']) {
    const answer = await call('browser_click', { selector: 'button' });
    expect(answer.section('Snapshot')).toContain(popup);
  }
});

test('[S2-40] an endless animation started by a click does not delay it', async ({ site, call }) => {
  await open(
    site,
    call,
    `<button onclick="step(0)">Go</button><div id="d">x</div><script>
      const step = (time) => { d.style.left = time + 'px'; requestAnimationFrame(step) };
    </script>`,
  );
  for (let round = 0; round < 5; round++) {
    expect((await promptly(call('browser_click', { selector: 'button' }))).section('Result')).toContain(
      'No text or control changed.',
    );
  }
});

test('[S2-40] work in every frame does not delay a click, however it is scheduled', async ({ site, call }) => {
  await open(
    site,
    call,
    `<button>Go</button><div id="d">x</div><script>
      let count = 0;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => requestAnimationFrame(() => { count++; d.style.left = count + 'px'; port2.postMessage(0) });
      port2.postMessage(0);
    </script>`,
  );
  await call('browser_evaluate', {
    function: 'async () => { while (count < 40) await new Promise((resolve) => setTimeout(resolve, 20)) }',
  });
  for (let round = 0; round < 5; round++) {
    expect((await promptly(call('browser_click', { selector: 'button' }))).section('Result')).toContain(
      'No text or control changed.',
    );
  }
});

test('elements that fade in or out are reported when the transition has ended', async ({ site, call }) => {
  await open(
    site,
    call,
    `<style>@keyframes come { from { opacity: 0 } } .in { animation: come 0.3s }
      @keyframes go { to { opacity: 0 } } .out { animation: go 0.3s }</style>
    <button onclick="m.hidden = !(m.className = 'in')">Open</button>
    <button onclick="m.className = 'out'; m.onanimationend = () => m.remove()">Close</button>
    <div id="m" hidden><button>Apply</button></div>`,
  );
  await call('browser_snapshot');
  const opened = await call('browser_click', { selector: 'text=Open' });
  expect(opened.section('Snapshot')).toMatch(/\+ - button "Apply" \[ref=e\d+\]\n/);
  const closed = await call('browser_click', { selector: 'text=Close' });
  expect(closed.section('Snapshot')).toMatch(/^- - button "Apply" \[ref=e\d+\]$/m);
});

test('a menu shown by :hover styles is reported once it is visible', async ({ site, call }) => {
  await open(
    site,
    call,
    `<style>ul { opacity: 0; visibility: hidden; transition: opacity 0.3s, visibility 0.3s }
      nav:hover ul { opacity: 1; visibility: visible }</style><nav><button>Menu</button><ul><li><a href="/x">Go</a></ul></nav>`,
  );
  await call('browser_snapshot');
  const answer = await call('browser_hover', { selector: 'button' });
  expect(answer.section('Snapshot')).toMatch(/link "Go" \[ref=e\d+\](?! \[invisible\])/);
});

test('an element that fades in inside a shadow root is waited for', async ({ site, call }) => {
  await open(
    site,
    call,
    `<x-menu id="menu"></x-menu><script>menu.attachShadow({ mode: 'open' }).innerHTML = '<style>div { visibility: hidden; opacity: 0; transition: all 0.8s } .on { visibility: visible; opacity: 1 }</style><button>Menu</button><div><a href="/x">Go</a></div>';
      menu.shadowRoot.querySelector('button').onclick = () => { menu.shadowRoot.querySelector('div').className = 'on' }</script>`,
  );
  const answer = await call('browser_click', { selector: 'text=Menu' });
  expect(await evaluate(call, "getComputedStyle(menu.shadowRoot.querySelector('div')).opacity")).toBe('1');
  expect(answer.section('Snapshot')).toContain('link "Go"');
});

test('[S2-40] a long or endless fade does not delay a click', async ({ site, call }) => {
  await open(
    site,
    call,
    `<style>@keyframes come { from { opacity: 0 } } .a { animation: come 60s } .b { animation: come 0.5s infinite }</style>
    <button onclick="a.className = 'a'; b.className = 'b'">Go</button><p id="a">One</p><p id="b">Two</p>`,
  );
  await promptly(call('browser_click', { selector: 'button' }));
  expect(await evaluate(call, 'document.getAnimations().map(({ playState }) => playState).join()')).toBe(
    'running,running',
  );
});

test('a click that starts a download ends the wait and names the file', async ({ site, server, call }) => {
  site.set('/file', (_request, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename="../../evil name.txt"' }).end('data'),
  );
  await open(site, call, '<title>Files</title><a href="/file">Get</a>');
  const answer = await call('browser_click', { selector: 'a' });
  const [, shown = '', path = ''] =
    /^- Downloaded "([^"]+)" \(4 bytes, text\/plain\) to (.+)$/.exec(answer.section('Events') ?? '') ?? [];
  expect(shown).toMatch(/^[^/\\]*evil name\.txt$/);
  expect(path).toBe(`.playwright-mcp/${shown}`);
  expect(await readFile(join(server.folder, path), 'utf8')).toBe('data');
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Files`);
});

test('a click on a link answered with 204 keeps the page', async ({ site, call }) => {
  site.set('/empty', (_request, response) => response.writeHead(204).end());
  await open(site, call, '<title>Stays</title><a href="/empty">Go</a>');
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.isError).toBe(false);
  expect(answer.section('Result')).toBe('Successfully clicked element: a\nNo text or control changed.');
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Stays`);
});

test('a click on a link to a dead server says that its page did not load', async ({ site, call }) => {
  site.set('/dead', (request) => request.socket.destroy());
  await open(site, call, '<title>Before</title><a href="/dead">Go</a>');
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.isError).toBe(false);
  expect(answer.section('Result')).toBe('Successfully clicked element: a\nThe page did not load.');
  expect(answer.page).toContain(`- Page URL: ${site.url('/dead')}`);
  const good = await call('browser_navigate', { url: site.url('/') });
  expect(good.section('Result')).toBe(`Successfully navigated to ${site.url('/')}\nTitle: Before`);
});

test.for([
  [
    'one late request does not make later ones to its URL background requests',
    `setTimeout(() => ask('late'), 2500)`,
    'late',
  ],
  ['a poll is distinguished from other requests to its URL by its body', `setInterval(() => ask('poll'), 200)`, 'mine'],
] as const)('%s', async ([, byItself, clicked], { site, call }) => {
  site.set('/graphql', slowly(300, 'answer'));
  await open(
    site,
    call,
    `<button>Go</button><p>nothing</p><script>
      const ask = (body) => fetch('/graphql', { method: 'POST', body }).then((answer) => answer.text());
      ${byItself};
      document.querySelector('button').onclick = async () => { document.querySelector('p').textContent = await ask('${clicked}'); };
    </script>`,
  );
  await call('browser_wait_for', { time: 3 });
  expect((await call('browser_click', { selector: 'button' })).section('Snapshot')).toContain('answer');
});

test('background polling does not delay later actions', async ({ site, call }) => {
  site.set('/poll', never);
  // It begins after the navigation has settled: requests of the load itself are waited for.
  await open(
    site,
    call,
    `<button onclick="document.title = 'clicked'">Go</button><script>let polls = 0;
      setTimeout(() => setInterval(() => { polls++; fetch('/poll?' + Math.random()) }, 50), 2200)</script>`,
  );
  await call('browser_wait_for', { time: 4 });
  const before = Number(await evaluate(call, 'polls'));
  expect(before).toBeGreaterThan(1);
  const clicked = await promptly(call('browser_click', { selector: 'button' }));
  expect(clicked.page).toContain('Page Title: clicked');
  // Requests that the answer waited for are named in it.
  expect(clicked.text).not.toContain('/poll');
  expect(Number(await evaluate(call, 'polls'))).toBeGreaterThan(before);
});

test.for([
  ['every 20 ms', `setInterval(() => fetch('/tick'), 20)`],
  ['after each response', `(function again() { fetch('/tick').then(again) })()`],
  ['by chained timers', `(function again() { fetch('/tick').then(() => setTimeout(again, 60)) })()`],
] as const)(
  '[S2-40] polling that a click starts, %s, is named and not waited for',
  async ([, work], { site, call }) => {
    site.set('/tick', slowly(40, 'ok'));
    await open(site, call, `<button onclick="${work}">Go</button>`);
    expect((await promptly(call('browser_click', { selector: 'button' }))).section('Result')).toBe(
      `Successfully clicked element: button\nNo text or control changed.
The page is polling; not waiting for: ${site.url('/tick')}`,
    );
  },
);

test.for([
  ['a slow job', 300, 3, `''`],
  ['a job that reports its progress', 60, 20, `'step ' + n`],
] as const)(
  '[S2-10] a job that the page polls until it is done is waited for: %s',
  async ([, ms, times, reported], { site, call }) => {
    site.set('/job', 'ok');
    await open(
      site,
      call,
      `<button>Go</button><p></p><script>
      const p = document.querySelector('p');
      const again = async (n) => {
        await fetch('/job');
        p.textContent = n === 0 ? 'finished' : ${reported};
        if (n > 0) setTimeout(again, ${ms}, n - 1);
      };
      document.querySelector('button').onclick = () => again(${times});
    </script>`,
    );
    expect((await call('browser_click', { selector: 'button' })).section('Snapshot')).toContain('finished');
  },
);

test.for([
  ['an idle callback', 'requestIdleCallback(show)'],
  [
    'the reply of a worker',
    "worker ??= new Worker(URL.createObjectURL(new Blob(['onmessage = () => { for (const end = Date.now() + 100; Date.now() < end;); postMessage(0) }']))); worker.onmessage = show; worker.postMessage(0)",
  ],
] as const)('an effect of %s is reported', async ([, work], { site, call }) => {
  await open(
    site,
    call,
    `<button onclick="run()">Go</button><script>
      let [worker, count] = [undefined, 0];
      const show = () => document.body.append('Effect ' + ++count);
      const run = () => { ${work} };
    </script>`,
  );
  for (const effect of ['Effect 1', 'Effect 2']) {
    const answer = await call('browser_click', { selector: 'button' });
    expect(answer.text).toContain(effect);
  }
});
