import { setTimeout as pause } from 'node:timers/promises';
import { browserProcesses, killOne, signalOne } from '../soak/faults.ts';
import { check, checkKind, checkOk, openPage, timed } from './row.ts';
import type { Row, Scene } from './row.ts';

const storing = `<title>Home</title><button id="go">Go</button><script>
  go.onclick = () => { document.cookie = 'cart=3'; localStorage.theme = 'dark'; document.title = 'Stored' };
</script>`;
const stored = '() => document.cookie + " " + localStorage.theme';
const plain = '<title>Home</title><button id="go">Go</button>';
/** Errors that tell of a death come at once; the rest is for a busy machine. */
const atOnceMs = 5000;

function signalAll(pid: number, what: 'browser' | 'renderer', signal: NodeJS.Signals): void {
  for (const member of browserProcesses(pid, what)) {
    try {
      process.kill(member, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function killDuring(
  scene: Scene,
  signal: NodeJS.Signals,
  what: 'browser' | 'renderer',
  tool: readonly [string, Readonly<Record<string, unknown>>],
): Promise<{ readonly ms: number; readonly kind: string | undefined; readonly next: string }> {
  const { call, pid } = await openPage(scene, plain);
  const running = call(...tool);
  const delay = 200 + scene.random.below(800);
  await pause(delay);
  scene.inject(`${signal} to the ${what} ${delay} ms into ${tool[0]}`);
  signalAll(pid, what, signal);
  const { ms, value } = await timed(running);
  const next = await call('browser_snapshot', {});
  checkOk(next, 'Home');
  return { ms, kind: value.kind, next: next.text };
}

export const browserRows: readonly Row[] = [
  {
    id: '1',
    fault: 'the browser is killed between two calls',
    isShort: true,
    run: async (scene) => {
      const { call, pid } = await openPage(scene, storing);
      checkOk(await call('browser_click', { selector: '#go' }), 'Stored');
      scene.inject('SIGKILL to the browser');
      check(killOne(pid, 'browser', 0), 'no browser was found');
      checkOk(await call('browser_snapshot', {}), 'The browser was lost');
      checkOk(await call('browser_evaluate', { function: stored }), 'cart=3 dark');
    },
  },
  {
    id: '2',
    fault: 'the browser is killed during a call',
    isShort: true,
    run: async (scene) => {
      const { ms, kind } = await killDuring(scene, 'SIGKILL', 'browser', ['browser_wait_for', { time: 30 }]);
      check(kind === 'BROWSER_CRASHED', `expected BROWSER_CRASHED, not ${kind}`);
      check(ms < atOnceMs, `the call failed only after ${ms} ms`);
    },
  },
  {
    id: '3',
    fault: 'a renderer is killed during a call',
    isShort: true,
    run: async (scene) => {
      const endless = { function: '() => new Promise(() => {})' };
      const { ms, kind, next } = await killDuring(scene, 'SIGKILL', 'renderer', ['browser_evaluate', endless]);
      check(kind === 'PAGE_CRASHED', `expected PAGE_CRASHED, not ${kind}`);
      check(ms < atOnceMs, `the call failed only after ${ms} ms`);
      check(next.includes('Reopened'), 'the page was not reopened');
    },
  },
  {
    id: '4',
    fault: 'a click handler never returns',
    isShort: true,
    run: async (scene) => {
      const { call } = await openPage(scene, '<title>Home</title><button id="go" onclick="for (;;);">Go</button>');
      scene.inject('a loop in a click handler');
      const { ms } = await timed(call('browser_click', { selector: '#go', timeout: 1000 }));
      check(ms < 16_000, `the click took ${ms} ms`);
      checkOk(await call('browser_evaluate', { function: '() => document.title' }), 'Home');
    },
  },
  {
    id: '5',
    fault: 'a renderer is stopped',
    run: async (scene) => {
      const { call, pid } = await openPage(scene, plain);
      scene.inject('SIGSTOP to all renderers');
      signalAll(pid, 'renderer', 'SIGSTOP');
      const { ms, value } = await timed(call('browser_evaluate', { function: '() => 1' }));
      checkKind(value, 'PAGE_UNRESPONSIVE');
      check(ms < 20_000, `the call failed only after ${ms} ms`);
      checkOk(await call('browser_snapshot', {}), 'Home');
      signalAll(pid, 'renderer', 'SIGCONT');
    },
  },
  {
    id: '6',
    fault: 'the browser is stopped',
    isShort: true,
    run: async (scene) => {
      const { call, pid } = await openPage(scene, plain);
      scene.inject('SIGSTOP to the browser');
      check(signalOne(pid, 'browser', 0, 'SIGSTOP'), 'no browser was found');
      const { ms, value } = await timed(call('browser_evaluate', { function: '() => 1' }));
      checkKind(value, 'BROWSER_CRASHED');
      check(ms < 20_000, `the call failed only after ${ms} ms`);
      checkOk(await call('browser_snapshot', {}), 'Home');
    },
  },
  {
    id: '7',
    fault: 'a page opens dialogs without end',
    isShort: true,
    run: async (scene) => {
      const { call } = await openPage(scene, plain);
      const script = scene.random.pick([
        'for (;;) alert(1)',
        'setInterval(() => alert(1))',
        'for (let i = 0; ; i++) confirm(i)',
      ]);
      scene.inject(script);
      const html = `<title>Storm</title><script>onload = () => setTimeout(() => { ${script} })</script>`;
      const origin = await scene.serve({ '/': html, '/next': '<title>Next</title>' });
      await call('browser_navigate', { url: `${origin}/` });
      const { ms, value } = await timed(call('browser_navigate', { url: `${origin}/next` }));
      checkOk(value, 'Next');
      check(ms < 20_000, `leaving took ${ms} ms`);
    },
  },
  {
    id: '10',
    fault: 'a page has 60,000 nodes',
    run: async (scene) => {
      scene.inject('60,000 buttons and texts');
      const { call } = await openPage(scene, `<title>Big</title>${'<p>Text <button>Go</button></p>'.repeat(20_000)}`);
      const { ms, value } = await timed(call('browser_snapshot', {}));
      checkOk(value, 'button "Go"');
      check(value.text.length < 200_000, `the snapshot has ${value.text.length} characters`);
      check(ms < 20_000, `the snapshot took ${ms} ms`);
    },
  },
  {
    id: '11',
    fault: 'a renderer runs out of memory',
    run: async (scene) => {
      await using server = await scene.fresh(['--browser-arg=--js-flags=--max-old-space-size=64']);
      const origin = await scene.serve({ '/': plain });
      checkOk(await server.call('browser_navigate', { url: `${origin}/` }));
      scene.inject('allocate until the heap of 64 MB is full');
      const script = '() => { const all = []; for (;;) all.push(Array.from({ length: 1e5 }, () => ({}))) }';
      checkKind(await server.call('browser_evaluate', { function: script }), 'PAGE_CRASHED');
      checkOk(await server.call('browser_snapshot', {}), 'Home');
    },
  },
  {
    id: '21',
    fault: 'two clients use one session at once',
    isShort: true,
    run: async (scene) => {
      const { call } = await openPage(scene, plain);
      const paths = Array.from({ length: 20 }, (_, index) => `/page-${index}`);
      const origin = await scene.serve(
        Object.fromEntries(paths.map((path) => [path, `<title>Title of ${path}</title>`])),
      );
      scene.inject('20 navigations at once');
      const answers = await Promise.all(paths.map(async (path) => call('browser_navigate', { url: origin + path })));
      for (const [index, answer] of answers.entries()) checkOk(answer, `Title of /page-${index}\n`);
    },
  },
];
