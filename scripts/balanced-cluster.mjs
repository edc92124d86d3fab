// @ts-check
// A cluster behind haproxy on loopback ports: Redis, one worker, two gateways, and a balancer that sends each request to
// another gateway. It adds the key, which the conformance suite cannot send.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const key = 'key-of-the-suite';

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** A program that opens a port without a word. */
async function untilOpen(/** @type {number} */ port) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`port ${port} does not open`);
}

/** The balancer: no affinity, and time for streams. */
function configuration(/** @type {number} */ port, /** @type {string[]} */ gateways) {
  const servers = gateways.map((place, index) => `  server gateway${index + 1} ${place}`).join('\n');
  return `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend clients
  bind 127.0.0.1:${port}
  http-request set-header Authorization "Bearer ${key}"
  default_backend gateways
backend gateways
  balance roundrobin
  option http-server-close
${servers}
`;
}

/** Starts everything; resolves with the address of the balancer. */
export async function startBalancedCluster(/** @type {string} */ program) {
  const folder = mkdtempSync(join(tmpdir(), 'pagehelm-balanced-'));
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  /** Starts a program and waits for what it prints. */
  const start = (/** @type {string} */ command, /** @type {string[]} */ args, /** @type {RegExp} */ ready) =>
    new Promise((/** @type {(found: string) => void} */ resolve, reject) => {
      const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      children.push(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += String(chunk);
          const found = ready.exec(output);
          if (found !== null) resolve(found[1] ?? '');
        });
      }
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`${command} ended:\n${output}`)));
    });
  const stop = async () => {
    // In reverse: what others need ends last.
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const redis = await freePort();
    const redisArgs = ['--port', String(redis), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    await start('redis-server', redisArgs, /Ready to accept/);
    const cluster = [
      '--cluster',
      `redis://127.0.0.1:${redis}`,
      '--cluster-key',
      'secret-of-the-suite',
      '--api-key',
      key,
    ];
    const common = [program, ...cluster, '--host', '127.0.0.1', '--port', '0', '--headless'];
    await start(process.execPath, [...common, '--role', 'worker'], /of the cluster, at (\S+)/);
    const gateways = await Promise.all(
      [1, 2].map(() => start(process.execPath, [...common, '--role', 'gateway'], /listening on http:\/\/(\S+)/)),
    );
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configuration(port, gateways));
    children.push(spawn('haproxy', ['-db', '-q', '-f', file], { cwd: folder, stdio: 'ignore' }));
    await untilOpen(port);
    return { url: `http://127.0.0.1:${port}/mcp`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
