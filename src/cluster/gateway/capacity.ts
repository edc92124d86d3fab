import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '../../transport/access/guard.ts';
import type { Identify, WebRoutes } from '../../transport/http/endpoint.ts';
import { sendText } from '../../transport/http/respond.ts';
import type { WorkerInfo } from '../stores.ts';
import type { Router } from './router.ts';

const path = '/api/v1/capacity';

/** What an autoscaler needs: sessions that run or wait, against those that fit. */
export function capacityOf(workers: readonly WorkerInfo[]): Readonly<Record<string, number>> {
  const up = workers.filter(({ isDraining }) => !isDraining);
  const sum = (of: (worker: WorkerInfo) => number): number => up.reduce((total, worker) => total + of(worker), 0);
  const [slots, live, waiting] = [sum((each) => each.slots), sum((each) => each.live), sum((each) => each.waiting)];
  const wanted = live + waiting;
  const load = slots === 0 ? 1 : wanted / slots;
  return { workers: up.length, draining: workers.length - up.length, slots, live, waiting, wanted, load };
}

/** Serves the capacity of the cluster to holders of a key. */
export class CapacityRoutes implements WebRoutes {
  readonly #router: Router;

  constructor(router: Router) {
    this.#router = router;
  }

  serves(given: string): boolean {
    return given === path;
  }

  async handle(request: IncomingMessage, response: ServerResponse, identify: Identify): Promise<Refusal | undefined> {
    const identity = identify();
    if (identity !== undefined && 'status' in identity) return identity;
    if (request.method !== 'GET') return { status: 405, message: 'Method not allowed.', headers: { Allow: 'GET' } };
    try {
      sendText(response, 200, 'application/json', JSON.stringify(capacityOf(await this.#router.workers())));
      return undefined;
    } catch {
      return { status: 503, message: 'The directory does not respond.', headers: { 'Retry-After': '2' } };
    }
  }

  upgrade(): Refusal {
    return { status: 404, message: 'Nothing is served at this path.' };
  }
}
