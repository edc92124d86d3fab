import { posix } from 'node:path';

interface Layer {
  /** Folders and files of src/ that it may import, besides itself. */
  readonly imports: readonly string[];
  /** Packages it may import, values and types. */
  readonly values?: readonly string[];
  /** Packages it may import types from. */
  readonly types?: readonly string[];
}

const playwright = 'playwright-core';
const sdk = '@modelcontextprotocol/server';
const base = ['errors', 'events', 'log', 'util'];

/** Allowed imports per folder of src/, or per top-level file without its extension. docs/architecture.md prints this table. */
export const layers: Readonly<Record<string, Layer>> = {
  util: { imports: [] },
  errors: { imports: [] },
  version: { imports: [] },
  images: { imports: [], values: ['pixelmatch', 'pngjs'] },
  page: { imports: ['util'], values: ['@mozilla/readability', 'turndown'] },
  view: { imports: ['page', 'util'] },
  log: { imports: ['util'] },
  'json-log': { imports: ['log', 'util'], values: ['pino'] },
  events: { imports: ['util'] },
  config: { imports: ['errors', 'util'], values: ['zod'] },
  policy: { imports: ['config', 'errors', 'util'] },
  browser: { imports: ['config', 'policy', ...base], values: [playwright, 'socks'] },
  session: {
    imports: ['browser', 'page', 'view', 'policy', 'config', ...base],
    values: ['sucrase'],
    types: [playwright],
  },
  // Playwright types: a response may name the element of a snapshot by its Locator.
  call: { imports: ['session', 'view', 'policy', 'config', ...base], values: ['zod'], types: [playwright] },
  tools: {
    imports: ['call', 'session', 'images', 'page', 'errors', 'util'],
    values: ['zod', 're2js', 'unpdf'],
    types: [playwright],
  },
  prompts: { imports: ['errors', 'util'], values: ['handlebars'] },
  resources: {
    imports: ['call', 'session', 'page', 'view', 'policy', 'config', ...base],
    values: ['zod'],
  },
  mcp: { imports: ['call', 'prompts', 'resources', 'session', 'config', ...base], values: [sdk, 'zod'] },
  transport: { imports: ['config', 'telemetry', ...base], values: [sdk, 'ws'], types: ['prom-client'] },
  'dashboard-page': { imports: ['dashboard'], values: ['preact', '@preact/signals'] },
  dashboard: {
    imports: ['call', 'session', 'telemetry', 'transport', ...base],
    values: ['ws', 'zod'],
    types: [playwright],
  },
  telemetry: {
    imports: ['session', ...base],
    values: [
      'prom-client',
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
    ],
  },
  cluster: {
    imports: ['call', 'config', 'dashboard', 'session', 'transport', ...base],
    values: ['@redis/client', 'rate-limiter-flexible', 'zod', 'prom-client'],
    types: [sdk],
  },
  docs: { imports: ['call', 'config', 'errors', 'mcp', 'prompts', 'resources', 'util'], values: ['smol-toml', 'zod'] },
  app: {
    imports: [
      'browser',
      'call',
      'cluster',
      'config',
      'dashboard',
      'mcp',
      'policy',
      'prompts',
      'resources',
      'session',
      'telemetry',
      'tools',
      'transport',
      'version',
      ...base,
    ],
    values: [sdk],
    types: [playwright, 'prom-client'],
  },
  cli: {
    imports: ['app', 'config', 'json-log', 'version', ...base],
    values: ['jsonc-parser', 'smol-toml', 'zod'],
    types: [sdk],
  },
  index: { imports: ['app', 'call', 'config', 'errors', 'json-log'], types: ['zod'] },
  bin: { imports: ['cli'] },
};

/** Deliberate exceptions to the table. A test fails on exceptions that no import uses. */
export const exceptions: readonly { readonly from: string; readonly to: string; readonly why: string }[] = [
  { from: 'call/', to: 'browser/failure.ts', why: 'the catch of a call translates Playwright’s errors' },
  { from: 'call/', to: 'browser/host.ts', why: 'a tool requests a browser with the types of the host' },
  { from: 'resources/', to: 'browser/failure.ts', why: 'a read translates Playwright’s errors as a call does' },
  { from: 'tools/', to: 'browser/failure.ts', why: 'tools tell kinds of Playwright’s errors apart by its predicates' },
  { from: 'tools/', to: 'policy/urls.ts', why: 'forbidden URLs are rejected before a browser starts' },
  { from: 'telemetry/', to: 'browser/process/processes.ts', why: 'measures the memory of the browsers' },
  { from: 'cli/commands/doctor.ts', to: 'browser/', why: 'reports on the installed browsers' },
  { from: 'cli/commands/install.ts', to: 'browser/', why: 'installs a browser' },
  { from: 'cli/commands/serve-cluster.ts', to: 'cluster/', why: 'starts the parts of a cluster that the role has' },
  { from: 'cli/commands/serve-cluster.ts', to: 'transport/', why: 'reads the keys of clients' },
  { from: 'cli/commands/serve-network.ts', to: 'transport/', why: 'opens the port and prints how to connect' },
  { from: 'cli/commands/serve.ts', to: 'transport/', why: 'connects the process’s streams to a transport' },
  { from: 'cli/', to: 'browser/process/processes.ts', why: 'identifies daemons and their owners by process' },
  { from: 'cli/daemon/', to: 'call/', why: 'prints the reports of calls' },
  { from: 'cli/daemon/connection.ts', to: 'transport/stdio.ts', why: 'a socket carries the same lines as stdio' },
  { from: 'cli/verbs/', to: 'call/', why: 'verbs, help and answers are derived from tools and reports' },
  { from: 'cli/compile-cache.ts', to: 'browser/find/machine.ts', why: 'needs the user’s cache folder' },
  { from: 'cli/commands/top.ts', to: 'dashboard/protocol.ts', why: 'shows the state that the dashboard shows' },
  { from: 'docs/packages/', to: 'cli/', why: 'documents the clients of init and packs the skill' },
  { from: 'cli/help.ts', to: 'call/tool.ts', why: 'suggests the nearest tool name' },
  { from: 'cli/commands/call.ts', to: 'call/', why: 'prints results, and distinguishes unknown tools from failures' },
  { from: 'cli/', to: 'tools/all.ts', why: 'command-line arguments and help are derived from the tools' },
  { from: 'session/navigation/init-pages.ts', to: '', why: 'loads the modules given with --init-page' },
  { from: 'session/navigation/typescript-files.ts', to: '', why: 'loads those in TypeScript' },
  {
    from: 'index.ts',
    to: 'tools/vocabularies/index.ts',
    why: 'createApp is synchronous, so it cannot load them on demand',
  },
  { from: 'index.ts', to: 'log.ts', why: 'embedding programs pass a log sink' },
];

/** Virtual modules of the build and the file each is built from. */
const madeOf: Readonly<Record<string, string>> = {
  'pagehelm:dashboard': 'dashboard/protocol.ts',
  'pagehelm:image-worker': 'images/worker.ts',
  'pagehelm:page-agent': 'page/main.ts',
  'pagehelm:page-extractor': 'page/extract/extract.ts',
  'pagehelm:page-reader': 'page/reading/read.ts',
};

/** Files that may re-export. */
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
/** `import(…)` and the `require(…)` that createRequire makes. */
const dynamicImport = /(?:\bimport|(?<![\w.])require)\(\s*(?:'([^']+)')?/g;
/** The one file that may load Playwright. */
const playwrightLoader = 'browser/playwright.ts';

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
  // A dynamic import of a computed name is reported with an empty path.
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

/** The problem with an import, or undefined if it is allowed. */
export function problemWith(edge: Import): string | undefined {
  const { from, to, kind, isLocal, isReExport } = edge;
  const layer = layers[unitOf(from)];
  if (layer === undefined) return `${from}: ${unitOf(from)} is not in the layer table`;
  if (isReExport && isLocal && !barrels.has(from)) return `${from}: re-exports ${to}; import the file that defines it`;
  if (isLocal) {
    if (unitOf(from) === unitOf(to) || layer.imports.includes(unitOf(to)) || exceptionFor(edge) !== undefined) return;
    return `${from}: may not import ${to}`;
  }
  if (to.startsWith('node:'))
    return unitOf(from) === 'page' ? `${from}: runs in a page, where ${to} is not available` : undefined;
  const isOf = (name: string): boolean => to === name || to.startsWith(`${name}/`);
  if (kind === 'type' && layer.types?.some(isOf) === true) return undefined;
  if (to === '' && exceptionFor(edge) !== undefined) return undefined;
  if (layer.values?.some(isOf) !== true)
    return `${from}: may not import ${kind} of ${to === '' ? 'a computed name' : to}`;
  if (isOf(playwright) && kind === 'value') return `${from}: ${to} is loaded when it is needed`;
  if (isOf(playwright) && kind === 'dynamic' && from !== playwrightLoader)
    return `${from}: ${to} is loaded by ${playwrightLoader}`;
  return undefined;
}

/** Import cycles. Type imports do not count, because they are erased. */
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
