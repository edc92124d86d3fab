import { request } from 'node:http';
import * as z from 'zod';
import type { Random } from '../../../bench/random.ts';
import { bodyOf } from './body.ts';
import { keyOf } from './program-options.ts';

/** What an attempt says about the effect of its call; `unknown` without an answer too. */
export type Outcome = 'done' | 'none' | 'unknown';

/** A call with its attempts under one id. */
export interface Call {
  readonly driver: string;
  readonly call: string;
  readonly attempts: { readonly outcome: Outcome; readonly told: string }[];
}

const answerShape = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    content: z.array(z.object({ text: z.string() })).optional(),
    structuredContent: z.looseObject({ effect: z.string().optional() }).optional(),
  }),
});

const protocolVersion = '2026-07-28';
const longestMs = 30_000;
/** A key cannot have two requests under way with one id. */
let requests = 0;

/** Sends one call of a tool to a gateway. */
export async function callTool(
  url: string,
  { driver, tool, args, id, limitMs = longestMs }: ToolRequest,
): Promise<{ readonly outcome: Outcome; readonly told: string }> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': protocolVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'history', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(id !== undefined && { 'pagehelm/callId': id }),
  };
  const params = { name: tool, arguments: args, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++requests, method: 'tools/call', params });
  const headers = {
    authorization: `Bearer ${keyOf(driver)}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': protocolVersion,
    'mcp-method': 'tools/call',
    'mcp-name': tool,
  };
  try {
    const { status, text } = await post(`${url}/mcp`, headers, body, limitMs);
    return { outcome: outcomeOf(status, text), told: `${status} ${text.slice(0, 300)}` };
  } catch (error) {
    return { outcome: 'unknown', told: String(error) };
  }
}

interface ToolRequest {
  readonly driver: string;
  readonly tool: string;
  readonly args: object;
  readonly id?: string;
  readonly limitMs?: number;
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  limitMs: number,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(limitMs);
    const sent = request(url, { method: 'POST', headers, agent: false, signal }, (answer) => {
      bodyOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function outcomeOf(status: number, text: string): Outcome {
  // The cluster says that nothing was begun.
  if (status === 503) return 'none';
  if (status !== 200) return 'unknown';
  const json = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  const parsed = answerShape.safeParse(JSON.parse(json));
  if (!parsed.success) return 'unknown';
  const { isError = false, structuredContent } = parsed.data.result;
  if (!isError) return 'done';
  return structuredContent?.effect === 'none' ? 'none' : 'unknown';
}

export interface ClientOptions {
  readonly driver: string;
  /** Names the calls. */
  readonly prefix: string;
  readonly urls: readonly [string, ...string[]];
  readonly random: Random;
  readonly leaseMs: number;
  /** Repeats calls without an answer under their id. */
  readonly repeats: boolean;
  readonly ended: AbortSignal;
}

const mostAttempts = 3;

/** Makes calls one after another until it is ended. */
export async function runClient(options: ClientOptions): Promise<readonly Call[]> {
  const { driver, prefix, urls, random, leaseMs, repeats, ended } = options;
  const calls: Call[] = [];
  while (!ended.aborted) {
    const id = `${prefix}-${calls.length}`;
    const call: Call = { driver, call: id, attempts: [] };
    calls.push(call);
    const args = { driver, call: id, waitMs: random.pick([0, 0, 0.1, 0.3, 1.5]) * leaseMs };
    // Some clients give up early, and some calls have only the id of their gateway.
    const hasId = random.next() < 0.8;
    const limitMs = random.next() < 0.1 ? random.next() * leaseMs : longestMs;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const made = await callTool(random.pick(urls), {
        driver,
        tool: 'history_add',
        args,
        limitMs,
        ...(hasId && { id }),
      });
      call.attempts.push(made);
      if (made.outcome === 'done' || !repeats || !hasId || ended.aborted) break;
    }
  }
  return calls;
}
