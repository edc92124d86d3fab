import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test as base } from 'vitest';
import { ask, dial } from '../../src/cli/client/request.ts';
import { bin, ensureBuilt } from '../built.ts';
import { CommandLineUser } from './command-line.ts';
import { eventually, familyOf, ownBrowsers, stillAlive } from './processes.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

const html = `<title>Form</title><h1>Hello</h1><label>Name <input></label>
<button onclick="document.querySelector('p').textContent = 'clicked ' + ++count">Go</button><p></p><script>let count = 0</script>`;

const test = base.extend<{ url: string; user: CommandLineUser }>({
  // oxlint-disable-next-line no-empty-pattern
  url: async ({}, use) => {
    const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    // A TCP server has an address object.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  },
  // oxlint-disable-next-line no-empty-pattern
  user: async ({}, use) => {
    await using user = new CommandLineUser();
    await use(user);
  },
});

describe('a daemon', () => {
  test('keeps the browser between commands and answers as MCP does', async ({ user, url }) => {
    const opened = await user.run(['open', url]);
    expect(opened).toMatchObject({ code: 0, stderr: '' });
    expect(opened.stdout).toContain('button "Go" [ref=e2]');
    const { daemon } = user;
    expect((await user.run(['click', 'e2'])).stdout).toBe(`### Result
Successfully clicked element: button "Go"
### Snapshot
\`\`\`diff
+ - paragraph: clicked 1
\`\`\`
`);
    expect(await user.run(['url'])).toEqual({ code: 0, stdout: `${url}\n`, stderr: '' });
    expect(user.daemon.state.process).toEqual(daemon.state.process);
    expect(statSync(user.sockets).mode & 0o777).toBe(0o700);
    expect(statSync(daemon.socket).mode & 0o777).toBe(0o600);
  });

  test('is one for 20 commands that start at once', async ({ user }) => {
    const started = await Promise.all(Array.from({ length: 20 }, async () => user.run(['sessions', '--raw'])));
    expect(started.map(({ code, stderr }) => [code, stderr])).toEqual(Array.from({ length: 20 }, () => [0, '']));
    expect(user.daemons).toHaveLength(1);
    expect(user.left.filter((name) => name.includes('lock'))).toEqual([]);
  });

  test('runs 300 commands that arrive at once in order per session', async ({ user, url }) => {
    const names = ['a', 'b', 'c'];
    for (const name of names) await user.run(['-s', name, 'open', url, 'then', 'eval', 'window.seen = []']);
    const connections = await Promise.all(names.map(async () => dial(user.daemon.socket)));
    const caller = { env: {}, cwd: user.tree, version: '0.0.0', tree: user.tree, progress: false };
    for (let number = 0; number < 100; number++) {
      for (const [place, name] of names.entries()) {
        const params = { ...caller, words: ['-s', name, 'eval', `window.seen.push(${number})`] };
        connections[place]?.write(
          `${JSON.stringify({ jsonrpc: '2.0', id: number, method: 'pagehelm/run', params })}\n`,
        );
      }
    }
    const all = Array.from({ length: 100 }, (_, number) => number).join();
    for (const name of names)
      expect(await user.run(['-s', name, 'eval', 'window.seen.join()'])).toMatchObject({ stdout: `${all}\n` });
    for (const socket of connections) socket.destroy();
  });

  test('brings sessions back after it was stopped, and after it was killed', async ({ user, url }) => {
    await user.run(['open', url, 'then', 'eval', "localStorage.setItem('k', 'v'); document.cookie = 'c=1'"]);
    await user.run(['-s', 'second', 'open', `${url}second`]);
    const stopped = user.daemon;
    const family = familyOf(stopped.state.process.pid, user.home);
    expect(await user.run(['stop'])).toMatchObject({
      code: 0,
      stdout: `Stopped ${stopped.state.process.pid} (${user.tree}).\n`,
    });
    expect(stillAlive(family)).toEqual([]);
    expect(existsSync(user.sockets)).toBe(false);
    expect((await user.run(['eval', "location.href + localStorage.getItem('k') + document.cookie"])).stdout).toBe(
      `${url}vc=1\n`,
    );
    expect((await user.run(['-s', 'second', 'url'])).stdout).toBe(`${url}second\n`);
    const killed = user.daemon;
    process.kill(killed.state.process.pid, 'SIGKILL');
    await user.ended(killed);
    expect((await user.run(['-s', 'second', 'url'])).stdout).toBe(`${url}second\n`);
    await eventually(
      'its browsers are gone',
      () => stillAlive(familyOf(killed.state.process.pid, join(user.home, 'none'))).length === 0,
    );
  });

  test('replaces a browser that was killed', async ({ user, url }) => {
    await user.run(['open', url, 'then', 'eval', "localStorage.setItem('k', 'v')"]);
    const { process: daemon } = user.daemon.state;
    const browsers = ownBrowsers(daemon.pid);
    expect(browsers).toHaveLength(1);
    for (const { pid } of browsers) process.kill(pid, 'SIGKILL');
    await eventually('the browser is gone', () => stillAlive(browsers).length === 0);
    expect(await user.run(['eval', "location.href + localStorage.getItem('k')"])).toEqual({
      code: 0,
      stdout: `${url}v\n`,
      stderr: '',
    });
    expect(user.daemon.state.process).toEqual(daemon);
  });

  test('ends when its folder is removed, when it is idle, and with its owners', async ({ user }) => {
    expect(await user.run(['tabs'])).toMatchObject({ code: 0 });
    const removed = user.daemon;
    rmSync(user.sockets, { recursive: true });
    await user.ended(removed);
    expect((await user.run(['--daemon-timeout', '1000', 'sessions'])).code).toBe(0);
    const idle = user.daemon;
    await user.ended(idle);
    const owners = [user.start(['serve', '--stdio']), user.start(['serve', '--stdio'])];
    for (const owner of owners) await user.run(['sessions', '--owner-pid', String(owner.pid)]);
    const owned = user.daemon;
    owners[0]?.kill('SIGKILL');
    expect((await user.run(['sessions'])).code).toBe(0);
    expect(user.daemon.state.process).toEqual(owned.state.process);
    owners[1]?.kill('SIGKILL');
    await user.ended(owned);
    expect(user.left).toEqual([]);
  });

  test('answers hello while commands run, and a client that ends cancels its command', async ({ user, url }) => {
    await user.run(['open', url]);
    const { daemon } = user;
    const slow = user.start(['eval', '() => new Promise(() => {})']);
    const hello = async (): Promise<{ readonly calls: number }> => {
      const socket = await dial(daemon.socket);
      // The daemon under test sends it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const answer = (await ask(socket, 'pagehelm/hello', {})) as { readonly calls: number };
      socket.destroy();
      return answer;
    };
    while ((await hello()).calls === 0);
    expect(await hello()).toMatchObject({
      calls: 1,
      tree: user.tree,
      sessions: [{ name: 'default', url, isOpen: true }],
    });
    slow.kill('SIGKILL');
    expect((await user.run(['url'])).stdout).toBe(`${url}\n`);
    expect(user.daemon.state.process).toEqual(daemon.state.process);
  });

  test('of another tree is another one, of a folder below the same one', async ({ user }) => {
    const other = join(user.home, 'other');
    mkdirSync(join(user.tree, '.git'));
    mkdirSync(join(user.tree, 'src'));
    mkdirSync(other);
    await user.run(['sessions']);
    await user.run(['sessions'], { cwd: join(user.tree, 'src') });
    expect(user.daemons).toHaveLength(1);
    await user.run(['sessions'], { cwd: other });
    expect(user.daemons.map(({ state }) => state.tree).sort()).toEqual([other, user.tree].sort());
    expect((await user.run(['ps'])).stdout.trim().split('\n')).toHaveLength(2);
    expect((await user.run(['stop', '--all'])).stdout.trim().split('\n')).toHaveLength(2);
    expect(await user.run(['ps'])).toEqual({ code: 0, stdout: 'No daemon runs.\n', stderr: '' });
    expect(await user.run(['stop'])).toEqual({ code: 0, stdout: `No daemon runs for ${user.tree}.\n`, stderr: '' });
  });

  test('refuses other options than its own, and a second daemon that allows more', async ({ user, url }) => {
    expect((await user.run(['open', url, '--blocked-domains', 'evil.example'])).code).toBe(0);
    const end = 'end it with "pagehelm stop", then start it with this option.\n';
    expect(await user.run(['url', '--blocked-domains', 'other.example'])).toEqual({
      code: 5,
      stdout: '',
      stderr: `pagehelm: The running daemon has another value for --blocked-domains. Security options cannot change while it runs: ${end}`,
    });
    expect(await user.run(['url', '--device', 'iPhone 15'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `pagehelm: The running daemon has another value for --device. It cannot change while it runs: ${end}`,
    });
    expect((await user.run(['url', '--blocked-domains', 'evil.example'])).code).toBe(0);
    expect((await user.run(['url'], { env: { PAGEHELM_READ_ONLY: 'true' } })).code).toBe(5);
    writeFileSync(join(user.tree, 'loose.json'), '{}');
    const second = await user.run(['--config', 'loose.json', 'open', url]);
    expect(second.code).toBe(5);
    expect(second.stderr).toContain('A daemon of this working tree runs with other security options');
    expect(user.daemons).toHaveLength(1);
  });

  test('hands its sessions over to a newer version', async ({ user, url }) => {
    await user.run(['open', url]);
    const old = user.daemon;
    const newer = join(user.home, 'newer');
    const renewed = (file: string): string =>
      readFileSync(file, 'utf8').replaceAll(`"${old.state.version}"`, '"99.0.0"');
    mkdirSync(join(newer, 'chunks'), { recursive: true });
    const chunks = join(bin, '..', 'chunks');
    for (const name of readdirSync(chunks)) {
      writeFileSync(join(newer, 'chunks', name), renewed(join(chunks, name)));
    }
    writeFileSync(join(newer, 'bin.js'), renewed(bin));
    writeFileSync(join(newer, 'package.json'), '{"type":"module"}');
    symlinkSync(join(bin, '../../node_modules'), join(newer, 'node_modules'));
    const program = join(newer, 'bin.js');
    expect(await user.run(['url'], { program })).toEqual({ code: 0, stdout: `${url}\n`, stderr: '' });
    expect(user.daemon.state).toMatchObject({ version: '99.0.0' });
    // An older client uses the newer daemon.
    expect((await user.run(['url'])).stdout).toBe(`${url}\n`);
    expect(user.daemon.state.version).toBe('99.0.0');
  });

  test('is not used if other users could have put the socket there', async ({ user }) => {
    mkdirSync(user.sockets);
    chmodSync(user.sockets, 0o755);
    expect(await user.run(['sessions'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `pagehelm: Other users can open ${user.sockets}. Run: chmod 700 ${user.sockets}\n`,
    });
  });

  test('is shared by an MCP client with serve --join', async ({ user, url }) => {
    await user.run(['open', url]);
    await using joined = new ServerProcess({ args: ['serve', '--join'], cwd: user.tree, env: user.env });
    await joined.initialize();
    expect((await joined.call('browser_click', { ref: 'e2' })).text).toContain('clicked 1');
    expect((await user.run(['snapshot'])).stdout).toContain('clicked 1');
    expect(user.daemons).toHaveLength(1);
  });
});

/** Another user, where this one may become another. */
const others = process.getuid?.() === 0 && isReadableBy(65_534) ? [65_534] : [];

function asUser(uid: number, command: readonly string[]): readonly string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...command];
}

function isReadableBy(uid: number): boolean {
  const [file = '', ...args] = asUser(uid, ['test', '-r', join(bin, '../../package.json')]);
  return spawnSync(file, args).status === 0;
}

describe('two users', () => {
  test.each(others)('have daemons of their own, which user %i cannot reach', async (uid) => {
    await using user = new CommandLineUser();
    using folder = temporaryFolder();
    chownSync(folder.path, uid, uid);
    const own = { HOME: folder.path, XDG_RUNTIME_DIR: folder.path, XDG_STATE_HOME: folder.path, TMPDIR: folder.path };
    const run = (env: Readonly<Record<string, string>>, ...words: readonly string[]) => {
      const [file = '', ...args] = asUser(uid, [process.execPath, bin, ...words]);
      return spawnSync(file, args, {
        cwd: folder.path,
        env: { ...process.env, ...user.env, ...env },
        encoding: 'utf8',
      });
    };
    expect((await user.run(['sessions'])).code).toBe(0);
    const mine = user.daemon;
    const theirs = run(own, 'sessions');
    expect([theirs.stderr, theirs.status]).toEqual(['', 0]);
    expect(statSync(join(folder.path, 'pagehelm')).uid).toBe(uid);
    expect(run(own, 'ps').stdout.trim().split('\n')).toHaveLength(1);
    expect((await user.run(['ps'])).stdout).not.toContain(folder.path);
    // The folder of the first user is closed to the other one, and so is the socket in it.
    const connect = `require('node:net').connect(process.argv[1]).on('error', ({ code }) => console.log(code))`;
    const [file = '', ...args] = asUser(uid, [process.execPath, '-e', connect, mine.socket]);
    expect(spawnSync(file, args, { encoding: 'utf8' }).stdout).toBe('EACCES\n');
    expect(run(own, 'stop', '--all').status).toBe(0);
    expect((await user.run(['sessions'])).code).toBe(0);
    expect(user.daemon.state.process).toEqual(mine.state.process);
  });
});

describe('serve --join', () => {
  test('starts the daemon, and leaves it running for others', async ({ user, url }) => {
    {
      await using joined = new ServerProcess({ args: ['serve', '--join'], cwd: user.tree, env: user.env });
      await joined.initialize();
      expect((await joined.call('browser_navigate', { url })).text).toContain('Hello');
    }
    expect((await user.run(['url'])).stdout).toBe(`${url}\n`);
  });
});
