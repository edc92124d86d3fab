import type { Registry } from 'prom-client';
import type { SessionBinding } from '../../call/binding.ts';
import type { CallHooks } from '../../call/call-hooks.ts';
import type { SessionSaver } from '../../session/persistence/saved-session.ts';
import type { SessionStore } from '../../session/store.ts';
import type { Endpoint, WebRoutes } from '../../transport/http/endpoint.ts';

/** What the processes of a cluster add to a server. */
export interface AppHooks extends CallHooks {
  /** Saves the sessions, in place of files. Called once, before the first call. */
  readonly saver?: (store: SessionStore, binding: () => SessionBinding) => SessionSaver;
  /** Signs questions to users, so that any process can read the answers. */
  readonly questionKey?: Uint8Array;
}

/** What a worker needs of its server. */
export type WorkerApp = AsyncDisposable;

export interface WorkerEndpoint extends Endpoint, AsyncDisposable {
  readonly registry: Registry;
  readonly dashboard: WebRoutes | undefined;
  listensAt(origin: string): void;
}
