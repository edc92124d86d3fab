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
  { name: 'doctor', summary: 'Say what works on this machine, and what to do about the rest' },
  { name: 'install-browser', summary: 'Find a browser, or get one' },
] as const;

/** Runs the command and returns the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    process.exitCode = await run(argv);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) console.error(`pagehelm: ${problem}`);
    process.exitCode = 1;
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const isCall = argv[0] === 'call';
  const asJson = argv[0] === 'doctor' && argv.includes('--json');
  const words = asJson ? argv.filter((word) => word !== '--json') : argv;
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
    console.log(tool === undefined ? helpText(commands) : toolHelp(tool));
    return 0;
  }
  if (others.length > 0) throw new ConfigError([`Unexpected argument "${others[0]}".`]);
  return runCommand(command, loaded, calls, asJson);
}

async function runCommand(
  command: string,
  loaded: LoadedConfig,
  calls: readonly (readonly string[])[],
  json: boolean,
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
      const { serve } = await import('./commands/serve.ts');
      return serve(loaded);
    }
    case 'call': {
      const { callTools } = await import('./commands/call.ts');
      return callTools(loaded, calls);
    }
    case 'doctor': {
      const { runDoctor } = await import('./commands/doctor.ts');
      return runDoctor({ ...machine, json });
    }
    case 'install':
    case 'install-browser': {
      const { runInstall } = await import('./commands/install.ts');
      return runInstall(machine);
    }
    default: {
      const { nearest } = await import('../util/nearest.ts');
      const near = nearest(
        command,
        commands.map(({ name }) => name),
      );
      throw new ConfigError([`Unknown command "${command}".${near === undefined ? '' : ` Did you mean "${near}"?`}`]);
    }
  }
}
