import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Smaller texts are not worth the trouble. */
const large = 2 ** 20;
const partSize = 2 ** 16;
const utf8Sequence = /[\u00c2-\u00f4][\u0080-\u00bf]+/g;

/** As Node.js calls it. */
const compile = '_compile';

type Compiling = NodeJS.Module & {
  readonly [compile]?: (this: NodeJS.Module, text: string, path: string) => unknown;
};

/**
 * Requires a module in less memory. V8 keeps the texts of all scripts, and takes two bytes for each character of one as
 * soon as a single character is not of Latin-1: some dashes in comments of Playwright's took seven megabytes.
 */
export function leanRequire(name: string, from: string): unknown {
  const require = createRequire(from);
  // Deprecated as a way to load other languages, and the only one to load a module from another text.
  // oxlint-disable-next-line typescript/no-deprecated
  const { extensions } = require;
  const usual = extensions['.js'];
  extensions['.js'] = (module, path) => {
    const { [compile]: compiles }: Compiling = module;
    if (compiles === undefined || statSync(path).size < large) usual(module, path);
    else compiles.call(module, asciiText(bytesOf(path)), path);
  };
  try {
    return require(name);
  } finally {
    extensions['.js'] = usual;
  }
}

/** The bytes of a file as characters. Read in parts: malloc gives less back to the system once a large piece was freed. */
function bytesOf(path: string): string {
  const part = Buffer.alloc(partSize);
  const file = openSync(path, 'r');
  try {
    let bytes = '';
    for (let read = readSync(file, part); read > 0; read = readSync(file, part))
      bytes += part.toString('latin1', 0, read);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** The same program, with escapes for all characters beyond ASCII. */
export function asciiText(utf8: string): string {
  return utf8.replaceAll(utf8Sequence, (bytes) => {
    const text = Buffer.from(bytes, 'latin1').toString('utf8');
    return Array.from({ length: text.length }, (_, at) => escaped(text.charCodeAt(at))).join('');
  });
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
