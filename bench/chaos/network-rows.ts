import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { NotHere, check, checkKind, checkOk, openPage, timed } from './row.ts';
import type { Row } from './row.ts';

const plain = '<title>Home</title><button id="go">Go</button>';

/** Faults of network, disk, profile and program of the browser. */
export const networkRows: readonly Row[] = [
  {
    id: '14',
    fault: 'the server of a page is gone',
    isShort: true,
    run: async (scene) => {
      const { call } = await openPage(scene, plain);
      scene.inject('a port that nobody listens on');
      const { ms, value } = await timed(call('browser_navigate', { url: 'http://127.0.0.1:1/' }));
      checkKind(value, 'NAVIGATION_FAILED', 'NETWORK_ERROR');
      check(ms < 10_000, `the navigation failed only after ${ms} ms`);
      checkOk(await call('browser_evaluate', { function: '() => 40 + 2' }), '42');
    },
  },
  {
    id: '15',
    fault: 'the network is slow',
    isShort: true,
    run: async (scene) => {
      const { call } = await openPage(scene, plain);
      const never = (): void => undefined;
      const origin = await scene.serve({ '/never': never, '/next': '<title>Next</title>' });
      const timeout = 500 + scene.random.below(1000);
      scene.inject(`a response that never comes, with a timeout of ${timeout} ms`);
      const { ms, value } = await timed(call('browser_navigate', { url: `${origin}/never`, timeout }));
      checkKind(value, 'NAVIGATION_TIMEOUT');
      check(ms < timeout + 15_000, `the navigation took ${ms} ms`);
      checkOk(await call('browser_navigate', { url: `${origin}/next` }), 'Next');
    },
  },
  {
    id: '16',
    fault: 'the disk is full',
    run: async (scene) => {
      const folder = join(await scene.folder(), 'output');
      await mkdir(folder);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
      } catch {
        throw new NotHere('a small file system cannot be mounted');
      }
      try {
        await using server = await scene.fresh(['--output-dir', folder]);
        const noise =
          '<canvas id="c" width="800" height="600"></canvas><script>const g = c.getContext("2d"); for (let i = 0; i < 9e4; i++) { g.fillStyle = "#" + (Math.random() * 0xffffff | 0).toString(16); g.fillRect(i % 300 * 3, i / 300 * 3, 3, 3) }</script>';
        const origin = await scene.serve({ '/': `<title>Home</title>${noise}` });
        checkOk(await server.call('browser_navigate', { url: `${origin}/` }));
        scene.inject('a screenshot larger than the disk');
        const shot = await server.call('browser_take_screenshot', { filename: 'shot.png' });
        check(shot.isError && shot.kind !== 'INTERNAL_ERROR', `expected a coded error: ${shot.text.slice(0, 200)}`);
        checkOk(await server.call('browser_snapshot', {}), 'Home');
      } finally {
        execFileSync('umount', [folder], { stdio: 'ignore' });
      }
    },
  },
  {
    id: '32',
    fault: 'a profile has a stale lock and a broken file',
    run: async (scene) => {
      const profile = join(await scene.folder(), 'profile');
      await mkdir(join(profile, 'Default'), { recursive: true });
      await symlink(`${hostname()}-999999`, join(profile, 'SingletonLock'));
      await writeFile(join(profile, 'Default', 'Preferences'), '{"broken');
      await writeFile(join(profile, 'Local State'), '\0\0\0');
      scene.inject('SingletonLock of a dead process, invalid Preferences and Local State');
      await using server = await scene.fresh(['--no-isolated', '--user-data-dir', profile]);
      const origin = await scene.serve({ '/': plain });
      checkOk(await server.call('browser_navigate', { url: `${origin}/` }), 'Home');
    },
  },
  {
    id: '34',
    fault: 'the browser does not start',
    run: async (scene) => {
      const program = join(await scene.folder(), 'browser.sh');
      await writeFile(program, '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 });
      scene.inject('a program that waits instead of a browser');
      await using server = await scene.fresh(['--executable-path', program]);
      const { ms, value } = await timed(server.call('browser_navigate', { url: 'about:blank' }));
      checkKind(value, 'BROWSER_LAUNCH_FAILED');
      check(ms < 60_000, `the call failed only after ${ms} ms`);
      check((await server.end()) === 0, 'a process was left behind');
    },
  },
  {
    id: '35',
    fault: 'the browser sends garbage',
    isShort: true,
    run: async (scene) => {
      const program = join(await scene.folder(), 'browser.sh');
      const garbage = scene.random.pick(['garbage', '{"id":1,}', '{"method":1}']);
      await writeFile(program, `#!/bin/sh\nprintf '${garbage}\\000' >&4\nexec sleep 300\n`, { mode: 0o755 });
      scene.inject(`${garbage} on the pipe`);
      await using server = await scene.fresh(['--executable-path', program]);
      const first = await server.call('browser_navigate', { url: 'about:blank' });
      check(first.isError && first.kind !== 'INTERNAL_ERROR', `expected a coded error: ${first.text.slice(0, 200)}`);
      checkKind(
        await server.call('browser_click', { ref: 'e1', element: 'none' }),
        'BROWSER_LAUNCH_FAILED',
        'BROWSER_CRASHED',
      );
      check((await server.end()) === 0, 'a process was left behind');
    },
  },
];
