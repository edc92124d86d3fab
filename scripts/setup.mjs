// @ts-check
// Brings the checkout into a state in which it runs, then starts what was asked for:
//   node scripts/setup.mjs prepare | start [arguments] | test [vitest arguments] | test-all | test-cluster | bench [arguments]
//     | eval [arguments] | egress [parts] | hostile [names] | soak [arguments] | chaos [arguments] | compat [arguments]
//     | cli [arguments] | cluster [arguments]
// What is done already is skipped. stdout belongs to what is started; set-up speaks on stderr.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installClusterPrograms } from './cluster-programs.mjs';
import { withLock } from './lock.mjs';
import { addCounts, countTests, countsLine } from './test-counts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (/** @type {string[]} */ ...names) => join(root, ...names);
const say = (/** @type {string} */ line) => void process.stderr.write(`set-up: ${line}\n`);

const depsStampFile = at('node_modules', '.pagehelm-setup.json');
const stampFile = at('build', 'setup.json');
const leastNode = [20, 19];
const startPort = '8931';
const limitVariable = 'PAGEHELM_TEST_MINUTES';
const testMinutes = 60;
/** 1,000 histories of a cluster under faults. */
const longTestMinutes = 360;

/** @returns {unknown} */
function readJson(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @returns {Record<string, unknown>} The object in a file; empty when there is none. */
function readRecord(/** @type {string} */ file) {
  const value = readJson(file);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function updateStamp(/** @type {Record<string, unknown>} */ change) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${JSON.stringify({ ...readRecord(stampFile), ...change }, undefined, 2)}\n`);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])) return;
  say(
    `Node.js ${leastNode.join('.')} or newer is needed; this is ${process.versions.node}. Install a newer one and try again.`,
  );
  process.exit(1);
}

/** Runs a program with its output on stderr, or captured: stdout belongs to what is started in the end. */
function run(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  { output: [out, err] = /** @type {('pipe' | 2)[]} */ ([2, 2]), shell = false } = {},
) {
  return new Promise((/** @type {(result: { code: number, output: string }) => void} */ resolve) => {
    const child = spawn(command, args, { cwd: root, shell, stdio: ['ignore', out, err] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    child.once('error', (error) => {
      say(`${command} could not be started: ${error.message}`);
      resolve({ code: 1, output });
    });
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

const hashOf = (/** @type {import('node:crypto').BinaryLike} */ data) =>
  createHash('sha256').update(data).digest('hex').slice(0, 32);

function lockHash() {
  const lock = at('package-lock.json');
  const content = readFileSync(existsSync(lock) ? lock : at('package.json'));
  return hashOf(`${hashOf(content)} ${process.platform} ${process.arch}`);
}

/** Whether what npm installed is what the lock file says; packages for other platforms may be missing. */
function installedMatchesLock() {
  const { packages: wanted } = readRecord(at('package-lock.json'));
  const { packages: present } = readRecord(at('node_modules', '.package-lock.json'));
  if (typeof wanted !== 'object' || wanted === null || typeof present !== 'object' || present === null) return false;
  const versions = new Map(Object.entries(present).map(([path, entry]) => [path, entry.version]));
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    return versions.has(path) ? versions.get(path) === entry.version : entry.optional === true || entry.peer === true;
  });
}

function hasDependencies() {
  if (readRecord(depsStampFile)['lock'] === lockHash()) return true;
  if (!installedMatchesLock()) return false;
  stampDependencies();
  return true;
}

function stampDependencies() {
  mkdirSync(dirname(depsStampFile), { recursive: true });
  writeFileSync(depsStampFile, JSON.stringify({ lock: lockHash() }));
}

function npm(/** @type {string[]} */ args, /** @type {'pipe' | 2} */ to) {
  const program = process.env['npm_execpath'];
  const all = [...args, '--include=dev', '--no-audit', '--no-fund'];
  return program?.endsWith('.js') === true
    ? run(process.execPath, [program, ...all], { output: [to, to] })
    : run('npm', all, { output: [to, to], shell: process.platform === 'win32' });
}

/**
 * A lock file made where a registry lacked the builds for other platforms is refused by npm ci, though it names
 * everything this platform needs. npm install --no-save takes the same versions and leaves the file as it is.
 */
async function installDependencies() {
  const hasLock = existsSync(at('package-lock.json'));
  if (hasLock) {
    say('installing dependencies (npm ci)');
    const { code, output } = await npm(['ci'], 'pipe');
    if (code === 0) return stampDependencies();
    const errors = output.split('\n').filter((line) => line.startsWith('npm error') && line.trim() !== 'npm error');
    for (const line of errors.slice(0, 4)) say(line);
  }
  const args = hasLock ? ['install', '--no-save'] : ['install'];
  say(`installing dependencies (npm ${args.join(' ')})`);
  const { code } = await npm(args, 2);
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed`);
  stampDependencies();
}

/** @returns {string[]} */
function sourceFiles() {
  const files = readdirSync(at('src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));
  return [
    ...files.sort(),
    'build.mjs',
    'scripts/dashboard.mjs',
    'scripts/page-agent.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ].filter((file) => existsSync(at(file)));
}

function sourceHash() {
  return hashOf(
    sourceFiles()
      .map((file) => `${file} ${hashOf(readFileSync(at(file)))}`)
      .join('\n'),
  );
}

/** The time is kept too: a build made by hand from other sources must not pass for this one. */
function builtAt() {
  return statSync(at('dist', 'bin.js'), { throwIfNoEntry: false })?.mtimeMs;
}

function hasBuild() {
  const { sources, built } = readRecord(stampFile);
  return builtAt() !== undefined && built === builtAt() && sources === sourceHash();
}

async function build() {
  say('building');
  const sources = sourceHash();
  const result = await run(process.execPath, [at('build.mjs')]);
  if (result.code !== 0) throw new Error('the build failed');
  updateStamp({ sources, built: builtAt() });
}

function hasBrowser() {
  const { browser } = readRecord(stampFile);
  return typeof browser === 'string' && existsSync(browser);
}

/** A missing browser is said and does not stop the rest: the server says it too, to whoever calls. */
async function findBrowser() {
  say('looking for a browser');
  const result = await run(process.execPath, [at('dist', 'bin.js'), 'install-browser'], { output: ['pipe', 2] });
  const path = result.output.trim().split('\n').at(-1);
  if (result.code === 0 && path !== undefined && existsSync(path)) updateStamp({ browser: path });
  else say('there is no browser yet; run "node dist/bin.js doctor" to see why');
}

const steps = [
  { isDone: hasDependencies, make: installDependencies },
  { isDone: hasBuild, make: build },
  { isDone: hasBrowser, make: findBrowser },
];

async function prepare() {
  checkNode();
  if (steps.every((step) => step.isDone())) return;
  await withLock(at('build', 'setup.lock'), say, async () => {
    for (const step of steps) if (!step.isDone()) await step.make();
  });
}

/**
 * Runs a program in the place of this one: its streams are ours, and so are its signals and its end. With a limit, it runs
 * in a process group of its own, which is killed after that time.
 */
function become(/** @type {string[]} */ args, /** @type {number | undefined} */ limitMs = undefined) {
  return new Promise((/** @type {(code: number) => void} */ resolve) => {
    const hasGroup = limitMs !== undefined && process.platform !== 'win32';
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: hasGroup });
    const pass = (/** @type {NodeJS.Signals} */ signal) => {
      if (hasGroup && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    };
    const end = () => {
      say(`the tests did not end within ${(limitMs ?? 0) / 60_000} minutes (${limitVariable}) and were killed`);
      pass('SIGKILL');
    };
    const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, pass);
    child.once('close', (code) => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, pass);
      resolve(code ?? 1);
    });
  });
}

/** The limit of a vitest run in milliseconds: a test that hangs must not hold its caller for ever. */
function testLimitMs() {
  const given = Number(process.env[limitVariable]);
  const minutes = given > 0 ? given : process.env['PAGEHELM_TESTS'] === 'long' ? longTestMinutes : testMinutes;
  return minutes * 60_000;
}

/** Runs vitest, and counts what it reports. */
async function runTests(/** @type {string[]} */ args) {
  const results = at('build', 'test-results.json');
  rmSync(results, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const code = await become([at('node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...args], testLimitMs());
  return countTests(readJson(results), code);
}

/** Runs the tests once for each list of arguments; the last line counts them all. */
async function test(/** @type {string[][]} */ ...runs) {
  const failedChecks = (process.env['CHECKS_FAILED'] ?? '').split(' ').filter((name) => name !== '');
  // Tests start further runs, which must not count the checks again.
  delete process.env['CHECKS_FAILED'];
  let counts = { passed: 0, failed: failedChecks.length, skipped: 0 };
  for (const args of runs) counts = addCounts(counts, await runTests(args));
  if (failedChecks.length > 0)
    process.stdout.write(`\nFailed before the tests: ${failedChecks.join(', ')}. See above.\n`);
  process.stdout.write(`\n${countsLine(counts)}\n`);
  return counts.failed > 0 ? 1 : 0;
}

/** The tests of a cluster, with the programs that they need. */
async function testCluster(/** @type {string[]} */ args) {
  const missing = installClusterPrograms(say);
  if (missing.length > 0) say(`there is no ${missing.join(' and no ')}: tests that need it are left out`);
  return test(['--config', 'vitest.cluster.config.ts', ...args]);
}

const benchmarks = ['bench', 'eval', 'egress', 'hostile', 'soak', 'chaos', 'compat', 'cli', 'cluster'];

/** Bundles the benchmarks and runs one of them. */
async function bench(/** @type {string} */ name, /** @type {string[]} */ args) {
  const { code } = await run(process.execPath, [at('build.mjs'), 'bench']);
  return code === 0 ? become([at('build', `${name}.js`), ...args]) : code;
}

/** `npm start` opens a port, unless the arguments or the environment say how clients connect. */
function startArguments(/** @type {string[]} */ args) {
  const isChosen = args.some((arg) => /^--(?:stdio|port|transport|config|help|version)(?:=|$)|^-[hV]$/.test(arg));
  const isCommand = args[0]?.startsWith('-') === false;
  const variables = ['PORT', 'TRANSPORT', 'STDIO', 'CONFIG'].flatMap((name) => [
    `PAGEHELM_${name}`,
    `PLAYWRIGHT_MCP_${name}`,
  ]);
  const isSet = variables.some((name) => process.env[name] !== undefined);
  return isChosen || isCommand || isSet ? args : ['--port', startPort, ...args];
}

/** In this process: nothing may stand between a client and the server's streams, signals and exit code. */
async function start(/** @type {string[]} */ args) {
  const bin = at('dist', 'bin.js');
  process.argv = [process.execPath, bin, ...startArguments(args)];
  await import(pathToFileURL(bin).href);
}

async function main() {
  const [command = 'prepare', ...args] = process.argv.slice(2);
  if (!['prepare', 'start', 'test', 'test-all', 'test-cluster', ...benchmarks].includes(command)) {
    say(
      `unknown command ${command}; use prepare, start, test, test-all, test-cluster, bench, eval, egress, hostile, soak, chaos, compat, cli or cluster`,
    );
    process.exitCode = 2;
    return;
  }
  await prepare();
  if (command === 'start') await start(args);
  if (command === 'test') process.exitCode = await test(args);
  if (command === 'test-all') process.exitCode = await test(args, ['--config', 'vitest.long.config.ts', ...args]);
  if (command === 'test-cluster') process.exitCode = await testCluster(args);
  if (benchmarks.includes(command)) process.exitCode = await bench(command, args);
}

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  if (process.argv[2]?.startsWith('test') === true)
    process.stdout.write(`${countsLine({ passed: 0, failed: 1, skipped: 0 })}\n`);
  process.exitCode = 1;
}
