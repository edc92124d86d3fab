import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../built.ts';
import { eventually } from '../transport/processes.ts';
import { Cluster, keys } from './cluster-processes.ts';

let requests = 0;
/** Never answers. */
const site = createServer(() => void requests++);
let url = '';

beforeAll(async () => {
  await ensureBuilt();
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const version = '2026-07-28';

async function navigate(origin: string): Promise<number> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.alice}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'browser_navigate',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'browser_navigate', arguments: { url }, _meta: meta },
    }),
  });
  await response.text();
  return response.status;
}

test('a call whose worker is lost together with the journal is not run again', async () => {
  await using cluster = await Cluster.start([], { gateways: 1, workers: 2 });
  const answer = navigate(cluster.origin());
  await eventually('the call runs', () => requests === 1, 60_000);
  const owner = await cluster.ownerProcess('alice');
  await Promise.all([cluster.redis.command('FLUSHALL'), owner.end('SIGKILL')]);
  expect(await answer).toBe(504);
  expect(requests).toBe(1);
});
