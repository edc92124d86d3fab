import { lstatSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test as base } from 'vitest';
import { listProcesses } from '../../src/browser/process/processes.ts';
import type { ProcessEntry } from '../../src/browser/process/processes.ts';
import { ensureBuilt } from '../built.ts';
import { CommandLineUser } from './command-line.ts';
import { aliveIn, commandOf, eventually, stillAlive } from './processes.ts';
import { ServerProcess } from './server-process.ts';

beforeAll(ensureBuilt);

const html = `<title>Form</title><label>Name <input></label><button onclick="out.textContent = 'clicked ' + ++count">Go</button>
<p id="out"></p><script>let count = 0</script>`;

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

const holdersOf = (user: CommandLineUser): readonly ProcessEntry[] =>
  aliveIn(user.home).filter(({ pid }) => commandOf(pid).includes(' hold-browser'));
const browsersOf = (user: CommandLineUser): readonly ProcessEntry[] => {
  const holders = new Set(holdersOf(user).map(({ pid }) => pid));
  return listProcesses().filter(({ pid, ppid }) => holders.has(ppid) && commandOf(pid).includes('--remote-debugging'));
};
const nothingLeft = async (user: CommandLineUser): Promise<void> =>
  eventually(
    'nothing is left',
    () => {
      const alive = aliveIn(user.home).map(({ pid }) => commandOf(pid).slice(0, 120));
      const files = readdirSync(join(user.home, 'tmp'));
      return alive.length + files.length === 0 || [...alive, ...files].join('\n');
    },
    15_000,
  );
const kill = async (pid: number | undefined): Promise<void> => {
  // 0 is the process group of the tests.
  if (pid === undefined || pid === 0) throw new Error('there is no such process');
  const found = listProcesses().filter((entry) => entry.pid === pid);
  process.kill(pid, 'SIGKILL');
  await eventually('it is gone', () => stillAlive(found).length === 0);
};
const keep = ['--keep-browsers', '--keep-timeout', '5000'];

describe('with --keep-browsers', () => {
  test('pages survive a daemon that is killed, and one that ends', async ({ user, url }) => {
    const env = { PAGEHELM_KEEP_BROWSERS: 'true', PAGEHELM_KEEP_TIMEOUT: '20000' };
    await user.run(['open', url], { env });
    await user.run(['fill', 'e1', 'Ada', 'then', 'click', 'e2', 'then', 'eval', 'window.mark = 42'], { env });
    await user.run(['-s', 'other', 'open', `${url}other`, 'then', 'tab-new', `${url}tab`], { env });
    const browsers = browsersOf(user);
    expect(browsers).toHaveLength(1);
    await kill(user.daemon.state.process.pid);
    const state = "() => [document.querySelector('input').value, out.textContent, window.mark].join()";
    const after = await user.run(['eval', state, '--json'], { env });
    const [step] = JSON.parse(after.stdout).steps;
    expect([step.ok, JSON.stringify(step)]).toEqual([true, expect.stringContaining('Ada,clicked 1,42')]);
    expect(after.stdout).toContain('The server was restarted. The browser was kept: 1 tab is as before');
    expect((await user.run(['-s', 'other', 'tabs'], { env })).stdout).toMatch(/other[^]*tab/);
    // Refs live in the page: a snapshot shows them as they were.
    expect((await user.run(['click', 'e2'], { env })).stderr).toContain('[REF_NOT_FOUND]');
    expect((await user.run(['snapshot'], { env })).stdout).toContain('button "Go" [active] [ref=e2]');
    expect((await user.run(['click', 'e2'], { env })).stdout).toContain('clicked 2');
    expect(browsersOf(user)).toEqual(browsers);
    const second = user.daemon;
    process.kill(second.state.process.pid, 'SIGTERM');
    await user.ended(second);
    expect((await user.run(['eval', state], { env })).stdout).toContain('Ada,clicked 2,42');
    expect(browsersOf(user)).toEqual(browsers);
    expect((await user.run(['stop'], { env })).code).toBe(0);
    await nothingLeft(user);
  });

  test('the sockets belong to the user alone', async ({ user, url }) => {
    await user.run([...keep, 'open', url]);
    const parent = join(user.home, 'tmp', `pagehelm-${process.getuid?.()}`);
    const runs = readdirSync(parent).map((name) => join(parent, name));
    const held = runs.filter((run) => readdirSync(run).includes('held.json'));
    expect(held).toHaveLength(1);
    const [folder = ''] = held;
    const sockets = readdirSync(join(folder, 'browser')).map((name) => join(folder, 'browser', name));
    expect(sockets).toHaveLength(1);
    const modes = [folder, join(folder, 'claim'), ...sockets].map((path) => lstatSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  test('a holder that is killed takes its browser along, and the session is restored', async ({ user, url }) => {
    await user.run([...keep, 'open', url, 'then', 'eval', "localStorage.setItem('k', 'v')"]);
    const [holder] = holdersOf(user);
    const browsers = browsersOf(user);
    await kill(holder?.pid);
    const back = await user.run(['eval', "location.href + localStorage.getItem('k')"]);
    expect(back).toMatchObject({ code: 0, stdout: `${url}v\n` });
    await eventually('the browser of the first holder is gone', () => stillAlive(browsers).length === 0);
    expect(browsersOf(user)).toHaveLength(1);
  });

  test('a browser that is killed is replaced', async ({ user, url }) => {
    await user.run([...keep, 'open', url]);
    const [holder, [browser]] = [holdersOf(user), browsersOf(user)];
    await kill(browser?.pid);
    expect(await user.run(['url'])).toMatchObject({ code: 0, stdout: `${url}\n` });
    await eventually('its holder is gone', () => stillAlive(holder).length === 0);
    expect(holdersOf(user)).toHaveLength(1);
  });

  test('nothing is left when no server comes back, and when all are killed', async ({ user, url }) => {
    await user.run(['--keep-browsers', '--keep-timeout', '1000', 'open', url]);
    await kill(user.daemon.state.process.pid);
    await nothingLeft(user);
    await user.run([...keep, 'open', url]);
    const [holder] = holdersOf(user);
    await Promise.all([kill(holder?.pid), kill(user.daemon.state.process.pid)]);
    await nothingLeft(user);
  });

  test('a server on stdio finds its pages again', async ({ user, url }) => {
    const options = { args: ['--headless', ...keep], cwd: user.tree, env: user.env };
    {
      await using server = new ServerProcess(options);
      await server.initialize();
      expect((await server.call('browser_navigate', { url })).text).toContain('ref=e1');
      await server.call('browser_type', { ref: 'e1', text: 'Ada' });
      await kill(server.child.pid);
    }
    await using server = new ServerProcess(options);
    await server.initialize();
    const snapshot = await server.call('browser_snapshot', {});
    expect(snapshot.text).toContain('textbox "Name" [active] [ref=e1]: Ada');
    expect(snapshot.text).toContain('The browser was kept');
  });

  test('a second server at the same time has its own browser', async ({ user, url }) => {
    const options = { args: ['--headless', ...keep], cwd: user.tree, env: user.env };
    await using first = new ServerProcess(options);
    await using second = new ServerProcess(options);
    for (const server of [first, second]) {
      await server.initialize();
      expect((await server.call('browser_navigate', { url })).text).toContain('ref=e1');
    }
    expect(browsersOf(user)).toHaveLength(2);
  });

  test('is refused where pages would lose their network or their rules', async ({ user }) => {
    const refused = await user.run(['--keep-browsers', '--allowed-domains', 'example.com', 'tabs']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--keep-browsers cannot be combined with domain rules');
    const profile = await user.run(['--keep-browsers', '--user-data-dir', 'p', 'tabs']);
    expect(profile.stderr).toContain('--keep-browsers cannot be combined with --user-data-dir');
  });
});
