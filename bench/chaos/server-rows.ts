import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, processTree } from '../proc.ts';
import type { ProcessId } from '../proc.ts';
import { serverArgs, serverFile } from '../server-client.ts';
import { browserProcesses } from '../soak/faults.ts';
import { check, checkOk, timed } from './row.ts';
import type { Row, Scene } from './row.ts';

const plain = '<title>Home</title><button id="go">Go</button>';
const goneMs = 5000;

/** Resolves once none of the processes runs; throws if some stay. */
async function gone(tree: readonly ProcessId[]): Promise<void> {
  const deadline = Date.now() + goneMs;
  while (tree.some(isAlive) && Date.now() < deadline) await pause(50);
  const left = tree.filter(isAlive);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  check(left.length === 0, `${left.length} processes were left behind after 5 s`);
}

type Piped = ChildProcessByStdio<Writable, Readable, null>;

/** A server whose messages the row writes by hand. */
class HandDriven {
  readonly child: Piped;
  readonly answers: { readonly id?: number; readonly result?: unknown; readonly error?: unknown }[] = [];
  #rest = '';

  constructor(args: readonly string[] = []) {
    this.child = spawn(process.execPath, [serverFile, ...serverArgs, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdin.on('error', () => undefined);
    this.child.stdout.on('data', (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString()).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.answers.push(JSON.parse(line));
    });
    this.send({ id: 0, method: 'initialize', params: initialize });
    this.send({ method: 'notifications/initialized' });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  call(id: number, name: string, args: object): void {
    this.send({ id, method: 'tools/call', params: { name, arguments: args } });
  }

  /** The answers with this id, once there is one. */
  async answered(id: number, limitMs = 60_000): Promise<readonly string[]> {
    const deadline = Date.now() + limitMs;
    const found = (): readonly string[] =>
      this.answers.filter((answer) => answer.id === id).map((answer) => JSON.stringify(answer));
    while (found().length === 0 && Date.now() < deadline && this.child.exitCode === null) await pause(20);
    return found();
  }

  async ended(limitMs: number): Promise<number | string> {
    const deadline = Date.now() + limitMs;
    while (this.child.exitCode === null && this.child.signalCode === null && Date.now() < deadline) await pause(20);
    return this.child.exitCode ?? this.child.signalCode ?? 'still running';
  }
}

const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'chaos', version: '1' } };

/** A server with an open page, driven by hand. */
async function opened(
  scene: Scene,
  args: readonly string[] = [],
): Promise<{ readonly server: HandDriven; readonly origin: string }> {
  const origin = await scene.serve({ '/': plain, '/never': () => undefined });
  const server = new HandDriven(args);
  server.call(1, 'browser_navigate', { url: `${origin}/` });
  const [answer = ''] = await server.answered(1);
  check(answer.includes('Home'), `the page was not opened: ${answer.slice(0, 300)}`);
  return { server, origin };
}

async function endsBy(scene: Scene, signals: readonly NodeJS.Signals[], limitMs: number): Promise<void> {
  const { server } = await opened(scene);
  const tree = processTree(server.pid);
  scene.inject(signals.join(' and '));
  for (const signal of signals) server.child.kill(signal);
  const code = await server.ended(limitMs);
  check(code !== 'still running', `the server still ran after ${limitMs} ms`);
  await gone(tree);
}

/** Faults of the server process and of its clients. */
export const serverRows: readonly Row[] = [
  {
    id: '19',
    fault: 'the client vanishes during a call',
    run: async (scene) => {
      const { server } = await opened(scene);
      const tree = processTree(server.pid);
      server.call(2, 'browser_wait_for', { time: 60 });
      await pause(scene.random.below(500));
      scene.inject('both streams of the client are closed');
      server.child.stdin.destroy();
      server.child.stdout.destroy();
      check((await server.ended(30_000)) !== 'still running', 'the server still runs');
      await gone(tree);
    },
  },
  {
    id: '20',
    fault: 'sessions are never closed',
    run: async (scene) => {
      await using server = await scene.fresh();
      scene.inject('5 sessions with a lifetime of 1 second');
      for (let count = 0; count < 5; count++) checkOk(await server.call('create_session', { ttl: 1000 }));
      const deadline = Date.now() + 20_000;
      let listed = await server.call('list_sessions', {});
      while (/"sessionId"/.test(listed.text.replaceAll('"default"', '')) && Date.now() < deadline) {
        await pause(200);
        listed = await server.call('list_sessions', {});
      }
      check(Date.now() < deadline, `sessions are still open: ${listed.text.slice(0, 300)}`);
    },
  },
  {
    id: '23',
    fault: 'SIGTERM during a call',
    isShort: true,
    run: async (scene) => {
      const { server } = await opened(scene);
      const tree = processTree(server.pid);
      server.call(2, 'browser_wait_for', { time: 2 });
      await pause(300 + scene.random.below(500));
      scene.inject('SIGTERM during a wait of 2 seconds');
      server.child.kill('SIGTERM');
      const [answer = ''] = await server.answered(2);
      const code = await server.ended(30_000);
      check(!answer.includes('"isError":true'), `the call was not finished: ${answer.slice(0, 300)}`);
      check(answer !== '', 'the call got no answer');
      check(code === 0, `the server ended with ${code}`);
      await gone(tree);
    },
  },
  {
    id: '24',
    fault: 'two SIGINT, SIGHUP',
    run: async (scene) => {
      await endsBy(scene, ['SIGINT', 'SIGINT'], 10_000);
      await endsBy(scene, ['SIGHUP'], 30_000);
    },
  },
  {
    id: '25',
    fault: 'the server is killed',
    isShort: true,
    run: async (scene) => {
      const { server } = await opened(scene);
      const tree = processTree(server.pid);
      check(browserProcesses(server.pid, 'browser').length > 0, 'no browser was found');
      scene.inject('SIGKILL to the server');
      server.child.kill('SIGKILL');
      await gone(tree);
    },
  },
  {
    id: '26',
    fault: 'the server is restarted',
    run: async (scene) => {
      const state = await scene.folder();
      const origin = await scene.serve({ '/': '<title>Home</title><script>localStorage.theme ??= "dark"</script>' });
      const start = async () => scene.fresh(['--persistent-sessions'], { XDG_STATE_HOME: state });
      const first = await start();
      checkOk(await first.call('browser_navigate', { url: `${origin}/` }), 'Home');
      scene.inject('the server ends, another one starts');
      check((await first.end()) === 0, 'a process was left behind');
      await using second = await start();
      checkOk(await second.call('browser_snapshot', {}), 'Home');
      checkOk(await second.call('browser_evaluate', { function: '() => localStorage.theme' }), 'dark');
    },
  },
  {
    id: '28',
    fault: 'an unhandled rejection in the server',
    run: async (scene) => {
      const module = join(await scene.folder(), 'init.mjs');
      await writeFile(
        module,
        "export default async () => { setTimeout(() => Promise.reject(new Error('lonely'))) };\n",
      );
      scene.inject('an --init-page module that leaves a rejection behind');
      await using server = await scene.fresh(['--init-page', module]);
      const origin = await scene.serve({ '/': plain });
      checkOk(await server.call('browser_navigate', { url: `${origin}/` }), 'Home');
      checkOk(await server.call('browser_snapshot', {}), 'Home');
    },
  },
  {
    id: '29',
    fault: 'a message of 30 MB',
    run: async (scene) => {
      const { server } = await opened(scene);
      scene.inject('an argument of 30 MB');
      server.call(2, 'browser_evaluate', { function: '(text) => text.length', arg: 'A'.repeat(30_000_000) });
      server.call(3, 'list_sessions', {});
      const { ms, value } = await timed(server.answered(3));
      check(value.length === 1, 'the second call got no answer');
      check(ms < 20_000, `the second call took ${ms} ms`);
      check((await server.answered(2)).length === 1, 'the large call got no answer');
      server.child.stdin.end();
      await server.ended(20_000);
    },
  },
  {
    id: '31',
    fault: 'the machine sleeps',
    run: async (scene) => {
      await using server = await scene.fresh();
      const origin = await scene.serve({ '/': plain });
      checkOk(await server.call('browser_navigate', { url: `${origin}/` }), 'Home');
      scene.inject('SIGSTOP to the server for 3 seconds, during a call');
      const running = server.call('browser_wait_for', { time: 1 });
      await pause(200);
      process.kill(server.pid, 'SIGSTOP');
      await pause(3000);
      process.kill(server.pid, 'SIGCONT');
      checkOk(await running);
      checkOk(await server.call('browser_click', { selector: '#go' }));
    },
  },
  {
    id: 'duplicate',
    fault: 'a client sends a request twice',
    isShort: true,
    run: async (scene) => {
      const { server } = await opened(scene);
      scene.inject('two calls with the same id');
      const add = {
        function:
          '() => new Promise((done) => setTimeout(() => { globalThis.n = (globalThis.n ?? 0) + 1; done(n) }, 300))',
      };
      server.call(2, 'browser_evaluate', add);
      server.call(2, 'browser_evaluate', add);
      await server.answered(2);
      server.call(3, 'browser_evaluate', { function: '() => "count " + globalThis.n' });
      const [answer = ''] = await server.answered(3);
      check(answer.includes('count 1'), `the call ran twice: ${answer.slice(0, 300)}`);
      server.child.stdin.end();
      await server.ended(20_000);
    },
  },
  {
    id: 'tmpdir',
    fault: 'a temporary folder with letters of other scripts',
    run: async (scene) => {
      const folder = join(await scene.folder(), 'временная папка ü');
      await mkdir(folder);
      scene.inject(folder);
      await using server = await scene.fresh(['--output-dir', folder], { TMPDIR: folder });
      const file = (response: ServerResponse): void =>
        void response.writeHead(200, { 'content-disposition': 'attachment; filename="a.txt"' }).end('content');
      const origin = await scene.serve({
        '/': '<title>Home</title><a id="go" href="/file" download>Go</a>',
        '/file': file,
      });
      checkOk(await server.call('browser_navigate', { url: `${origin}/` }), 'Home');
      checkOk(await server.call('browser_click', { selector: '#go' }), 'a.txt');
    },
  },
];
