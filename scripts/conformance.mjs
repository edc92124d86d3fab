// @ts-check
// Runs the official MCP conformance suite: against our transport with a server that has every feature of the protocol
// (tests/conformance), and against pagehelm itself for the scenarios that need no such feature. The MCP Inspector lists
// the tools of pagehelm in both protocol eras and checks their schemas.
//   node scripts/conformance.mjs [--verbose]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { startBalancedCluster } from './balanced-cluster.mjs';
import { hasProgram } from './cluster-programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build', 'conformance');
const suiteVersion = '0.2.0-alpha.12';
const inspectorVersion = '2.12.0';
const nodeVersion = '22.23.3';
const isVerbose = process.argv.includes('--verbose');

/** What a revision requires; the suite names the scenarios. */
const revisions = [
  { revision: '2025-11-25', scenarios: 30 },
  { revision: '2026-07-28', scenarios: 37 },
];

/** Scenarios that say nothing about tools, resources or prompts of a fixture. */
const generic = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'http-header-validation',
    'tools-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
};

/** @returns {Promise<{ code: number, output: string }>} */
function run(/** @type {string} */ command, /** @type {string[]} */ args, cwd = root) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The suite needs Node 22, which npm has as a package. */
async function install() {
  const wanted = {
    private: true,
    dependencies: {
      '@modelcontextprotocol/conformance': suiteVersion,
      '@modelcontextprotocol/inspector': inspectorVersion,
      ...(needsNode() ? { [nodePackage()]: nodeVersion } : {}),
    },
  };
  const manifest = join(folder, 'package.json');
  const text = JSON.stringify(wanted);
  const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const node = needsNode() ? join(folder, 'node_modules', nodePackage(), 'bin', 'node') : process.execPath;
  const isInstalled = existsSync(suite) && existsSync(node) && readFileSync(manifest, 'utf8') === text;
  if (!isInstalled) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(manifest, text);
    const { code, output } = await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], folder);
    if (code !== 0) throw new Error(`The conformance suite could not be installed:\n${output}`);
  }
  return { node, suite };
}

function needsNode() {
  return Number(process.versions.node.split('.')[0]) < 22;
}

function nodePackage() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

/** Starts a server and resolves with its address, which it prints. */
async function start(/** @type {string[]} */ args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ chunk) => {
      output += String(chunk);
      const found = /"?(http:\/\/localhost:\d+\/mcp)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(`The server did not start:\n${output}`)));
  });
  return {
    url,
    stop: () => {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      return closed;
    },
  };
}

/** The outcome of each scenario in a report of the suite. */
function outcomesIn(/** @type {string} */ output) {
  const [scored = ''] = output.split(/^Not scored for/m);
  return [...scored.matchAll(/^([✓✗]) ([\w/-]+): (\d+) passed, (\d+) failed/gm)].map(([, mark, name, passed]) => ({
    name: String(name),
    isPassed: mark === '✓' && Number(passed) > 0,
  }));
}

async function main() {
  const { node, suite } = await install();
  await build({
    absWorkingDir: root,
    entryPoints: ['tests/conformance/serve.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    outfile: 'build/conformance.js',
    logLevel: 'warning',
  });
  const counts = { passed: 0, failed: 0 };
  const note = (/** @type {string} */ what, /** @type {boolean} */ isPassed, /** @type {string} */ output) => {
    if (isPassed) counts.passed++;
    else counts.failed++;
    if (!isPassed || isVerbose) process.stdout.write(`${isPassed ? 'passed' : 'FAILED'}: ${what}\n`);
    if (!isPassed) process.stdout.write(`${output}\n`);
  };

  const fixture = await start(['build/conformance.js']);
  for (const { revision, scenarios } of revisions) {
    const { output } = await run(node, [suite, 'server', '--url', fixture.url, '--requirements', revision], folder);
    const notScored = new Set([...output.matchAll(/^ {2}[✓✗] ([\w/-]+) \(/gm)].map(([, name]) => name));
    const required = outcomesIn(output).filter(({ name }) => !notScored.has(name));
    const passed = required.filter(({ isPassed }) => isPassed).length;
    for (const { name, isPassed } of required) note(`${revision} ${name}`, isPassed, isPassed ? '' : output);
    process.stdout.write(`${revision}: ${passed} of ${scenarios} required scenarios\n`);
    if (required.length !== scenarios) note(`${revision}: all scenarios were run`, false, output);
  }
  await fixture.stop();

  const inspector = join(folder, 'node_modules', '.bin', 'mcp-inspector');
  const check = async (/** @type {string} */ name, /** @type {string} */ url) => {
    for (const [revision, scenarios] of Object.entries(generic)) {
      for (const scenario of scenarios) {
        const args = [suite, 'server', '--url', url, '--scenario', scenario, '--spec-version', revision];
        const { code, output } = await run(node, args, folder);
        note(`${name}, ${revision} ${scenario}`, code === 0, output);
      }
    }
    for (const era of ['legacy', 'modern']) {
      const args = [inspector, '--cli', url, '--transport', 'http', '--protocol-era', era];
      const { code, output } = await run(node, [...args, '--method', 'tools/list', '--strict'], folder);
      note(`${name}, Inspector in ${era} mode`, code === 0 && output.includes('browser_navigate'), output);
    }
  };
  const product = await start(['dist/bin.js', '--headless', '--isolated', '--no-auth', '--port', '0']);
  await check('pagehelm', product.url);
  await product.stop();
  if (hasProgram('redis-server') && hasProgram('haproxy')) {
    const cluster = await startBalancedCluster(join(root, 'dist', 'bin.js'));
    await check('a cluster behind haproxy', cluster.url);
    await cluster.stop();
  } else process.stdout.write('There is no redis-server or no haproxy: no cluster was checked.\n');
  process.stdout.write(`conformance: ${counts.passed} passed, ${counts.failed} failed\n`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

await main();
