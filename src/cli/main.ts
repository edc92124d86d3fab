import { loadConfig } from '../config/load.ts';
import type { LoadedConfig } from '../config/load.ts';
import { ConfigError } from '../errors.ts';
import { version } from '../version.ts';

const commands = [
  { name: 'serve', summary: 'Serve MCP on stdio (the default)' },
  {
    name: 'call',
    summary: 'Call tools from a shell: call browser_navigate --url https://example.com then browser_snapshot',
  },
  { name: 'ps', summary: 'List the daemons of the command line with their sessions' },
  { name: 'dashboard', summary: 'Print a link to the dashboard of the daemon of this working tree' },
  { name: 'stop', summary: 'End the daemon of this working tree, or all of them with --all' },
  {
    name: 'init',
    summary: 'Add this server to clients: --client <name>, --print, --remove, -- <options of the server>',
  },
  { name: 'skill', summary: 'Print the guide for coding agents; --install writes the stub into the project' },
  { name: 'completion', summary: 'Print a completion script for bash, zsh or fish' },
  { name: 'doctor', summary: 'Say what works on this machine, and what to do about the rest' },
  { name: 'top', summary: 'Show the sessions, calls and memory of a running server' },
  { name: 'install-browser', summary: 'Find a browser, or get one' },
] as const;

const usageError = 2;

/** Runs the command and returns the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    process.exitCode = await run(argv);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) console.error(`pagehelm: ${problem}`);
    process.exitCode = usageError;
  }
}

/** Commands with options of their own; undefined for the others. */
async function runOwn([name, ...argv]: readonly string[]): Promise<number | undefined> {
  const isHelp = argv.includes('--help') || argv.includes('-h');
  const write = (text: string): void => void process.stdout.write(text);
  if (name === 'hold-browser') return (await import('./commands/hold-browser.ts')).runHolder();
  if (name === 'skill' && !isHelp) {
    const { runSkill } = await import('./commands/skill.ts');
    return runSkill({ argv, cwd: process.cwd(), stdout: write });
  }
  if (name === 'completion' && !isHelp) {
    const { runCompletion } = await import('./commands/completion.ts');
    return runCompletion(argv, write);
  }
  if (name === 'init' && !isHelp) {
    const { runInit } = await import('./commands/init.ts');
    const { homedir } = await import('node:os');
    const places = { home: homedir(), cwd: process.cwd(), platform: process.platform, env: process.env };
    const [, program = ''] = process.argv;
    return runInit({ ...places, argv, program, stdout: console.log, stderr: console.error });
  }
  return undefined;
}

async function run(argv: readonly string[]): Promise<number> {
  const own = await runOwn(argv);
  if (own !== undefined) return own;
  if (argv[0] === 'top' && !argv.includes('--help')) return top(argv.slice(1));
  const isCall = argv[0] === 'call';
  const asJson = (argv[0] === 'doctor' || argv[0] === 'ps') && argv.includes('--json');
  const isAll = argv[0] === 'stop' && argv.includes('--all');
  const words = argv.filter((word) => !(asJson && word === '--json') && !(isAll && word === '--all'));
  const { calls, options } = isCall
    ? (await import('./calls.ts')).splitCalls(words.slice(1))
    : { calls: [], options: words };
  const loaded = loadConfig({ argv: options, env: process.env, cwd: process.cwd() });
  if (loaded.version) {
    console.log(version);
    return 0;
  }
  const [command = 'serve', ...others] = isCall ? ['call'] : loaded.rest;
  if (loaded.help || command === 'help') {
    const { helpText, toolHelp } = await import('./help.ts');
    const [tool] = calls[0] ?? [];
    if (tool === undefined && (loaded.rest.length === 0 || command === 'help')) {
      process.stdout.write((await import('./verbs/command-help.ts')).commandHelp);
      return 0;
    }
    console.log(tool === undefined ? helpText(commands) : toolHelp(tool));
    return 0;
  }
  if (others.length > 0 && commands.some(({ name }) => name === command))
    throw new ConfigError([`Unexpected argument "${others[0]}".`]);
  return runCommand(command, loaded, calls, asJson || isAll);
}

async function top(words: readonly string[]): Promise<number> {
  const { runTop, topArguments } = await import('./commands/top.ts');
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const write = (text: string): void => void process.stdout.write(text);
  return runTop({ ...topArguments(words, process.env), write, signal: interrupted.signal });
}

async function runCommand(
  command: string,
  loaded: LoadedConfig,
  calls: readonly (readonly string[])[],
  /** `--json` or `--all`, for the commands that have it. */
  flag: boolean,
): Promise<number> {
  const machine = {
    config: loaded.config,
    env: process.env,
    cwd: process.cwd(),
    version,
    stdout: console.log,
    stderr: console.error,
  };
  switch (command) {
    case 'serve': {
      if (loaded.config.join) return (await import('./commands/join.ts')).joinDaemon(process.argv.slice(2));
      if (loaded.config.socket) return (await import('./commands/serve-socket.ts')).serveSocket(loaded);
      const { serve } = await import('./commands/serve.ts');
      return serve(loaded);
    }
    case 'call': {
      const { callTools } = await import('./commands/call.ts');
      return callTools(loaded, calls);
    }
    case 'ps':
    case 'stop': {
      const { runPs, runStop } = await import('./commands/daemons.ts');
      const daemons = { ...machine, argv: process.argv.slice(2) };
      return command === 'ps' ? runPs(daemons, flag) : runStop(daemons, flag);
    }
    case 'dashboard':
    case 'show':
      return (await import('./commands/dashboard.ts')).runDashboard(process.argv.slice(2));
    case 'doctor': {
      const { runDoctor } = await import('./commands/doctor.ts');
      const { daemonLines } = await import('./commands/daemons.ts');
      return runDoctor({ ...machine, json: flag, daemons: async () => daemonLines(process.env) });
    }
    case 'install':
    case 'install-browser': {
      const { runInstall } = await import('./commands/install.ts');
      return runInstall(machine);
    }
    default: {
      const { runClient } = await import('./client/run.ts');
      return runClient(process.argv.slice(2), version);
    }
  }
}
