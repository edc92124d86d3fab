import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

interface PeerTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object | undefined; readonly required?: readonly string[] | undefined };
}

/** The tools of @playwright/mcp, from its own server. */
export async function listedByPeer(flags: readonly string[] = []): Promise<readonly PeerTool[]> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/mcp/package.json')), 'cli.js');
  const client = new Client({ name: 'contract', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [cli, '--headless', '--isolated', ...flags] }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}
