import { constants } from 'node:fs';
import { access, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { BrowserWanted, FoundBrowser } from '../../browser/find/discover.ts';
import { findBrowsers } from '../../browser/find/discover.ts';
import { browserMode, environmentFacts, leastDevShmBytes } from '../../browser/find/environment.ts';
import { installCommand } from '../../browser/find/install.ts';
import type { Machine } from '../../browser/find/machine.ts';
import { filled, localMachine } from '../../browser/find/machine.ts';
import type { Probe } from '../../browser/find/probe.ts';
import { createProbe } from '../../browser/find/probe.ts';
import { runCommand } from '../../browser/process/run-command.ts';
import type { MachineCommandContext } from './install.ts';

export interface DoctorContext extends MachineCommandContext {
  readonly json?: boolean;
  readonly probe?: Probe;
  readonly nodeVersion?: string;
  /** The running daemons of the command line, one line each. */
  readonly daemons?: () => Promise<readonly string[]>;
}

/** The result of one check. FAIL: the server does not work. */
interface Finding {
  readonly status: 'ok' | 'warn' | 'FAIL';
  readonly topic: string;
  readonly text: string;
  /** How to fix it. */
  readonly advice?: string;
}

/** Reports what works on this machine and how to fix the rest. Returns 1 if the server cannot work. */
export async function runDoctor(context: DoctorContext): Promise<number> {
  const findings = await examine(context);
  const isUsable = findings.every(({ status }) => status !== 'FAIL');
  if (context.json === true) context.stdout(JSON.stringify({ usable: isUsable, findings }, undefined, 2));
  else for (const line of reportLines(findings)) context.stdout(line);
  return isUsable ? 0 : 1;
}

async function examine(context: DoctorContext): Promise<readonly Finding[]> {
  const machine = context.machine ?? localMachine(context.env);
  const { type, channel, executablePath, headless } = context.config.browser;
  const mode = browserMode(headless, machine);
  const wanted: BrowserWanted = { type, channel, executablePath, headless: mode.headless };
  const browsers = await findBrowsers(wanted, machine);
  const probe = context.probe ?? createProbe(machine);
  return [
    nodeFinding(context.nodeVersion ?? process.versions.node),
    { status: 'ok', topic: 'pagehelm', text: context.version },
    ...(await browserFindings(browsers, wanted, machine, probe)),
    { status: 'ok', topic: 'Mode', text: `${mode.headless ? 'headless' : 'headed'}: ${mode.reason}` },
    ...environmentFindings(machine, browsers[0]?.executablePath, type),
    ...(await folderFindings(context)),
    ...(await fontFindings(machine)),
    ...((await context.daemons?.()) ?? []).map((text): Finding => ({ status: 'ok', topic: 'Daemon', text })),
  ];
}

const leastNode = [20, 19] as const;

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  const advice = `install Node.js ${leastNode.join('.')} or newer`;
  return { status: isEnough ? 'ok' : 'FAIL', topic: 'Node.js', text: version, ...(!isEnough && { advice }) };
}

async function browserFindings(
  browsers: readonly FoundBrowser[],
  wanted: BrowserWanted,
  machine: Machine,
  probe: Probe,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let isSettled = false;
  for (const found of browsers) {
    const label = `${found.executablePath} (${found.kind}, ${found.source})`;
    if (isSettled) {
      findings.push({ status: 'ok', topic: 'Also found', text: label });
      continue;
    }
    const result = await probe(found, wanted.headless);
    isSettled = result.starts;
    findings.push(
      result.starts
        ? { status: 'ok', topic: 'Browser', text: `${label} starts: version ${result.version}, ${result.tookMs} ms` }
        : {
            status: 'warn',
            topic: 'Browser',
            text: `${label} does not start: ${result.reason}`,
            advice: repair(wanted),
          },
    );
  }
  if (!isSettled) findings.push(missingBrowser(wanted, machine));
  return findings;
}

function repair(wanted: BrowserWanted): string {
  return `npx playwright install-deps ${wanted.type} installs libraries that may be missing`;
}

function missingBrowser(wanted: BrowserWanted, machine: Machine): Finding {
  const path = filled(wanted.executablePath);
  if (path !== undefined) {
    const text = `the configured browser ${path} cannot be used`;
    return {
      status: 'FAIL',
      topic: 'Browser',
      text,
      advice: 'correct the path, or omit it to use an installed browser',
    };
  }
  const name = filled(wanted.channel) ?? wanted.type;
  const advice = `pagehelm install-browser, or: ${installCommand(wanted, machine)}`;
  return { status: 'FAIL', topic: 'Browser', text: `no ${name} was found that starts`, advice };
}

function environmentFindings(machine: Machine, executablePath: string | undefined, type: string): readonly Finding[] {
  const facts = environmentFacts(machine, executablePath);
  const where = facts.inContainer ? 'in a container' : 'not in a container';
  const findings: Finding[] = [
    { status: 'ok', topic: 'Running', text: `${facts.isRoot ? 'as root' : 'as a user'}, ${where}` },
  ];
  const display = facts.hasDisplay ? 'available' : 'none; only headless mode works';
  findings.push({ status: 'ok', topic: 'Display', text: display });
  if (type === 'chromium') {
    findings.push(
      facts.sandbox.works
        ? { status: 'ok', topic: 'Sandbox', text: 'on' }
        : {
            status: 'warn',
            topic: 'Sandbox',
            text: `off: ${facts.sandbox.reason}`,
            advice: 'run as a non-root user who may create user namespaces, especially for untrusted pages',
          },
    );
  }
  if (facts.devShmBytes !== undefined) findings.push(devShmFinding(facts.devShmBytes));
  return findings;
}

function devShmFinding(bytes: number): Finding {
  const text = `${Math.round(bytes / 1024 / 1024)} MiB`;
  if (bytes >= leastDevShmBytes) return { status: 'ok', topic: '/dev/shm', text };
  const advice = 'large pages may crash: start the container with --shm-size=1g or --ipc=host';
  return { status: 'warn', topic: '/dev/shm', text, advice };
}

async function folderFindings(context: DoctorContext): Promise<readonly Finding[]> {
  const { outputDir, screenshotDir } = context.config;
  const findings: Finding[] = [];
  for (const [topic, folder] of [
    ['Output', outputDir],
    ['Screenshots', screenshotDir],
  ] as const) {
    if (folder !== undefined) findings.push(await folderFinding(topic, resolve(context.cwd, folder)));
  }
  return [...findings, await tempFinding()];
}

/** The folder is created on first use, so the nearest existing parent is checked. */
async function folderFinding(topic: string, folder: string): Promise<Finding> {
  let nearest = folder;
  while (dirname(nearest) !== nearest && (await isMissing(nearest))) nearest = dirname(nearest);
  try {
    if (!(await stat(nearest)).isDirectory()) throw new Error('not a folder');
    await access(nearest, constants.W_OK | constants.X_OK);
    const text = nearest === folder ? `${folder} can be written` : `${folder} will be created when needed`;
    return { status: 'ok', topic, text };
  } catch {
    const advice = `make ${nearest} a directory that this user can write to, or choose another one`;
    return { status: 'warn', topic, text: `${folder} cannot be written`, advice };
  }
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK);
    return false;
  } catch {
    return true;
  }
}

/** Writes a file: that is the only way to detect a full disk. */
async function tempFinding(): Promise<Finding> {
  const topic = 'Temporary';
  try {
    const folder = await mkdtemp(join(tmpdir(), 'pagehelm-doctor-'));
    try {
      await writeFile(join(folder, 'probe'), 'x'.repeat(4096));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return { status: 'ok', topic, text: `${tmpdir()} can be written` };
  } catch {
    const advice = 'browsers store their profiles there: free some space, or set TMPDIR to a writable directory';
    return { status: 'FAIL', topic, text: `${tmpdir()} cannot be written`, advice };
  }
}

async function fontFindings(machine: Machine): Promise<readonly Finding[]> {
  if (machine.platform !== 'linux') return [];
  const topic = 'Fonts';
  const list = await runCommand({ command: 'fc-list', args: [], env: machine.env, timeoutMs: 5000 });
  if (list.exitCode !== 0) return [{ status: 'ok', topic, text: 'not checked: fc-list is not installed' }];
  const count = list.output.split('\n').filter((line) => line.trim() !== '').length;
  if (count > 0) return [{ status: 'ok', topic, text: 'installed' }];
  const advice = 'screenshots will contain no text: install fonts, for example the package fonts-liberation';
  return [{ status: 'warn', topic, text: 'none', advice }];
}

function reportLines(findings: readonly Finding[]): readonly string[] {
  const width = Math.max(...findings.map(({ topic }) => topic.length));
  const lines = findings.flatMap(({ status, topic, text, advice }) => [
    `${status.padEnd(5)} ${topic.padEnd(width)}  ${text}`,
    ...(advice === undefined ? [] : [`${' '.repeat(6 + width)}  fix: ${advice}`]),
  ]);
  const failures = findings.filter(({ status }) => status === 'FAIL').length;
  const verdict = failures === 0 ? 'pagehelm works on this machine.' : 'pagehelm does not work on this machine yet.';
  return [...lines, '', verdict];
}
