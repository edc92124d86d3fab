import type { Logger } from '../../log.ts';
import type { KeyRing } from '../../transport/access/keys.ts';
import type { Endpoint } from '../../transport/http/endpoint.ts';
import { NetworkListener } from '../../transport/http/listener.ts';
import type { ListenerOptions } from '../../transport/http/listener.ts';
import { SignedIdentities } from '../identity.ts';
import type { ClusterStores } from '../stores.ts';
import { capacityMetrics } from './capacity.ts';
import { Forward } from './forward.ts';
import { Router } from './router.ts';
import { GatewayRoutes } from './web-routes.ts';

export interface GatewayStart {
  readonly stores: ClusterStores;
  /** The secret of the cluster. */
  readonly key: string;
  readonly log: Logger;
  readonly keys: KeyRing;
  /** Requests of one key in a second; 0 means no limit. */
  readonly rate: number;
  readonly listener: Pick<ListenerOptions, 'host' | 'port' | 'allowedHosts' | 'tls' | 'limits'>;
}

export interface RunningGateway extends AsyncDisposable {
  readonly port: number;
  readonly listener: NetworkListener;
}

/** After a lease, another worker may have the sessions; it needs a moment to take them. */
const takeMs = 5000;

/** Starts a gateway: it accepts clients and sends what they ask to the worker that has their sessions. */
export async function startGateway({ stores, key, log, keys, rate, listener }: GatewayStart): Promise<RunningGateway> {
  const router = new Router({ directory: stores.directory, generation: () => stores.generation(), log });
  const forward = new Forward({
    router,
    identities: new SignedIdentities(key),
    limits: stores.limits,
    rate,
    maxBodyBytes: listener.limits.maxBodyBytes,
    waitMs: stores.directory.leaseMs + takeMs,
    log,
  });
  const network = new NetworkListener({
    ...listener,
    endpoint: endpointOf(stores, router),
    keys,
    log,
    forward,
    routes: new GatewayRoutes(router, forward),
    registry: capacityMetrics(async () => router.workers()),
  });
  const port = await network.listen();
  return {
    port,
    listener: network,
    [Symbol.asyncDispose]: async () => {
      await network[Symbol.asyncDispose]();
      forward[Symbol.dispose]();
    },
  };
}

/** All requests are forwarded; only health is answered here. */
function endpointOf(stores: ClusterStores, router: Router): Endpoint {
  return {
    server: () => {
      throw new Error('a gateway runs no calls');
    },
    ended: () => undefined,
    unready: async () => {
      if (!(await stores.ping())) return 'no directory';
      const workers = await router.workers().catch(() => []);
      return workers.some(({ isDraining }) => !isDraining) ? undefined : 'no worker';
    },
  };
}
