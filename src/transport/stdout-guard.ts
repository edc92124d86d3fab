import type { Writable } from 'node:stream';

/** Writes to the real stdout. */
export type Write = (chunk: string) => void;

/** Keeps stdout for the protocol: other writes, from this server or a library, go to stderr. */
export function guardStdout(stdout: Writable, stderr: Writable): Write {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (chunk) => {
    write(chunk);
  };
}
