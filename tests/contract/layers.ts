import { posix } from 'node:path';

interface Layer {
  /** Folders and files of src/ it may import besides itself. */
  readonly imports: readonly string[];
  /** Packages whose values it may import; their types come with them. */
  readonly values?: readonly string[];
  /** Packages of which it may import types only. */
  readonly types?: readonly string[];
}

const playwright = 'playwright-core';
const sdk = '@modelcontextprotocol/server';
const base = ['errors', 'log', 'util'];

/** What may import what: a folder, or a file at the top of src/ without its ending, and what is below it. */
export const layers: Readonly<Record<string, Layer>> = {
  util: { imports: [] },
  errors: { imports: [] },
  version: { imports: [] },
  page: { imports: [] },
  view: { imports: ['page', 'util'] },
  log: { imports: ['util'] },
  config: { imports: ['errors', 'util'], values: ['zod'] },
  policy: { imports: ['config', 'errors', 'util'] },
  browser: { imports: ['config', 'policy', ...base], values: [playwright] },
  session: { imports: ['browser', 'page', 'view', 'policy', 'config', ...base], types: [playwright] },
  // A snapshot can be of one element: the response names it by its locator, as a type.
  call: { imports: ['session', 'view', 'policy', 'config', ...base], values: ['zod'], types: [playwright] },
  tools: { imports: ['call', 'session', 'page', 'errors', 'util'], values: ['zod'], types: [playwright] },
  mcp: { imports: ['call', 'session', 'config', ...base], values: [sdk, 'zod'] },
  transport: { imports: ['config', ...base], values: [sdk] },
  docs: { imports: ['call', 'config', 'errors', 'mcp', 'util'], values: ['zod'] },
  app: {
    imports: ['browser', 'call', 'config', 'mcp', 'policy', 'session', 'tools', 'transport', 'version', ...base],
    values: [sdk],
    types: [playwright],
  },
  cli: { imports: ['app', 'config', 'version', ...base] },
  index: { imports: ['app', 'call', 'config', 'errors'], types: ['zod'] },
  bin: { imports: ['cli'] },
};

/** Edges that go beside the table on purpose. One that no import uses any more has to go. */
export const exceptions: readonly { readonly from: string; readonly to: string; readonly why: string }[] = [
  { from: 'call/', to: 'browser/failure.ts', why: 'the one catch of a call makes our errors of Playwright’s' },
  { from: 'call/', to: 'browser/host.ts', why: 'a tool asks for another browser in the words of those who start it' },
  { from: 'tools/', to: 'policy/urls.ts', why: 'an address that is never opened is refused before a browser starts' },
  { from: 'cli/commands/doctor.ts', to: 'browser/', why: 'it reports on the browsers of this machine' },
  { from: 'cli/commands/install.ts', to: 'browser/', why: 'it brings a browser to this machine' },
  { from: 'cli/commands/serve.ts', to: 'transport/', why: 'it gives the process’s own streams to a wire' },
  { from: 'cli/compile-cache.ts', to: 'browser/find/machine.ts', why: 'it knows the cache folder of this user' },
  { from: 'cli/help.ts', to: 'call/tool.ts', why: 'a misspelt tool is guessed in one way' },
  { from: 'cli/commands/call.ts', to: 'call/', why: 'it tells an unknown tool from a failure, and prints results' },
  { from: 'cli/', to: 'tools/index.ts', why: 'a tool’s arguments are read from the command line, and are its help' },
  { from: 'session/navigation/init-pages.ts', to: '', why: 'it loads the modules that an operator names' },
  {
    from: 'index.ts',
    to: 'tools/vocabularies/index.ts',
    why: 'a program gets its app at once: nothing can be loaded later',
  },
  { from: 'index.ts', to: 'log.ts', why: 'a program hands in where log lines go, and gets a logger made of it' },
];

/** Names that the build gives to what it makes of a folder. */
const madeOf: Readonly<Record<string, string>> = { 'pagehelm:page-agent': 'page/main.ts' };

/** Files whose purpose is to pass on what others define. */
const barrels = new Set(['index.ts', 'tools/index.ts']);

export interface Import {
  readonly from: string;
  /** A path below src/, or a package. */
  readonly to: string;
  readonly kind: 'value' | 'type' | 'dynamic';
  readonly isLocal: boolean;
  readonly isReExport: boolean;
}

const statement = /^(import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)'/gm;
const dynamicImport = /\bimport\(\s*(?:'([^']+)')?/g;

/** Every import of a source file. */
export function importsOf(file: string, text: string): readonly Import[] {
  const found = (to: string, kind: Import['kind'], isReExport = false): Import => {
    const local = to.startsWith('.') ? posix.join(posix.dirname(file), to) : madeOf[to];
    return { from: file, to: local ?? to, kind, isLocal: local !== undefined, isReExport };
  };
  const statics = [...text.matchAll(statement)].map(([, word, type, names = '', to = '']) => {
    const hasOnlyTypes = type !== undefined || /^\{(?:\s*type\s[^,}]*,?)+\s*\}$/.test(names);
    return found(to, hasOnlyTypes ? 'type' : 'value', word === 'export');
  });
  // A dynamic import of something computed has no name to check: it is reported as an import of nothing.
  return [...statics, ...[...text.matchAll(dynamicImport)].map(([, to = '']) => found(to, 'dynamic'))];
}

function unitOf(path: string): string {
  return path.split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

export function exceptionFor({ from, to }: Pick<Import, 'from' | 'to'>): (typeof exceptions)[number] | undefined {
  const fits = (path: string, pattern: string): boolean =>
    pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern;
  return exceptions.find((edge) => fits(from, edge.from) && fits(to, edge.to));
}

/** What is wrong with an import; nothing when it is as it should be. */
export function problemWith(edge: Import): string | undefined {
  const { from, to, kind, isLocal, isReExport } = edge;
  const layer = layers[unitOf(from)];
  if (layer === undefined) return `${from}: ${unitOf(from)} is not in the layer table`;
  if (isReExport && isLocal && !barrels.has(from)) return `${from}: passes on ${to}; import the file that defines it`;
  if (isLocal) {
    if (unitOf(from) === unitOf(to) || layer.imports.includes(unitOf(to)) || exceptionFor(edge) !== undefined) return;
    return `${from}: may not import ${to}`;
  }
  if (to.startsWith('node:'))
    return unitOf(from) === 'page' ? `${from}: runs in a page, where ${to} is not` : undefined;
  const isOf = (name: string): boolean => to === name || to.startsWith(`${name}/`);
  if (kind === 'type' && layer.types?.some(isOf) === true) return undefined;
  if (to === '' && exceptionFor(edge) !== undefined) return undefined;
  if (layer.values?.some(isOf) !== true)
    return `${from}: may not import ${kind} of ${to === '' ? 'a computed name' : to}`;
  if (isOf(playwright) && kind === 'value') return `${from}: ${to} is loaded with import() when it is needed`;
  return undefined;
}

/** Files that import each other in a ring, in its order; types do not count, they are gone when the program runs. */
export function cycles(imports: readonly Import[]): readonly string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, kind, isLocal } of imports)
    if (isLocal && kind !== 'type') next.set(from, [...(next.get(from) ?? []), to]);
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}
