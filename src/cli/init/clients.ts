import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where things are on this machine. */
export interface Places {
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How to start the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A client that can be set up, and how its configuration file names a server. */
export interface ClientSpec {
  readonly id: string;
  readonly title: string;
  readonly file: (places: Places) => string;
  readonly format: 'json' | 'toml';
  /** Path of the entry in the file. */
  readonly path: readonly string[];
  readonly entry: (server: ServerCommand) => Readonly<Record<string, unknown>>;
  /** Folders or files that exist where the client is used. */
  readonly marks: (places: Places) => readonly string[];
}

const plain = ({ command, args }: ServerCommand): Readonly<Record<string, unknown>> => ({ command, args });
const servers = ['mcpServers', 'pagehelm'] as const;

/** The clients of `pagehelm init`. docs/clients.md is generated from it. */
export const clients: readonly ClientSpec[] = [
  {
    id: 'claude',
    title: 'Claude Code',
    file: ({ cwd }) => join(cwd, '.mcp.json'),
    format: 'json',
    path: servers,
    entry: plain,
    marks: ({ home, cwd }) => [join(home, '.claude'), join(home, '.claude.json'), join(cwd, '.mcp.json')],
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    file: (places) => join(desktopFolder(places), 'claude_desktop_config.json'),
    format: 'json',
    path: servers,
    entry: plain,
    marks: (places) => [desktopFolder(places)],
  },
  {
    id: 'codex',
    title: 'Codex',
    file: (places) => join(codexFolder(places), 'config.toml'),
    format: 'toml',
    path: ['mcp_servers', 'pagehelm'],
    entry: plain,
    marks: (places) => [codexFolder(places)],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    format: 'json',
    path: servers,
    entry: plain,
    marks: ({ home, cwd }) => [join(home, '.cursor'), join(cwd, '.cursor')],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    file: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
    format: 'json',
    path: ['servers', 'pagehelm'],
    entry: (server) => ({ type: 'stdio', ...plain(server) }),
    marks: ({ cwd }) => [join(cwd, '.vscode')],
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    format: 'json',
    path: servers,
    entry: plain,
    marks: ({ home }) => [join(home, '.gemini')],
  },
  {
    id: 'opencode',
    title: 'opencode',
    file: (places) => join(openCodeFolder(places), 'opencode.json'),
    format: 'json',
    path: ['mcp', 'pagehelm'],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    marks: (places) => [openCodeFolder(places)],
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    format: 'json',
    path: servers,
    entry: plain,
    marks: ({ home }) => [join(home, '.codeium', 'windsurf')],
  },
];

export function isInstalled(client: ClientSpec, places: Places): boolean {
  return client.marks(places).some((path) => existsSync(path));
}

function desktopFolder({ home, platform, env }: Places): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Claude');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Claude');
  return join(configFolder({ home, env }), 'Claude');
}

function codexFolder({ home, env }: Places): string {
  return env['CODEX_HOME'] ?? join(home, '.codex');
}

function openCodeFolder(places: Places): string {
  return join(configFolder(places), 'opencode');
}

function configFolder({ home, env }: Pick<Places, 'home' | 'env'>): string {
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config');
}
