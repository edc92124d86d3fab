import { createLogger } from '../../src/log.ts';
import { NetworkListener } from '../../src/transport/http/listener.ts';
import { fixtureServer } from './fixture.ts';

/** The fixture behind the real listener; prints its address. */
const listener = new NetworkListener({
  host: 'localhost',
  port: 0,
  allowedHosts: [],
  endpoint: { server: fixtureServer, ended: () => undefined },
  keys: undefined,
  log: createLogger({
    level: 'warn',
    write: (line) => void process.stderr.write(line),
    now: () => new Date(),
  }),
  limits: {
    maxBodyBytes: 4 * 1024 * 1024,
    maxConnections: 1000,
    maxClients: 1000,
    maxRequests: 1000,
    rate: 0,
    idleMs: 3_600_000,
  },
});
process.stdout.write(`http://localhost:${await listener.listen()}/mcp\n`);
