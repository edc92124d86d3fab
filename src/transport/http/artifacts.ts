import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { uriPrefix } from '../../util/resource-uri.ts';
import type { Refusal } from '../access/guard.ts';
import type { Caller, Endpoint, ServedFile } from './endpoint.ts';

/** Files of resources, for people and programs that do not speak the protocol. */
export const artifactPath = '/artifacts/';

/** Sends the file of `/artifacts/{kind}/{identifier}`. A file of another caller is not found. */
export async function sendArtifact(
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  endpoint: Endpoint,
): Promise<Refusal | undefined> {
  const { method = '', url = '' } = request;
  if (!/^(?:GET|HEAD)$/.test(method))
    return { status: 405, message: 'Method not allowed.', headers: { Allow: 'GET, HEAD' } };
  const file = await endpoint.file?.(caller, `${uriPrefix}${url.slice(artifactPath.length)}`);
  if (file === undefined) return { status: 404, message: 'There is no such file.' };
  response.writeHead(200, headersOf(file));
  if (method === 'HEAD') {
    if (!Buffer.isBuffer(file.body)) file.body.destroy();
    response.end();
  } else if (Buffer.isBuffer(file.body)) response.end(file.body);
  // A client that goes away ends the stream, too.
  else await pipeline(file.body, response).catch(() => undefined);
  return undefined;
}

/** The file comes from a web page: a browser must neither show it nor guess its type. */
function headersOf({ name, mimeType, size }: ServedFile): Record<string, string | number> {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  // Half of a character cannot be encoded; as a buffer it is replaced.
  const encoded = encodeURIComponent(Buffer.from(name).toString()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return {
    'Content-Type': mimeType,
    'Content-Length': size,
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  };
}
