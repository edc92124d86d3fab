const server = { command: 'npx', args: ['-y', 'pagehelm'] };

/** Opens VS Code, which shows the server and adds it after a confirmation. */
export function vsCodeLink(): string {
  const config = encodeURIComponent(JSON.stringify(server));
  return `https://vscode.dev/redirect/mcp/install?name=pagehelm&config=${config}`;
}

/** Opens Cursor, which shows the server and adds it after a confirmation. */
export function cursorLink(): string {
  const config = encodeURIComponent(Buffer.from(JSON.stringify(server)).toString('base64'));
  return `https://cursor.com/en/install-mcp?name=pagehelm&config=${config}`;
}

/** The line with the links, as markdown. */
export function installLinks(): string {
  return `[Install in VS Code](${vsCodeLink()}) · [Install in Cursor](${cursorLink()})`;
}
