import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ContestantName = 'pagehelm' | 'playwright-cli' | 'agent-browser';

const versions = { '@playwright/cli': '0.1.22', 'agent-browser': '0.41.1' } as const;

/** How a program of the command line is used. Each command line is a list of words. */
export interface Contestant {
  readonly name: ContestantName;
  readonly program: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly open: (url: string) => readonly string[];
  readonly url: readonly string[];
  readonly click: (ref: string) => readonly string[];
  readonly fill: (ref: string, text: string, submit: boolean) => readonly (readonly string[])[];
  /** Shows the page if the answer of an action does not; absent if it does. */
  readonly look?: readonly string[];
  /** Finds an element that was not shown; absent if snapshots show all of them. */
  readonly find?: (name: string) => readonly string[];
  /** Text that its snapshots never show: a step that would see it goes on without. */
  readonly omits?: string;
  readonly inSession: (session: string, words: readonly string[]) => readonly string[];
  readonly stop: readonly string[];
}

/** Installs the other programs, once. */
function peersFolder(root: string): string {
  const folder = join(root, 'build', 'peers');
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const isThere = Object.entries(versions).every(([name, version]) => {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  });
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  if (!isThere)
    execFileSync('npm', ['install', '--prefix', folder, ...options, ...wanted], { stdio: ['ignore', 2, 2] });
  return join(folder, 'node_modules');
}

export function contestants(root: string, browser: string): readonly Contestant[] {
  const peers = peersFolder(root);
  const native = join(peers, 'agent-browser', 'bin', `agent-browser-${process.platform}-${process.arch}`);
  chmodSync(native, 0o755);
  return [
    {
      name: 'pagehelm',
      program: [process.execPath, join(root, 'dist', 'bin.js')],
      env: { PAGEHELM_EXECUTABLE_PATH: browser, PAGEHELM_HEADLESS: 'true' },
      open: (url) => ['open', url],
      url: ['url'],
      click: (ref) => ['click', ref],
      fill: (ref, text, submit) => [['fill', ref, text, ...(submit ? ['--submit'] : [])]],
      find: (name) => ['find', name],
      inSession: (session, words) => ['-s', session, ...words],
      stop: ['stop', '--all'],
    },
    {
      name: 'playwright-cli',
      program: [process.execPath, join(peers, '@playwright', 'cli', 'playwright-cli.js')],
      env: {
        PLAYWRIGHT_MCP_EXECUTABLE_PATH: browser,
        PLAYWRIGHT_MCP_SANDBOX: 'false',
        PLAYWRIGHT_MCP_HEADLESS: 'true',
      },
      open: (url) => ['open', url],
      url: ['eval', 'location.href'],
      click: (ref) => ['click', ref],
      fill: (ref, text, submit) => [['fill', ref, text, ...(submit ? ['--submit'] : [])]],
      // Its answers name a file with the snapshot.
      look: ['cat'],
      inSession: (session, words) => [`-s=${session}`, ...words],
      stop: ['close-all'],
    },
    {
      name: 'agent-browser',
      program: [native],
      env: { AGENT_BROWSER_EXECUTABLE_PATH: browser, AGENT_BROWSER_ARGS: '--no-sandbox' },
      open: (url) => ['open', url],
      url: ['get', 'url'],
      click: (ref) => ['click', `@${ref}`],
      fill: (ref, text, submit) => [['fill', `@${ref}`, text], ...(submit ? [['press', 'Enter']] : [])],
      look: ['snapshot', '--delta'],
      omits: 'pressed',
      inSession: (session, words) => ['--session', session, ...words],
      stop: ['close', '--all'],
    },
  ];
}

export interface Printed {
  readonly text: string;
  readonly ms: number;
}

/** One user of a program, with a home and a working tree of their own. Disposing ends the daemons. */
export class CommandUser implements AsyncDisposable {
  readonly contestant: Contestant;
  readonly home = mkdtempSync(join(tmpdir(), 'cb-'));
  readonly tree = join(this.home, 'tree');
  readonly env: Readonly<Record<string, string | undefined>>;

  constructor(contestant: Contestant) {
    this.contestant = contestant;
    for (const folder of [this.tree, join(this.home, 'run'), join(this.home, 'tmp')])
      mkdirSync(folder, { mode: 0o700 });
    const { home } = this;
    this.env = {
      ...process.env,
      ...contestant.env,
      HOME: home,
      XDG_RUNTIME_DIR: join(home, 'run'),
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CACHE_HOME: join(home, 'cache'),
      TMPDIR: join(home, 'tmp'),
    };
  }

  async run(words: readonly string[], cwd = this.tree): Promise<Printed> {
    const [file = '', ...args] = words[0] === 'cat' ? words : [...this.contestant.program, ...words];
    const began = performance.now();
    return new Promise((resolve, reject) => {
      execFile(file, args, { cwd, env: this.env, timeout: 120_000, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
        const ms = performance.now() - began;
        if (error === null) resolve({ text: `${stdout}${stderr}`, ms });
        else reject(new Error(`${this.contestant.name} ${words.join(' ')}: ${stdout}${stderr}`, { cause: error }));
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run(this.contestant.stop).catch(() => undefined);
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The file that an answer of playwright-cli names. */
export function snapshotFile(text: string): string | undefined {
  return /\[Snapshot\]\((.+?)\)/.exec(text)?.[1];
}

/** Lines of a snapshot, with the ref of `[checked=false, ref=e5]` as an attribute of its own. */
export function linesOf(text: string): readonly string[] {
  return text.replaceAll(/\[([^\]]*), ref=(\w+)([^\]]*)\]/g, '[$1$3] [ref=$2]').split('\n');
}
