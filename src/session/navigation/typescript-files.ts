import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Module from 'node:module';
import { transform } from 'sucrase';

/** What Node gives to the loader of an extension; its types leave out the method that compiles a text. */
interface LoadedModule extends Module {
  _compile(code: string, path: string): unknown;
}

/** Loads a TypeScript file, and those that it imports, as CommonJS: types are removed, and not checked. */
export function requireTypeScript(path: string): unknown {
  const require = createRequire(path);
  for (const extension of ['.ts', '.mts', '.cts']) {
    require.extensions[extension] ??= (module, file) => {
      const options = { transforms: ['typescript' as const, 'imports' as const], filePath: file };
      const { code } = transform(readFileSync(file, 'utf8'), options);
      // See LoadedModule.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion, no-underscore-dangle
      (module as LoadedModule)._compile(code, file);
    };
  }
  return require(path);
}
