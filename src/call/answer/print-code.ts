import { Code, Script, Variable, isOptions } from '../../util/code.ts';
import type { CodeOptions, CodeStep, CodeValue } from '../../util/code.ts';
import { quoted } from '../../util/text.ts';

export const codeLanguages = ['typescript', 'python', 'java', 'csharp'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

/** The object a call belongs to; Java names option classes after it. */
type Receiver = 'Page' | 'Locator' | 'Mouse' | 'Keyboard' | 'FileChooser' | 'LocatorAssertions';

interface Link extends CodeStep {
  readonly on: Receiver;
  /** The one that acts; those before it only say where. */
  readonly isLast: boolean;
}

interface Printer {
  /** The language of its fence. */
  readonly fence: string;
  /** The function that starts an assertion. */
  readonly expect: string;
  statement(expression: string): string;
  /** Runs a statement several times, on one line. */
  loop(statement: string, times: number): string;
  /** The statement by which the chooser that a click opens is given files; only Java has one call for it. */
  chooser(click: string, give: string): string;
  link(link: Link): string;
}

/** The line of a program that does the same. Pure. */
export function printCode(code: Code, language: CodeLanguage): string {
  const printer = printers[language];
  const [, opening, giving] = code.steps;
  const click = opening?.name === 'waitForFileChooser' ? opening.args?.[0] : undefined;
  if (click instanceof Code && giving !== undefined) {
    const give = printer.link({ ...giving, on: 'FileChooser', isLast: true });
    return printer.chooser(expression(click, printer, true), give);
  }
  const statement = printer.statement(expression(code, printer, true));
  return code.times === 1 ? statement : printer.loop(statement, code.times);
}

/** The language of the fence. */
export function fenceOf(language: CodeLanguage): string {
  return printers[language].fence;
}

function expression({ steps: [root, ...steps] }: Code, printer: Printer, acts: boolean): string {
  const [subject] = root?.args ?? [];
  const isAssertion = root?.name === 'expect' && subject instanceof Code;
  let on: Receiver = isAssertion ? 'LocatorAssertions' : root?.name === 'fileChooser' ? 'FileChooser' : 'Page';
  const links = steps.map((step, index) => {
    const text = printer.link({ ...step, on, isLast: acts && index === steps.length - 1 });
    on = nextReceiver(step, on);
    return text;
  });
  const start = isAssertion ? `${printer.expect}(${expression(subject, printer, false)})` : (root?.name ?? '');
  return [start, ...links].join('');
}

function nextReceiver({ name }: CodeStep, on: Receiver): Receiver {
  if (name === 'mouse') return 'Mouse';
  if (name === 'keyboard') return 'Keyboard';
  return /^(?:getBy|locator$)/.test(name) ? 'Locator' : on;
}

/** Words that are members of an enumeration in Java and C#, by the option they stand in. */
const enumerations: Readonly<Record<string, string>> = {
  button: 'MouseButton',
  modifiers: 'KeyboardModifier',
  state: 'WaitForSelectorState',
  colorScheme: 'ColorScheme',
  reducedMotion: 'ReducedMotion',
  forcedColors: 'ForcedColors',
  contrast: 'Contrast',
  media: 'Media',
  type: 'ScreenshotType',
};

/** Calls whose object is data in JavaScript and Python, and a row of arguments in Java and C#. */
const takesRow = new Set(['setViewportSize']);
/** Links that only Java writes as calls, and Python and C# as properties. */
const asProperty = new Set(['first', 'last', 'contentFrame']);

/** Java names assertions in its own way. */
const javaAssertions: Readonly<Record<string, string>> = {
  toBeVisible: 'isVisible',
  toHaveValue: 'hasValue',
  toBeChecked: 'isChecked',
  toMatchAriaSnapshot: 'matchesAriaSnapshot',
};

const javascript: Printer = {
  fence: 'js',
  expect: 'expect',
  statement: (text) => `await ${text};`,
  loop: (statement, times) => `for (let i = 0; i < ${times}; i++) ${statement}`,
  chooser: (click, give) =>
    `await Promise.all([page.waitForEvent('filechooser').then((chooser) => chooser${give}), ${click}]);`,
  link: ({ name, args }) => (args === undefined ? `.${name}` : `.${name}(${args.map(jsValue).join(', ')})`),
};

function jsValue(value: CodeValue): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Script) return value.source;
  if (value instanceof Variable) return `process.env[${quoted(value.name)}]`;
  if (value instanceof Code) return expression(value, javascript, false);
  if (isList(value)) return `[${value.map(jsValue).join(', ')}]`;
  if (!isOptions(value)) return String(value);
  const fields = entriesOf(value).map(([key, each]) => `${jsKey(key)}: ${jsValue(each)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function jsKey(key: string): string {
  return /^[a-z_$][\w$]*$/i.test(key) ? key : quoted(key);
}

const python: Printer = {
  fence: 'python',
  expect: 'expect',
  statement: (text) => text,
  loop: (statement, times) => `for _ in range(${times}): ${statement}`,
  chooser: (click, give) => `with page.expect_file_chooser() as opened: ${click}; opened.value${give}`,
  link: ({ name, args }) => {
    if (args === undefined || asProperty.has(name)) return `.${snake(name)}`;
    const last = takesRow.has(name) ? undefined : args.at(-1);
    if (last === undefined || !isOptions(last)) return `.${snake(name)}(${args.map(pythonValue).join(', ')})`;
    const named = entriesOf(last).map(([key, each]) => `${snake(key)}=${pythonValue(each)}`);
    return `.${snake(name)}(${[...args.slice(0, -1).map(pythonValue), ...named].join(', ')})`;
  },
};

function pythonValue(value: CodeValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value instanceof Script) return JSON.stringify(value.source);
  if (value instanceof Variable) return `os.environ[${JSON.stringify(value.name)}]`;
  if (value instanceof Code) return expression(value, python, false);
  if (isList(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (!isOptions(value)) return JSON.stringify(value);
  const fields = entriesOf(value).map(([key, each]) => `${JSON.stringify(key)}: ${pythonValue(each)}`);
  return `{${fields.join(', ')}}`;
}

const java: Printer = {
  fence: 'java',
  expect: 'assertThat',
  statement: (text) => `${text};`,
  loop: (statement, times) => `for (int i = 0; i < ${times}; i++) ${statement}`,
  chooser: (click, give) => `page.waitForFileChooser(() -> ${click})${give};`,
  link: ({ name, args = [], on }) => {
    const method = name === 'goto' ? 'navigate' : (javaAssertions[name] ?? name);
    const key = name === 'getByRole' ? 'role' : /^set(?:Input)?Files$/.test(name) ? 'path' : '';
    const given = takesRow.has(name) ? args.flatMap(rowOf) : args;
    const options = (value: CodeValue): string => {
      if (!isOptions(value)) return javaValue(value, key, false);
      const setters = entriesOf(value).map(([each, item]) => `.set${pascal(each)}(${javaValue(item, each, true)})`);
      return `new ${on}.${pascal(javaAssertions[name] ?? name)}Options()${setters.join('')}`;
    };
    return `.${method}(${given.map(options).join(', ')})`;
  },
};

function javaValue(value: CodeValue, key: string, isOption: boolean): string {
  if (typeof value === 'string') {
    const words = key === 'role' ? 'AriaRole' : isOption ? enumerations[key] : undefined;
    if (words !== undefined) return `${words}.${snake(value).replaceAll('-', '_').toUpperCase()}`;
    return key === 'path' ? `Paths.get(${JSON.stringify(value)})` : JSON.stringify(value);
  }
  if (value instanceof Script) return JSON.stringify(value.source);
  if (value instanceof Variable) return `System.getenv(${JSON.stringify(value.name)})`;
  if (value instanceof Code) return expression(value, java, false);
  if (isList(value)) {
    const items = value.map((item) => javaValue(item, key, isOption)).join(', ');
    if (isOption) return `Arrays.asList(${items})`;
    return `new ${key === 'path' ? 'Path' : 'String'}[] {${items}}`;
  }
  if (!isOptions(value)) return String(value);
  const pairs = entriesOf(value).map(([each, item]) => `${JSON.stringify(each)}, ${javaValue(item, each, true)}`);
  return `Map.of(${pairs.join(', ')})`;
}

const csharp: Printer = {
  fence: 'csharp',
  expect: 'Expect',
  statement: (text) => `await ${text};`,
  loop: (statement, times) => `for (var i = 0; i < ${times}; i++) ${statement}`,
  chooser: (click, give) => `await (await page.RunAndWaitForFileChooserAsync(() => ${click}))${give};`,
  link: ({ name, args, isLast }) => {
    const method = name === 'dblclick' ? 'DblClick' : pascal(name);
    if (args === undefined || asProperty.has(name)) return `.${method}`;
    const given = takesRow.has(name) ? args.flatMap(rowOf) : args;
    const key = name === 'getByRole' ? 'role' : '';
    return `.${method}${isLast ? 'Async' : ''}(${given.map((value) => csharpValue(value, key)).join(', ')})`;
  },
};

function csharpValue(value: CodeValue, key: string): string {
  if (typeof value === 'string') {
    const words = key === 'role' ? 'AriaRole' : enumerations[key];
    return words === undefined ? JSON.stringify(value) : `${words}.${value.split('-').map(pascal).join('')}`;
  }
  if (value instanceof Script) return JSON.stringify(value.source);
  if (value instanceof Variable) return `Environment.GetEnvironmentVariable(${JSON.stringify(value.name)})`;
  if (value instanceof Code) return expression(value, csharp, false);
  if (isList(value)) return `new[] { ${value.map((item) => csharpValue(item, key)).join(', ')} }`;
  if (!isOptions(value)) return String(value);
  const fields = entriesOf(value).map(([each, item]) => `${csharpKey(each)} = ${csharpValue(item, each)}`);
  return `new() { ${fields.join(', ')} }`;
}

function csharpKey(key: string): string {
  return /^\w+$/.test(key) ? pascal(key) : `[${JSON.stringify(key)}]`;
}

const printers: Readonly<Record<CodeLanguage, Printer>> = { typescript: javascript, python, java, csharp };

function isList(value: CodeValue): value is readonly CodeValue[] {
  return Array.isArray(value);
}

function entriesOf(options: CodeOptions): readonly (readonly [string, CodeValue])[] {
  return Object.entries(options).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
}

function rowOf(value: CodeValue): readonly CodeValue[] {
  return isOptions(value) ? entriesOf(value).map(([, each]) => each) : [value];
}

function snake(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
