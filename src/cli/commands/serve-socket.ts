import type { LoadedConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema/schema.ts';
import { allTools } from '../../tools/all.ts';
import { version } from '../../version.ts';
import { makePrivateFolder, placeOf } from '../client/place.ts';
import type { DaemonPlace } from '../client/place.ts';
import { ownVariables } from '../client/run.ts';
import { readyLine } from '../client/start.ts';
import { CommandRunner } from '../daemon/command-runner.ts';
import { Daemon } from '../daemon/daemon.ts';
import { DaemonDashboard } from '../daemon/daemon-dashboard.ts';
import { DaemonSocket } from '../daemon/daemon-socket.ts';
import { securityText } from '../daemon/options.ts';
import { knownDaemons, removeState, securityHash, writeState } from '../daemon/state.ts';
import { DaemonWatch } from '../daemon/watch.ts';
import { verbFor, verbTable } from '../verbs/verb-table.ts';
import { openApp, superviseProcess } from '../own-process.ts';

/** Commands in flight may take 20 seconds; the rest is for saving sessions and closing browsers. */
const deadlineMs = 29_000;
/** Commands of one session that may wait: scripts start many at once. */
const queueLimit = 1000;
const refusedCode = 5;

/** Serves MCP and the commands of the command line on a socket until it is stopped or no longer used. */
export async function serveSocket({ config: loaded, given, warnings }: LoadedConfig): Promise<number> {
  const place = placeOf({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() });
  makePrivateFolder(place);
  const config = daemonConfig(loaded, given);
  const looser = otherDaemon(place, config);
  if (looser !== undefined) {
    console.error(`pagehelm: ${looser}`);
    return refusedCode;
  }
  const { app, log } = await openApp({ config, warnings }, { cwd: place.tree, stateName: `daemon ${place.key}` });
  const table = verbTable(allTools);
  const nameOf = (tool: string): string | undefined => {
    const name = verbFor(tool, table);
    return name === undefined ? undefined : `\`${name}\``;
  };
  const endpoint = await app.commands(nameOf);
  const runner = new CommandRunner(endpoint, config, ownVariables(process.env));
  const end = (reason: string): void => {
    log.info('the daemon ends', { reason });
    // The handler of the signal shuts down in order, also where the system has no signals.
    process.emit('SIGTERM', 'SIGTERM');
  };
  const dashboard = new DaemonDashboard(async () =>
    import('./serve-network.ts').then(async ({ serveDashboard }) => serveDashboard({ app, config, log })),
  );
  const daemon = new Daemon({ app, endpoint, runner, place, log, end, dashboard, watch: () => watch });
  const socket = await DaemonSocket.open(place.socket, (client) => daemon.accept(client));
  const watch = new DaemonWatch({
    idleMs: config.daemonTimeout,
    isPublished: () => socket.isPublished,
    isBusy: () => daemon.isBusy,
    end,
    now: () => performance.now(),
  });
  if (config.ownerPid !== undefined) watch.addOwner(config.ownerPid);
  superviseProcess(app, log, {
    dispose: async () => {
      watch[Symbol.dispose]();
      socket.close();
      await daemon.drain();
      await dashboard[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
      removeState(place);
      await daemon[Symbol.asyncDispose]();
    },
    stdout: process.stdout,
    deadlineMs,
  });
  if (config.dashboard === true) await dashboard.link();
  writeState(place, { version, security: securityText(config) });
  process.stdout.write(`${readyLine}\n`);
  log.info('daemon', { socket: place.socket, tree: place.tree });
  app.warmUp();
  return 0;
}

/** Sessions survive the daemon, and answers have no code, unless the operator wants otherwise. */
function daemonConfig(config: Config, given: ReadonlySet<string>): Config {
  const { session, codegen } = config;
  return {
    ...config,
    codegen: given.has('codegen') ? codegen : 'none',
    session: {
      ...session,
      persistentSessions: given.has('session.persistentSessions') ? session.persistentSessions : true,
      queueLimit: given.has('session.queueLimit') ? session.queueLimit : queueLimit,
    },
  };
}

/** A second daemon of the same tree must not allow what the first one denies. */
function otherDaemon({ folder, key, tree }: DaemonPlace, config: Config): string | undefined {
  const security = securityHash(securityText(config));
  const other = knownDaemons(folder).find(
    ({ state, isRunning, ...known }) =>
      isRunning && known.key !== key && state.tree === tree && state.security !== security,
  );
  if (other === undefined) return undefined;
  return `A daemon of this working tree runs with other security options (process ${other.state.process.pid}). End it first: pagehelm stop --all`;
}
