import { spawn } from 'node:child_process';
import { version } from '../../version.ts';
import type { ServerCommand } from './clients.ts';

const limitMs = 30_000;

/** Starts the server as a client would, and returns how many tools it lists; undefined if it does not answer. */
export async function countTools({ command, args }: ServerCommand): Promise<number | undefined> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], shell: process.platform === 'win32' });
  const clientInfo = { name: 'pagehelm-init', version };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  try {
    return await new Promise((resolve) => {
      let text = '';
      child.on('error', () => resolve(undefined));
      child.on('close', () => resolve(undefined));
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const line = text.split('\n').find((each) => each.includes('"id":2') && each.endsWith('}'));
        if (line !== undefined && text.endsWith('\n')) resolve(toolsIn(line));
      });
      child.stdin.on('error', () => undefined);
      for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    });
  } finally {
    clearTimeout(timer);
    child.stdin.end();
  }
}

function toolsIn(line: string): number | undefined {
  const message: unknown = JSON.parse(line);
  const result: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'result') : undefined;
  const tools: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'tools') : undefined;
  return Array.isArray(tools) ? tools.length : undefined;
}
