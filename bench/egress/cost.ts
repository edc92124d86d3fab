import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { McpDriver } from '../servers.ts';
import type { ServerCommand } from '../servers.ts';
import { ratio, summarise } from '../stats.ts';
import type { Summary } from '../stats.ts';

const rounds = 90;
const warmUps = 5;
const goal = 1.15;
/** Images of each page. */
const sizes = [0, 8] as const;
const kinds = ['direct', 'relayed', 'proxied'] as const;
type Kind = (typeof kinds)[number];

type Place = { readonly url: string } & AsyncDisposable;

async function listening(server: Server): Promise<Place> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Pages with images that are never cached, `/8?…` with eight of them. */
async function openSite(): Promise<Place> {
  const server = createHttpServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isImage = pathname.endsWith('.svg');
    response.setHeader('content-type', isImage ? 'image/svg+xml' : 'text/html');
    response.setHeader('cache-control', 'no-store');
    const count = Number.parseInt(pathname.slice(1), 10) || 0;
    const images = Array.from({ length: count }, (_, at) => `<img src="/${at}.svg" alt="">`);
    response.end(
      isImage
        ? '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        : `<title>Page</title><h1>Hello</h1>${images.join('')}`,
    );
  });
  return listening(server);
}

/** The least that a proxy in Node.js can do: it copies bytes to the site and reads nothing. */
async function openRelay({ url }: Place): Promise<Place> {
  const { hostname, port } = new URL(url);
  const server = createServer({ noDelay: true }, (client) => {
    const onward = connect({ host: hostname, port: Number(port), noDelay: true });
    onward.on('error', () => client.destroy());
    onward.on('close', () => client.destroy());
    client.on('close', () => onward.destroy());
    client.pipe(onward).pipe(client);
  });
  return listening(server);
}

async function timesOf(
  drivers: Readonly<Record<Kind, McpDriver>>,
  url: string,
): Promise<Readonly<Record<Kind, number[]>>> {
  const times: Record<Kind, number[]> = { direct: [], relayed: [], proxied: [] };
  for (let round = 0; round < rounds + warmUps; round++) {
    // In turns, so that a slow phase of the machine affects both.
    const first = round % kinds.length;
    for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
      const started = performance.now();
      await drivers[kind].navigate(`${url}?${round}`);
      if (round >= warmUps) times[kind].push(performance.now() - started);
    }
  }
  return times;
}

const shown = (summary: Summary | undefined): string =>
  summary === undefined ? '' : `${summary.median.toFixed(1)} ms (${summary.p25.toFixed(1)}–${summary.p75.toFixed(1)})`;

const head = `
Navigation, medians of ${rounds} (p25–p75); the goal is at most ${goal} times the time without rules.

| Page | Without rules | Bare relay | Egress proxy | Relay / without | Proxy / without |
| --- | --- | --- | --- | --- | --- |
`;

/** What the egress proxy adds to a navigation: the same server without rules, behind a bare relay, and with a rule. */
export async function reportCost(commandFor: () => ServerCommand): Promise<void> {
  await using site = await openSite();
  await using relay = await openRelay(site);
  const opened = async (...flags: readonly string[]): Promise<McpDriver> => {
    const command = commandFor();
    return McpDriver.open({ ...command, args: [...command.args, ...flags] });
  };
  await using direct = await opened();
  await using relayed = await opened('--proxy-server', relay.url);
  await using proxied = await opened('--allowed-domains', '127.0.0.1');
  process.stdout.write(head);
  for (const size of sizes) {
    const times = await timesOf({ direct, relayed, proxied }, `${site.url}/${size}`);
    const [without, least, through] = kinds.map((kind) => summarise(times[kind]));
    const ratios = [ratio(least, without), ratio(through, without)].map((value) => value?.toFixed(2) ?? '');
    const cells = [`${size} images`, shown(without), shown(least), shown(through), ...ratios];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}
