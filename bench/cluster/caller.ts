import { Agent, request } from 'node:http';
import * as z from 'zod';
import { keyOf } from './cluster.ts';

const protocolVersion = '2026-07-28';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'pagehelm-bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const answerShape = z.object({
  result: z.object({
    content: z.array(z.looseObject({ text: z.string().optional() })),
    isError: z.boolean().optional(),
  }),
});
const callLimitMs = 60_000;

/** A client with one connection that it keeps, and one key. Each call is one request. */
export class Caller implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #key: string;
  #lastId = 0;

  constructor(origin: string, keyName: string) {
    this.#url = `${origin}/mcp`;
    this.#key = keyOf(keyName);
  }

  /** The text of the answer. Throws if the call fails. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { result } = answerShape.parse(JSON.parse(await this.post(name, args)));
    const text = result.content.map((item) => item.text ?? '').join('\n');
    if (result.isError === true) throw new Error(`${name}: ${text}`);
    return text;
  }

  /** The body of the answer, which is not parsed: a measurement of the server must not be one of this client. */
  async post(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const params = { name, arguments: args, _meta: envelope };
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#lastId, method: 'tools/call', params });
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#url, {
        method: 'POST',
        agent: this.#agent,
        timeout: callLimitMs,
        headers: {
          authorization: `Bearer ${this.#key}`,
          accept: 'application/json',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'mcp-protocol-version': protocolVersion,
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
      });
      outgoing.once('error', reject);
      outgoing.once('timeout', () => outgoing.destroy(new Error(`${name}: no answer in time`)));
      outgoing.once('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.once('error', reject);
        answer.once('end', () => {
          if (answer.statusCode === 200) resolve(text);
          else reject(new Error(`${name}: HTTP ${answer.statusCode} ${text}`));
        });
      });
      outgoing.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
