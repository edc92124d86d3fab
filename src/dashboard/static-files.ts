import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '../transport/access/guard.ts';

const pagePath = '/dashboard';
const scriptPath = '/dashboard/app.js';
const stylePath = '/dashboard/app.css';
export const staticPaths: ReadonlySet<string> = new Set([pagePath, scriptPath, stylePath]);

/** The page runs its own script, draws images it has received, and talks to this server. Nothing may embed it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src blob: data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>pagehelm</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylePath}">
</head>
<body><div id="app"></div><script type="module" src="${scriptPath}"></script></body>
</html>
`;

/** The files of the dashboard. They contain no data, so that they need no key. */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<Refusal | undefined> {
  const { method = '' } = request;
  if (!/^(?:GET|HEAD)$/.test(method))
    return { status: 405, message: 'Method not allowed.', headers: { Allow: 'GET, HEAD' } };
  const { script, style } = await import('pagehelm:dashboard');
  const [type, text] =
    path === scriptPath
      ? ['text/javascript; charset=utf-8', script]
      : path === stylePath
        ? ['text/css; charset=utf-8', style]
        : ['text/html; charset=utf-8', html];
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', ETag: tag };
  if (request.headers['if-none-match'] === tag) {
    response.writeHead(304, headers).end();
    return undefined;
  }
  response.writeHead(200, { ...headers, 'Content-Type': type }).end(method === 'HEAD' ? undefined : text);
  return undefined;
}
