import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findBrowser } from '../src/browser/find/discover.ts';

export interface ExternalBrowser extends AsyncDisposable {
  readonly endpoint: string;
  readonly pid: number;
  /** The open pages, from the browser's own list. */
  pages(): Promise<readonly string[]>;
}

/** An external browser with an open page; at the given port, or any. */
export async function startBrowser(url: string, atPort = 0): Promise<ExternalBrowser> {
  const found = await findBrowser({ type: 'chromium', headless: true });
  if (found === undefined) throw new Error('there is no browser');
  const profile = await mkdtemp(join(tmpdir(), 'helm-attach-'));
  const quiet = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const args = [
    ...(found.args ?? []),
    ...quiet,
    `--remote-debugging-port=${atPort}`,
    `--user-data-dir=${profile}`,
    url,
  ];
  const child = spawn(found.executablePath, args, {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...found.env },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the browser did not start');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const port = await vi.waitFor(
    async () => {
      const [line = ''] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
      // The file exists before it has content.
      if (line === '') throw new Error('the port is not written yet');
      return line;
    },
    { timeout: 20_000 },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    pid,
    pages: async () => {
      // The browser's own list.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const list = (await (await fetch(`${endpoint}/json/list`)).json()) as readonly { type: string; url: string }[];
      return list.filter(({ type }) => type === 'page').map((page) => page.url);
    },
    [Symbol.asyncDispose]: async () => {
      process.kill(-pid, 'SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
