import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../errors.ts';
import { nearest } from '../../util/nearest.ts';
import { addition, apply, removal, shownChange } from '../init/change-file.ts';
import type { FileChange } from '../init/change-file.ts';
import { countTools } from '../init/check-server.ts';
import { clients, isInstalled } from '../init/clients.ts';
import type { ClientSpec, Places, ServerCommand } from '../init/clients.ts';
import { ConfigFileError } from '../init/edit-config.ts';

export interface InitContext extends Places {
  readonly argv: readonly string[];
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
  /** Path of this program. */
  readonly program: string;
}

interface InitOptions {
  readonly chosen: readonly ClientSpec[];
  readonly remove: boolean;
  readonly print: boolean;
  readonly check: boolean;
  readonly server: ServerCommand;
}

/** Adds this server to the configuration of clients, or removes it. */
export async function runInit(context: InitContext): Promise<number> {
  const options = readOptions(context);
  const { chosen, print, remove, check, server } = options;
  if (chosen.length === 0) {
    context.stdout(`No client was found. Name one: pagehelm init --client ${clients.map(({ id }) => id).join('|')}`);
    return 1;
  }
  const results = chosen.map((client) => changeClient(client, context, options));
  if (results.includes('failed')) return 1;
  if (print || remove || !check) return 0;
  const tools = await countTools(server);
  if (tools === undefined) {
    context.stderr(`pagehelm: ${[server.command, ...server.args].join(' ')} does not start. See: pagehelm doctor`);
    return 1;
  }
  context.stdout(`The server starts and lists ${tools} tools. Restart the client to use it.`);
  return 0;
}

function changeClient(client: ClientSpec, context: InitContext, options: InitOptions): 'changed' | 'same' | 'failed' {
  const file = client.file(context);
  const { stdout, stderr } = context;
  try {
    const entry = client.entry(options.server);
    const change = options.remove ? removal(client, file, entry) : addition(client, file, entry);
    if (change.before === change.after) {
      stdout(`${client.title}: ${file} ${options.remove ? 'has no entry' : 'is set up already'}.`);
      return 'same';
    }
    stdout(`${client.title}: ${file}${options.print ? ' (not written)' : ''}`);
    for (const line of shownChange(change)) stdout(line);
    if (options.print) return 'changed';
    if (!options.remove) refuseSecrets(change, options.server);
    apply(change, options.remove);
    return 'changed';
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    stderr(`pagehelm: ${file} was not changed: ${error.message}. Correct it, then run this again.`);
    return 'failed';
  }
}

/** Keys do not belong into a file that others get. */
function refuseSecrets({ file }: FileChange, { args }: ServerCommand): void {
  if (!args.some((word) => /^--(?:api-key|proxy-password|secrets)\b/.test(word)) || !isTracked(file)) return;
  throw new ConfigFileError('git tracks it, and the options contain a secret; use an environment variable instead');
}

function isTracked(file: string): boolean {
  try {
    const stdio = 'ignore' as const;
    execFileSync('git', ['ls-files', '--error-unmatch', file], { cwd: dirname(file), stdio });
    return true;
  } catch {
    // No repository, no git, or a file that is not tracked.
    return false;
  }
}

function readOptions({ argv, program, ...places }: InitContext): InitOptions {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const { values, positionals } = parsed(own);
  if (positionals.length > 0) throw new ConfigError([`Unexpected argument "${positionals[0]}".`]);
  const names = values.client ?? [];
  const isAll = names.includes('all');
  const unknown = names.find((name) => name !== 'all' && !clients.some(({ id }) => id === name));
  if (unknown !== undefined) {
    const near = nearest(
      unknown,
      clients.map(({ id }) => id),
    );
    const known = clients.map(({ id }) => id).join(', ');
    throw new ConfigError([
      `Unknown client "${unknown}". ${near === undefined ? `Known: ${known}` : `Did you mean "${near}"?`}`,
    ]);
  }
  const chosen = clients.filter((client) =>
    names.length === 0 ? isInstalled(client, places) : isAll || names.includes(client.id),
  );
  return {
    chosen,
    remove: values.remove === true,
    print: values.print === true,
    check: values['no-check'] !== true,
    server: serverCommand(program, end === -1 ? [] : argv.slice(end + 1)),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        client: { type: 'string', multiple: true },
        remove: { type: 'boolean' },
        print: { type: 'boolean' },
        'no-check': { type: 'boolean' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}

/** An installed package is started by its name, a checkout by its path. */
function serverCommand(program: string, options: readonly string[]): ServerCommand {
  const path = realpathSync(program);
  return path.includes(`${sep}node_modules${sep}`)
    ? { command: 'npx', args: ['-y', 'pagehelm', ...options] }
    : { command: 'node', args: [path, ...options] };
}
