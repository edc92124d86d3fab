import { hasRedis } from '../../redis-server.ts';

export function setup(): void {
  if (!hasRedis) process.stdout.write('No redis-server on the PATH: the cluster stores are tested in memory only.\n');
}
