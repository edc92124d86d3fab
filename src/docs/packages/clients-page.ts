import { stringify } from 'smol-toml';
import { clients } from '../../cli/init/clients.ts';
import type { ClientSpec, ServerCommand } from '../../cli/init/clients.ts';
import { fenced, table } from '../markdown.ts';
import { pluginFolder } from './claude-plugin.ts';
import { cursorLink, installLinks, vsCodeLink } from './install-links.ts';
import { bundleName, imageName, repositoryPath } from './project.ts';
import type { Project } from './project.ts';

const npx: ServerCommand = { command: 'npx', args: ['-y', 'pagehelm'] };
const port = 8931;

/** Other ways to set a client up, and what is peculiar to it. */
function notesFor(project: Project): Readonly<Record<string, string>> {
  const { name } = project;
  return {
    claude: `${fenced('claude mcp add pagehelm -- npx -y pagehelm', 'sh')}
Add \`--scope user\` before the name for all projects, or \`--scope project\` for the project's \`.mcp.json\`. The plugin adds the server and the skill for the command line:

${fenced(`/plugin marketplace add ${repositoryPath(project)}\n/plugin install ${name}@${name}`)}`,
    'claude-desktop': `Install the bundle \`${bundleName(project)}\` of a release by opening it: Claude Desktop shows a dialog with the options, and brings its own Node.js. To edit the file instead, open Settings, Developer, Edit Config, and restart Claude Desktop afterwards. Add \`"--output-dir", "/path/to/a/folder"\` to the arguments: the working directory is not writable.`,
    codex: fenced('codex mcp add pagehelm -- npx -y pagehelm', 'sh'),
    cursor: `[Install in Cursor](${cursorLink()}). \`.cursor/mcp.json\` in a project works too.`,
    vscode: `[Install in VS Code](${vsCodeLink()}). For all workspaces, use the command "MCP: Open User Configuration".`,
    gemini: '`.gemini/settings.json` in a project works too.',
    opencode: '`opencode.json` in a project works too. opencode 2 expects the entry under `mcp.servers`.',
  };
}

/** docs/clients.md: the settings for each client of \`pagehelm init\`. */
export function clientsPage(project: Project): string {
  const notes = notesFor(project);
  const sections = clients.map((client) => section(client, notes[client.id]));
  return `${introduction}\n${overHttp}\n${sections.join('\n')}\n${docker(project)}\n${troubleshooting}`;
}

const introduction = `# Clients

pagehelm speaks MCP on stdin and stdout. The client starts it and ends it by closing stdin. With \`--port\` it serves network clients instead and prints the URL and the key; see [configuration.md](configuration.md).

\`npx pagehelm init\` finds the clients below, shows the change, and adds the server to their files. \`--client <name>\` selects one, \`--print\` only shows the change, \`--remove\` restores the file. ${installLinks()}

The examples run the published package with \`npx -y pagehelm\`. In a checkout, use \`node /path/to/pagehelm/dist/bin.js\` instead; \`npm start\` or \`npm run build\` creates the file. Append options, for example \`--headless\`. Use absolute paths: the client chooses the working directory.

Do not use plain \`npm start\` as the command: it opens a port, and npm prints a banner to stdout, which belongs to the protocol. \`npm --silent --prefix /path/to/pagehelm start -- --stdio\` works.

For every client:

- **Display.** The browser is visible if there is a display. Add \`--headless\` to hide it.
- **Files.** Screenshots, saved snapshots and downloads are written below the working directory (\`.viewpoint-mcp-screenshots\`, \`.playwright-mcp\`). Use \`--output-dir /some/folder\` to change that.
- **First call.** It starts the browser. If there is none, the answer names the command that installs one: \`npx pagehelm install-browser\`.
`;

const url = `http://localhost:${port}/mcp`;
const header = '"Authorization": "Bearer <key>"';

const overHttp = `## Over HTTP

Start the server with \`--port ${port}\`, or with \`npm start\`. It prints a key and the settings below. [network.md](network.md) describes keys and limits.

${table(
  ['Client', 'Setting'],
  [
    ['Claude Code', `\`claude mcp add --transport http pagehelm ${url} --header "Authorization: Bearer <key>"\``],
    ['Cursor, Windsurf and others with `mcpServers`', `\`"pagehelm": { "url": "${url}", "headers": { ${header} } }\``],
    ['VS Code', `\`"pagehelm": { "type": "http", "url": "${url}", "headers": { ${header} } }\``],
  ],
)}
A client without Streamable HTTP can use \`http://localhost:${port}/sse\`. Files are written on the machine of the server.
`;

function section(client: ClientSpec, note: string | undefined): string {
  const { title, id, format, path, entry } = client;
  const file = client.file({ home: '~', cwd: '.', platform: 'linux', env: {} });
  const nested = path.toReversed().reduce<unknown>((value, key) => ({ [key]: value }), entry(npx));
  const text = format === 'toml' ? stringify(nested).trim() : shortJson(nested);
  const where = id === 'claude-desktop' ? '`claude_desktop_config.json`' : `\`${file}\``;
  return `## ${title}

\`npx pagehelm init --client ${id}\` writes ${where}:

${fenced(text, format)}${note === undefined ? '' : `\n${note.trim()}\n`}`;
}

/** JSON with each list on one line. */
function shortJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  return text.replaceAll(/\[[^[\]{}]*\]/g, (list) =>
    list.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\[ | \]/g, (end) => end.trim()),
  );
}

function docker(project: Project): string {
  const image = `${imageName(project)}:${project.version}`;
  const run = ['run', '-i', '--rm', '--init', '--shm-size=1g', image];
  return `## Docker

[packaging/docker](../packaging/docker) has the Dockerfile of the image \`${image}\`: Debian's headless shell, fonts, a user without rights. Use \`docker\` as the client's command:

${fenced(shortJson({ mcpServers: { pagehelm: { command: 'docker', args: run } } }), 'json')}
- \`-i\` keeps stdin open; without it the server ends at once. Do not use \`-t\`: a terminal corrupts the protocol.
- \`--init\` reaps zombie processes.
- With less than 256 MiB in \`/dev/shm\`, pagehelm tells the browser not to use it, which is slower.
- Docker's default seccomp profile blocks the browser's sandbox. pagehelm then starts the browser without it and logs a warning; see [security.md](security.md). With \`--security-opt seccomp=packaging/docker/seccomp.json\` the sandbox works; add \`-e PAGEHELM_SANDBOX=true\` to refuse to run without it.
- Files are written to \`/data\` in the container. Mount a folder there to keep them.

\`docker run --rm ${image} doctor\` checks the browser in the container.

[packaging/docker/compose.yaml](../packaging/docker/compose.yaml) serves a port on the loopback address, with a key, the sandbox, a read-only file system and no capabilities.
`;
}

const troubleshooting = `## Troubleshooting

\`npx pagehelm doctor\` checks Node.js, the browser, its sandbox, the display, shared memory and write access. The server logs to stderr, which most clients write to a log file. \`--log-level debug\` logs more, and \`--log-file /some/file\` logs to a file.

The files of the Claude Code plugin are in \`${pluginFolder}\`. They, the manifest of the bundle, \`server.json\`, the files for Docker and this page are written by \`npm run packages\`.
`;
