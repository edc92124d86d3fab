import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bin, ensureBuilt, root } from '../built.ts';

const metafileSchema = z.object({
  inputs: z.record(z.string(), z.unknown()),
  outputs: z.record(
    z.string(),
    z.object({
      entryPoint: z.string().optional(),
      bytes: z.number(),
      imports: z.array(z.object({ path: z.string(), kind: z.string(), external: z.boolean().optional() })),
      inputs: z.record(z.string(), z.unknown()),
    }),
  ),
});
type Metafile = z.output<typeof metafileSchema>;

let bundle: Metafile = { inputs: {}, outputs: {} };
/** A build takes seconds, and more than a minute on a busy machine. */
const buildLimitMs = 300_000;

beforeAll(async () => {
  await ensureBuilt();
  bundle = metafileSchema.parse(JSON.parse(readFileSync(join(root, 'build/metafile.json'), 'utf8')));
}, buildLimitMs);

const chunks = join(root, 'dist/chunks');
const isNode = (path: string): boolean => path.startsWith('node:');

/** Everything loaded together with a file, without dynamic imports: files of the bundle and external modules. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of bundle.outputs[file]?.imports ?? [])
    if (kind === 'import-statement') loadedWith(path, seen);
  return seen;
}

function outputOf(source: string): string {
  const found = Object.entries(bundle.outputs).find(([, { entryPoint }]) => entryPoint === source);
  return found?.[0] ?? '';
}

describe('the bundle', () => {
  test('the executable imports only node: modules before it checks the Node version', () => {
    const imported = [...readFileSync(bin, 'utf8').matchAll(/\b(?:import|from)\s*"([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(imported).toContain('node:module');
    expect(imported.filter((path) => !isNode(path))).toEqual([]);
  });

  test('the code that every start loads is in one file', () => {
    const files = ['main', 'serve'].map((name) => {
      const command = readdirSync(chunks).find((file) => new RegExp(`^${name}-\\w+\\.js$`).test(file)) ?? '';
      return readFileSync(join(chunks, command), 'utf8');
    });
    for (const file of files) expect(file).toMatch(/^import\{[^}]*\}from"\.\/start\.js";export\{[^}]*\};\n$/);
    const imported = readFileSync(join(chunks, 'start.js'), 'utf8').match(/\b(?:import|from)"[^"]+"/g) ?? [];
    expect(imported).toContain('from"node:fs"');
    // A few helpers of the bundler are in the small file that commands of the daemon load.
    expect(imported.filter((each) => each.includes('"./'))).toEqual(['from"./client.js"']);
  });

  test('a command of the daemon loads one small file and node: modules', () => {
    const text = readFileSync(join(chunks, 'client.js'), 'utf8');
    const imported = [...text.matchAll(/\b(?:import|from)"([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(imported.filter((path) => !isNode(path))).toEqual([]);
    expect(text.length).toBeLessThan(10_000);
  });

  test.each(['src/cli/main.ts', 'src/cli/commands/serve.ts', 'src/cli/commands/call.ts', 'src/index.ts'])(
    '[C5-16] %s loads without Playwright',
    (source) => {
      const loaded = loadedWith(outputOf(source));
      expect(loaded.size).toBeGreaterThan(3);
      expect([...loaded].filter((path) => path.startsWith('playwright'))).toEqual([]);
    },
  );

  test('serving a client loads no other command', () => {
    const loaded = loadedWith(outputOf('src/cli/commands/serve.ts'));
    const inside = [...loaded].flatMap((file) => Object.keys(bundle.outputs[file]?.inputs ?? {}));
    expect(inside).toContain('src/transport/stdio.ts');
    expect(inside.filter((file) => /^src\/cli\/(?:help|commands\/(?!serve))/.test(file))).toEqual([]);
  });

  test('a server on stdio loads nothing of the network', () => {
    const insideOf = (source: string): readonly string[] =>
      [...loadedWith(outputOf(source))].flatMap((file) => Object.keys(bundle.outputs[file]?.inputs ?? {}));
    const isNetwork = (file: string): boolean =>
      /node_modules\/ws\/|src\/transport\/(?:listener|streamable|sse|websocket|guard|keys)/.test(file);
    expect(insideOf('src/cli/commands/serve.ts').filter(isNetwork)).toEqual([]);
    expect(insideOf('src/cli/commands/serve-network.ts').filter(isNetwork).length).toBeGreaterThan(6);
  });

  test('a server on stdio loads the regular expression engine only when a pattern needs it', () => {
    const inside = [...loadedWith(outputOf('src/cli/commands/serve.ts'))].flatMap((file) =>
      Object.keys(bundle.outputs[file]?.inputs ?? {}),
    );
    expect(inside).toContain('src/tools/lib/patterns/regex.ts');
    expect(inside.filter((file) => file.includes('/re2js/'))).toEqual([]);
    expect(Object.keys(bundle.inputs).filter((file) => file.includes('/re2js/'))).not.toEqual([]);
  });

  test('a server on stdio loads resources only on request', () => {
    const inside = [...loadedWith(outputOf('src/cli/commands/serve.ts'))].flatMap((file) =>
      Object.keys(bundle.outputs[file]?.inputs ?? {}),
    );
    const isLazy = (file: string): boolean => /src\/resources\/(?:resources|kinds|live|file-content)\.ts/.test(file);
    expect(inside.filter(isLazy)).toEqual([]);
    expect(Object.keys(bundle.inputs).filter(isLazy)).toHaveLength(4);
  });

  test('a server on stdio loads prompts and their template engine only on request', () => {
    const inside = [...loadedWith(outputOf('src/cli/commands/serve.ts'))].flatMap((file) =>
      Object.keys(bundle.outputs[file]?.inputs ?? {}),
    );
    const isLazy = (file: string): boolean => /\/handlebars\/|src\/prompts\/(?:catalogue|library)/.test(file);
    expect(inside.filter(isLazy)).toEqual([]);
    expect(Object.keys(bundle.inputs).filter(isLazy)).toHaveLength(3);
  });

  test('a server on stdio loads no code for JSON logs, metrics and spans', () => {
    const inside = [...loadedWith(outputOf('src/cli/commands/serve.ts'))].flatMap((file) =>
      Object.keys(bundle.outputs[file]?.inputs ?? {}),
    );
    const isLazy = (file: string): boolean => /\/(?:pino|prom-client|@opentelemetry)\/|src\/telemetry\//.test(file);
    expect(inside).toContain('src/events/bus.ts');
    expect(inside.filter(isLazy)).toEqual([]);
    expect(Object.keys(bundle.inputs).filter(isLazy).length).toBeGreaterThan(50);
  });

  test('a server on stdio loads the comparison of images only on request', () => {
    const inside = [...loadedWith(outputOf('src/cli/commands/serve.ts'))].flatMap((file) =>
      Object.keys(bundle.outputs[file]?.inputs ?? {}),
    );
    const isLazy = (file: string): boolean => /image-worker|src\/images\/|src\/tools\/compare\//.test(file);
    expect(inside.filter(isLazy)).toEqual([]);
    expect(Object.keys(bundle.inputs).filter(isLazy).length).toBeGreaterThan(5);
    expect(Object.keys(bundle.inputs).filter((file) => /pngjs|pixelmatch/.test(file))).toEqual([]);
    const notices = readFileSync(join(root, 'THIRD_PARTY_NOTICES'), 'utf8');
    expect(notices).toMatch(/^pixelmatch \d/m);
    expect(notices).toMatch(/^pngjs \d/m);
  });

  test('only a process of a cluster loads the Redis client', () => {
    const insideOf = (source: string): readonly string[] =>
      [...loadedWith(outputOf(source))].flatMap((file) => Object.keys(bundle.outputs[file]?.inputs ?? {}));
    const isRedis = (file: string): boolean => /@redis\/client|rate-limiter-flexible|src\/cluster\/redis\//.test(file);
    for (const source of ['src/cli/commands/serve.ts', 'src/cli/commands/serve-network.ts', 'src/index.ts'])
      expect(insideOf(source).filter(isRedis)).toEqual([]);
    expect(insideOf('src/cli/commands/serve-cluster.ts').filter(isRedis).length).toBeGreaterThan(100);
    const notices = readFileSync(join(root, 'THIRD_PARTY_NOTICES'), 'utf8');
    for (const name of ['@redis/client', 'rate-limiter-flexible'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  test('it imports only node: modules from outside', () => {
    const outside = Object.values(bundle.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external === true).map(({ path }) => path),
    );
    expect(outside.length).toBeGreaterThan(5);
    // playwright-core is required at run time, which esbuild does not record.
    expect(outside.filter((path) => !isNode(path))).toEqual([]);
  });

  test('it does not contain the SDK’s JSON Schema validator', () => {
    const inputs = Object.keys(bundle.inputs);
    expect(inputs).toContain('src/mcp/sdk-shims.ts');
    expect(inputs.filter((file) => /ajv|cfworker/i.test(file))).toEqual([]);
  });
});
