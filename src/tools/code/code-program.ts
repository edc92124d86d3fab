// Two functions that do not run here: their texts are the program of the process that runs callers' code. They use nothing
// that is declared elsewhere, and only texts pass between the program and the code.

/** Calls of the page that return another object; all others return a promise. */
export const builderNames: readonly string[] = [
  'locator',
  'getByRole',
  'getByText',
  'getByLabel',
  'getByPlaceholder',
  'getByAltText',
  'getByTitle',
  'getByTestId',
  'frameLocator',
  'contentFrame',
  'owner',
  'first',
  'last',
  'nth',
  'filter',
  'and',
  'or',
];
export const partNames: readonly string[] = ['keyboard', 'mouse', 'touchscreen'];

/** The text of the program. */
export function codeProgram(): string {
  const settings = JSON.stringify({ builders: builderNames, parts: partNames });
  return `'use strict';(${String(program)})(${JSON.stringify(`(${String(bridge)})`)}, ${JSON.stringify(settings)});`;
}

/** Runs in the process: connects its streams to a context that has nothing of Node.js. */
function program(bridgeSource: string, settings: string): void {
  // oxlint-disable-next-line typescript/no-require-imports, unicorn/prefer-module
  const vm = require('node:vm');
  const { stdin, stdout } = process;
  const write = stdout.write.bind(stdout);
  for (const key of ['binding', '_linkedBinding', 'dlopen', 'getBuiltinModule', 'kill', 'mainModule', 'env', 'argv']) {
    Reflect.deleteProperty(process, key);
  }
  const codeGeneration = { strings: false, wasm: false };
  const context = vm.createContext(Object.create(null), { codeGeneration });
  const send = (text: string): void => {
    try {
      write(`${text}\n`);
    } catch {
      // The server is gone, and ends this process.
    }
  };
  const timer = (id: number, ms: number): void => {
    setTimeout(() => receive('timer', String(id)), ms);
  };
  const receive = vm.runInContext(bridgeSource, context)(send, timer, settings);
  let rest = '';
  stdin.setEncoding('utf8');
  stdin.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const kind = line.slice(0, line.indexOf(' '));
      const text = line.slice(kind.length + 1);
      if (kind !== 'run') receive(kind, text);
      else {
        try {
          receive('code', vm.runInContext(JSON.parse(text), context, { filename: 'code' }));
        } catch (error) {
          receive('syntax', String(error));
        }
      }
    }
  });
  send('{"kind":"ready"}');
}

/** Runs in the context: the page as an object whose calls are sent to the server. */
// One function, because its text is sent, and its variables must not be reachable from the code.
// oxlint-disable-next-line eslint/max-lines-per-function
function bridge(
  send: (text: string) => void,
  timer: (id: number, ms: number) => void,
  settings: string,
): (kind: string, content: unknown) => void {
  type Step = readonly [name: string, args?: readonly unknown[]];
  interface Waiting {
    readonly resolve: (value: unknown) => void;
    readonly reject: (error: unknown) => void;
  }
  const { builders, parts } = JSON.parse(settings);
  const { stringify, parse } = JSON;
  const waiting = new Map<number, Waiting>();
  const timers = new Map<number, () => void>();
  const paths = new WeakMap<object, readonly Step[]>();
  let last = 0;
  let url = '';
  const post = (message: unknown): void => {
    try {
      send(stringify(message));
    } catch {
      throw new Error('The arguments of a call cannot be sent.');
    }
  };
  const encoded = (value: unknown): unknown => {
    if (value === undefined) return { $: 'undefined' };
    if (typeof value === 'function' || (typeof value === 'object' && value !== null)) {
      const path = paths.get(value);
      if (path !== undefined) return { $: 'path', path };
    }
    if (typeof value === 'function') return { $: 'function', source: String(value) };
    if (value instanceof RegExp) return { $: 'regex', source: value.source, flags: value.flags };
    if (Array.isArray(value)) return value.map(encoded);
    if (typeof value === 'object' && value !== null) {
      return { $: 'object', entries: Object.entries(value).map(([key, item]) => [key, encoded(item)]) };
    }
    return value;
  };
  const ask = async (path: readonly Step[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      post({ kind: 'call', id, path });
    });
  const remote = (path: readonly Step[]): object => {
    const made: object = new Proxy(() => undefined, {
      get: (_, key) => {
        if (typeof key !== 'string' || key === 'then' || key === 'toJSON') return undefined;
        if (parts.includes(key)) return remote([...path, [key]]);
        if (key === 'url' && path.length === 0) return () => url;
        if (key === 'all') return async () => all(made, path);
        return (...args: readonly unknown[]) => {
          const next: readonly Step[] = [...path, [key, args.map(encoded)]];
          return builders.includes(key) ? remote(next) : ask(next);
        };
      },
    });
    paths.set(made, path);
    return made;
  };
  const all = async (_made: object, path: readonly Step[]): Promise<readonly object[]> => {
    const count = Number(await ask([...path, ['count', []]]));
    return Array.from({ length: count }, (_, place) => remote([...path, ['nth', [place]]]));
  };
  const decoded = (value: { readonly response?: Record<string, unknown>; readonly value?: unknown }): unknown => {
    const { response } = value;
    if (response === undefined) return value.value;
    return Object.fromEntries(Object.entries(response).map(([key, item]) => [key, () => item]));
  };
  const finish = (run: unknown): void => {
    const page = remote([]);
    new Promise((resolve) => {
      if (typeof run !== 'function') throw new TypeError('The code must be a function: async (page) => { … }');
      resolve(run(page));
    }).then(
      (value) => post({ kind: 'end', value: value === undefined ? { $: 'undefined' } : value }),
      (error: unknown) => post({ kind: 'end', thrown: String(error) }),
    );
  };
  const log = (...items: readonly unknown[]): void =>
    post({ kind: 'log', text: items.map((item) => (typeof item === 'string' ? item : stringify(item))).join(' ') });
  const later = (run: () => void, given: unknown): number => {
    const ms = Number(given ?? 0) || 0;
    const id = ++last;
    timers.set(id, run);
    timer(id, Math.min(Math.max(ms, 0), 600_000));
    return id;
  };
  const cancel = (id: number): void => void timers.delete(id);
  Object.assign(globalThis, {
    console: { log, info: log, warn: log, error: log, debug: log },
    setTimeout: later,
    clearTimeout: cancel,
  });
  return (kind, content) => {
    if (kind === 'code') finish(content);
    else if (kind === 'syntax') post({ kind: 'end', thrown: String(content) });
    else if (kind === 'timer') {
      const run = timers.get(Number(content));
      timers.delete(Number(content));
      run?.();
    } else if (kind === 'answer') {
      const answer = parse(String(content));
      url = answer.url;
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.error === undefined) asked?.resolve(decoded(answer));
      else asked?.reject(new Error(answer.error));
    } else if (kind === 'url') url = String(content);
  };
}
