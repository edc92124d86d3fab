import type { Refusal } from '../access/guard.ts';
import type { KeyIdentity } from '../access/keys.ts';

/** A connection that outlives a request: a 2025 MCP session, an SSE stream or a WebSocket. */
export interface ClientConnection {
  readonly id: string;
  readonly kind: 'http' | 'sse' | 'websocket';
  /** Name of its key. */
  readonly key: string | undefined;
  /** Undefined with --no-auth. */
  readonly identity: KeyIdentity | undefined;
  /** Requests that are not answered yet. */
  readonly pending: number;
  /** Milliseconds since the last request, by the given clock; undefined while one is under way or a stream is open. */
  idleMs(now: number): number | undefined;
  close(): Promise<void>;
}

export interface ClientLimits {
  /** Connections of one key. */
  readonly perKey: number;
  /** Milliseconds after which an idle connection is ended. */
  readonly idleMs: number;
  /** Called when an idle connection is ended. */
  readonly onEvicted?: () => void;
}

/** An idle connection makes room for a new one only after this time. */
const evictableMs = 60_000;

/** All open connections: finds them, limits them by key, ends idle ones. Browser sessions do not end with them. */
export class Clients implements AsyncDisposable {
  readonly #limits: ClientLimits;
  readonly #now: () => number;
  readonly #open = new Map<string, ClientConnection>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: ClientLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#timer = setInterval(() => void this.reap(), Math.max(10, Math.min(30_000, limits.idleMs / 2)));
    this.#timer.unref();
  }

  count(kind?: ClientConnection['kind']): number {
    return kind === undefined ? this.#open.size : [...this.#open.values()].filter((each) => each.kind === kind).length;
  }

  /** Requests that are not answered yet, on all connections. */
  get pending(): number {
    return [...this.#open.values()].reduce((sum, { pending }) => sum + pending, 0);
  }

  /** A connection of another key is not found. */
  find(id: string, key: string | undefined): ClientConnection | undefined {
    const found = this.#open.get(id);
    return found?.key === key ? found : undefined;
  }

  /** Why the key cannot open another connection. */
  refusal(key: string | undefined): Refusal | undefined {
    const own = [...this.#open.values()].filter((each) => each.key === key);
    if (own.length < this.#limits.perKey) return undefined;
    const now = this.#now();
    const idle = own
      .map((client) => ({ client, ms: client.idleMs(now) ?? 0 }))
      .filter(({ ms }) => ms > evictableMs)
      .sort((a, b) => b.ms - a.ms);
    if (idle[0] !== undefined) {
      this.#limits.onEvicted?.();
      void this.#end(idle[0].client);
      return undefined;
    }
    const message = `Too many connections: a key may have ${this.#limits.perKey} open (--max-clients).`;
    return { status: 429, message, headers: { 'Retry-After': '60' } };
  }

  add(client: ClientConnection): void {
    this.#open.set(client.id, client);
  }

  remove(client: ClientConnection): void {
    if (this.#open.get(client.id) === client) this.#open.delete(client.id);
  }

  /** Ends the connections of keys that are no longer accepted, or whose scope has changed. */
  async keepOnly(isCurrent: (identity: KeyIdentity) => boolean): Promise<void> {
    await this.#endAll(
      [...this.#open.values()].filter(({ identity }) => identity !== undefined && !isCurrent(identity)),
    );
  }

  async reap(): Promise<void> {
    const now = this.#now();
    const idle = [...this.#open.values()].filter((each) => (each.idleMs(now) ?? 0) > this.#limits.idleMs);
    idle.forEach(() => this.#limits.onEvicted?.());
    await this.#endAll(idle);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#endAll([...this.#open.values()]);
  }

  async #endAll(clients: readonly ClientConnection[]): Promise<void> {
    await Promise.all(clients.map(async (client) => this.#end(client)));
  }

  async #end(client: ClientConnection): Promise<void> {
    this.remove(client);
    await client.close();
  }
}
