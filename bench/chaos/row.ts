import type { ServerResponse } from 'node:http';
import type { Random } from '../random.ts';
import type { CallTool, ServerClient, ToolAnswer } from '../server-client.ts';

/** What a row gets to inject its fault. */
export interface Scene {
  readonly random: Random;
  /** A server that rows share; each works in a session of its own. */
  shared(): Promise<ServerClient>;
  /** A server of this row alone. */
  fresh(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<ServerClient>;
  /** A temporary folder, removed after the row. */
  folder(): Promise<string>;
  /** Serves pages until the row ends; returns the origin. */
  serve(pages: Readonly<Record<string, Page>>): Promise<string>;
  /** Prints what is injected. */
  inject(what: string): void;
}

export type Page = string | ((response: ServerResponse) => void);

/** A fault, and what must hold. */
export interface Row {
  /** Number in the fault matrix of docs/reliability.md. */
  readonly id: string;
  readonly fault: string;
  /** Part of the short run. */
  readonly isShort?: true;
  /** Throws if something does not hold. */
  readonly run: (scene: Scene) => Promise<void>;
}

/** The fault cannot be made on this machine. */
export class NotHere extends Error {}

export function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

export function checkKind(answer: ToolAnswer, ...kinds: readonly string[]): void {
  check(answer.kind !== undefined && kinds.includes(answer.kind), `expected ${kinds.join(' or ')}: ${brief(answer)}`);
}

export function checkOk(answer: ToolAnswer, text = ''): void {
  check(!answer.isError && answer.text.includes(text), `expected success with "${text}": ${brief(answer)}`);
}

export function brief({ text }: ToolAnswer): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** Milliseconds that the promise took, and its value. */
export async function timed<T>(promise: Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const started = performance.now();
  const value = await promise;
  return { ms: Math.round(performance.now() - started), value };
}

/** A session on the shared server with this page open. */
export async function openPage(scene: Scene, html: string): Promise<{ readonly call: CallTool; readonly pid: number }> {
  const server = await scene.shared();
  const call = await server.openSession();
  const origin = await scene.serve({ '/': html, '/next': '<title>Next</title><h1>Next page</h1>' });
  checkOk(await call('browser_navigate', { url: `${origin}/` }));
  return { call, pid: server.pid };
}
