import { existsSync, readdirSync } from 'node:fs';
import { readlink, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallTool } from '../server-client.ts';
import { browserProcesses } from '../soak/faults.ts';
import { MemoryGroup } from './memory-group.ts';
import { NotHere, check, checkKind, checkOk, openPage, timed } from './row.ts';
import type { Row, Scene } from './row.ts';

const storing = `<title>Home</title><button id="go">Go</button><script>
  go.onclick = () => { document.cookie = 'cart=3'; localStorage.theme = 'dark'; document.title = 'Stored' };
</script>`;
const stored = '() => location.pathname + " " + document.cookie + " " + localStorage.theme';
const allocate = '() => { const all = []; for (;;) all.push(new Uint8Array(4e6).fill(1)) }';
const groupBytes = 300_000_000;
const dayMs = 86_400_000;

/** A program that joins the group and becomes the browser, so that all memory of the browser counts. */
async function memberProgram(scene: Scene, group: MemoryGroup): Promise<string> {
  const { pid } = await openPage(scene, storing);
  const [main] = browserProcesses(pid, 'browser');
  if (main === undefined) throw new Error('no browser was found');
  const program = join(await scene.folder(), 'browser.sh');
  const browser = await readlink(`/proc/${main}/exe`);
  await writeFile(program, `#!/bin/sh\necho $$ >'${group.procsFile}'\nexec '${browser}' "$@"\n`, { mode: 0o755 });
  return program;
}

/** Fills the control group of a browser. The kernel kills the largest process, which is the renderer. */
async function exhaust(scene: Scene): Promise<void> {
  await using group = MemoryGroup.create(groupBytes);
  const program = await memberProgram(scene, group);
  await using server = await scene.fresh(['--executable-path', program]);
  const origin = await scene.serve({ '/shop': storing });
  checkOk(await server.call('browser_navigate', { url: `${origin}/shop` }), 'Home');
  checkOk(await server.call('browser_click', { selector: '#go' }), 'Stored');
  const [main] = browserProcesses(server.pid, 'browser');
  if (main === undefined) throw new Error('no browser was found');
  check(group.members.includes(main), 'the browser is not in the control group');
  scene.inject('allocate until the 300 MB of the control group are full');
  const { ms, value } = await timed(server.call('browser_evaluate', { function: allocate }));
  check(group.kills > 0, `the kernel killed nothing: ${value.text.slice(0, 200)}`);
  checkKind(value, 'PAGE_CRASHED');
  check(ms < 30_000, `the call failed only after ${ms} ms`);
  checkOk(await server.call('browser_evaluate', { function: stored }), '/shop cart=3 dark');
  checkOk(await server.call('browser_click', { selector: '#go' }), 'Stored');
  check((await server.end()) === 0, 'a process was left behind');
}

/** The library that changes the clock of a process; each distribution has its own folder. */
function fakeTimeLibrary(): string {
  const bases = ['/usr/lib', '/usr/lib64', '/usr/local/lib'].filter((folder) => existsSync(folder));
  const folders = bases.flatMap((base) => [base, ...readdirSync(base).map((name) => join(base, name))]);
  const candidates = folders.flatMap((folder) =>
    ['', 'faketime'].map((name) => join(folder, name, 'libfaketimeMT.so.1')),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found === undefined) throw new NotHere('needs libfaketimeMT.so.1 of the package libfaketime');
  return found;
}

/** The difference of the server's clock to this one, by the times of a new session. */
async function clockAhead(call: CallTool): Promise<number> {
  const { text } = await call('create_session', { ttl: 60_000 });
  const [, id = '', createdAt = ''] = /"sessionId":\s*"([^"]+)"[^]*?"createdAt":\s*"([^"]+)"/.exec(text) ?? [];
  checkOk(await call('close_session', { sessionId: id }));
  return Date.parse(createdAt) - Date.now();
}

/** Sets the clock of the server during calls, and checks them and a session that must not expire yet. */
async function jump(scene: Scene, call: CallTool, set: () => Promise<void>, days: number): Promise<void> {
  const kept = /"sessionId":\s*"([^"]+)"/.exec((await call('create_session', { ttl: 30_000 })).text)?.[1] ?? '';
  const short = /"sessionId":\s*"([^"]+)"/.exec((await call('create_session', { ttl: 4000 })).text)?.[1] ?? '';
  const created = performance.now();
  const waiting = timed(call('browser_wait_for', { time: 2 }));
  await pause(300 + scene.random.below(500));
  scene.inject(`the clock of the server is set to ${days > 0 ? '+' : ''}${days} days`);
  await set();
  const listed = await call('list_sessions', {});
  if (performance.now() - created < 3500) checkOk(listed, short);
  const { ms, value } = await waiting;
  checkOk(value);
  check(ms >= 1900 && ms < 12_000, `a wait of 2 seconds took ${ms} ms`);
  const ahead = await clockAhead(call);
  check(Math.abs(ahead - days * dayMs) < 60_000, `the clock of the server differs by ${ahead} ms`);
  checkOk(await call('browser_click', { selector: '#go' }), 'Successfully clicked');
  const deadline = created + 15_000;
  let sessions = await call('list_sessions', {});
  while (sessions.text.includes(short) && performance.now() < deadline) {
    await pause(100);
    sessions = await call('list_sessions', {});
  }
  check(!sessions.text.includes(short), 'a session with a lifetime of 4 seconds was still open after 15');
  check(performance.now() - created >= 3900, 'a session expired early');
  checkOk(sessions, kept);
}

/** Faults of the machine. */
export const machineRows: readonly Row[] = [
  {
    id: '12',
    fault: 'the control group of the browser runs out of memory',
    run: exhaust,
  },
  {
    id: '30',
    fault: 'the clock jumps by a day',
    run: async (scene) => {
      const library = fakeTimeLibrary();
      const folder = await scene.folder();
      const file = join(folder, 'time');
      const set = async (days: number): Promise<void> => {
        // Renamed: the server reads the file at any time, and must not see an empty one.
        await writeFile(`${file}.new`, `${days < 0 ? '' : '+'}${days}d\n`);
        await rename(`${file}.new`, file);
      };
      await set(0);
      await using server = await scene.fresh([], {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      });
      const origin = await scene.serve({ '/': storing });
      checkOk(await server.call('browser_navigate', { url: `${origin}/` }), 'Home');
      for (const days of [1, 0, -1, 0]) await jump(scene, server.call, async () => set(days), days);
      check((await server.end()) === 0, 'a process was left behind');
    },
  },
];
