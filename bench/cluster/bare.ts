/**
 * The least that a gateway and a worker in Node.js can do, to compare them with:
 *
 *   node build/cluster-bare.js server
 *   node build/cluster-bare.js proxy <origin of the server> <URL of Redis>
 *
 * The server parses the request and sends a constant answer. The proxy counts the request in Redis, as a quota does, and
 * passes it on. Neither checks anything.
 */
import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createClient } from '@redis/client';

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('error', reject);
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
  });
}

/** As long as the answer of list_sessions without a session. */
const content = [{ type: 'text', text: 'x'.repeat(200) }];

const answer: RequestListener = (incoming, response) => {
  void bodyOf(incoming).then((body) => {
    const { id } = JSON.parse(body.toString());
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
  });
};

async function proxyTo(origin: string, redisUrl: string): Promise<RequestListener> {
  const redis = createClient({ url: redisUrl, maintNotifications: 'disabled' });
  await redis.connect();
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });
  const count = `local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('PEXPIRE', KEYS[1], 1000) end return n`;
  const sha = await redis.scriptLoad(count);
  return (incoming, response) => {
    const forward = async (): Promise<void> => {
      await redis.evalSha(sha, { keys: ['bare'], arguments: [] });
      const body = await bodyOf(incoming);
      const outgoing = request(`${origin}/mcp`, { method: 'POST', agent, headers: incoming.headers });
      outgoing.once('error', () => response.destroy());
      outgoing.once('response', (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      outgoing.end(body);
    };
    forward().catch(() => response.destroy());
  };
}

const [role = 'server', origin = '', redisUrl = ''] = process.argv.slice(2);
const listener = role === 'proxy' ? await proxyTo(origin, redisUrl) : answer;
const server = createServer(listener).listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  process.stderr.write(`listening on http://127.0.0.1:${port}\n`);
});
