import type { IncomingMessage } from 'node:http';

export async function bodyOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts).toString();
}
