import type { Writable } from 'node:stream';

/** What is written to the real stdout. */
export type Write = (chunk: string) => void;

/** Keeps stdout for the protocol: whatever else writes to it, in our code or a library's, ends up on stderr. */
export function guardStdout(stdout: Writable, stderr: Writable): Write {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (chunk) => {
    write(chunk);
  };
}
