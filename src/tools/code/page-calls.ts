import type { Page, Response } from 'playwright-core';
import { isRecord } from '../../util/records.ts';
import { builderNames, partNames } from './code-program.ts';
import type { Step } from './code-process.ts';

/** What calls of the code may need besides the page. */
export interface PageCallDeps {
  readonly page: Page;
  /** The URL to open; throws if the rules forbid it. */
  readonly checkUrl: (url: string) => string;
  /** Files to upload, by path; throws if they may not be uploaded. */
  readonly filesFor: (paths: readonly string[]) => Promise<readonly string[]>;
}

/** Methods of pages, locators, keyboards and mice that code may call. None reaches files, other pages or the browser. */
const methods = new Set(
  `click dblclick fill type press pressSequentially check uncheck setChecked selectOption hover tap focus blur clear
  dragTo dragAndDrop selectText scrollIntoViewIfNeeded dispatchEvent innerText innerHTML textContent inputValue
  getAttribute isVisible isHidden isEnabled isDisabled isEditable isChecked count allInnerTexts allTextContents
  boundingBox ariaSnapshot title content evaluate evaluateAll $eval $$eval waitFor waitForSelector waitForTimeout
  waitForLoadState waitForURL waitForFunction goto reload goBack goForward setContent setViewportSize viewportSize
  emulateMedia bringToFront addStyleTag addScriptTag setInputFiles down up insertText move wheel`.split(/\s+/),
);
const builders = new Set(builderNames);
const parts = new Set(partNames);
/** Options that name a file of the server. */
const fileOptions = ['path', 'paths', 'videosPath', 'recordHar'];

/** Runs a call that code made on the page. Only listed names are followed, so that nothing else can be reached. */
export async function runPageCall(
  deps: PageCallDeps,
  path: readonly Step[],
): Promise<{ readonly value?: unknown; readonly response?: object }> {
  const last = path.at(-1);
  if (last === undefined) throw new Error('No method was named.');
  const target = path.slice(0, -1).reduce<unknown>((object, each) => followed(deps, object, each), deps.page);
  const [name, args] = last;
  if (args === undefined || !methods.has(name)) throw unavailable(name);
  const given = await argumentsOf(deps, name, args);
  const result: unknown = await invoke(target, name, given);
  return resultOf(result);
}

function unavailable(name: string): Error {
  return new Error(`${JSON.stringify(name.slice(0, 60))} is not available to code on the server.`);
}

function followed(deps: PageCallDeps, object: unknown, [name, args]: Step): unknown {
  if (args === undefined) {
    if (!parts.has(name) || object !== deps.page) throw unavailable(name);
    return Reflect.get(deps.page, name);
  }
  if (!builders.has(name)) throw unavailable(name);
  return invoke(
    object,
    name,
    args.map((each) => decoded(deps, each)),
  );
}

function invoke(target: unknown, name: string, args: readonly unknown[]): unknown {
  const method: unknown = typeof target === 'object' && target !== null ? Reflect.get(target, name) : undefined;
  if (typeof method !== 'function') throw unavailable(name);
  return Reflect.apply(method, target, [...args]);
}

async function argumentsOf(deps: PageCallDeps, name: string, raw: readonly unknown[]): Promise<readonly unknown[]> {
  const args = raw.map((each) => decoded(deps, each));
  for (const each of args) {
    const named = isRecord(each) ? fileOptions.find((key) => key in each) : undefined;
    if (named !== undefined) throw new Error(`The option ${named} is not available to code on the server.`);
  }
  if (name === 'goto') return [deps.checkUrl(String(args[0])), ...args.slice(1)];
  if (name === 'waitForURL' && typeof args[0] !== 'string') throw new Error('waitForURL takes a string here.');
  if (name === 'addScriptTag' || name === 'addStyleTag') checkTag(args[0]);
  if (name !== 'setInputFiles') return args;
  // Of a page the first argument is a selector.
  const at = args.length > 1 && typeof args[1] !== 'object' ? 1 : Array.isArray(args[1]) ? 1 : 0;
  const paths = [args[at]].flat().map(String);
  return args.with(at, await deps.filesFor(paths));
}

function checkTag(options: unknown): void {
  if (!isRecord(options) || typeof options['content'] !== 'string') throw new Error('Give the content of the tag.');
}

/** An argument as the program encoded it. */
function decoded(deps: PageCallDeps, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => decoded(deps, each));
  if (!isRecord(value)) return value;
  switch (value['$']) {
    case 'undefined':
      return undefined;
    case 'function':
      return pageFunction(String(value['source']));
    case 'regex':
      return new RegExp(String(value['source']).slice(0, 1000), String(value['flags']));
    case 'path':
      return objectAt(deps, value['path']);
    case 'object':
      return fromEntries(deps, value['entries']);
    default:
      return undefined;
  }
}

function objectAt(deps: PageCallDeps, path: unknown): unknown {
  if (!Array.isArray(path)) return undefined;
  return path.reduce<unknown>((object, each: unknown) => {
    const [name, args] = Array.isArray(each) ? each : [];
    return followed(deps, object, [String(name), Array.isArray(args) ? args : undefined]);
  }, deps.page);
}

function fromEntries(deps: PageCallDeps, entries: unknown): object {
  const pairs = Array.isArray(entries) ? entries : [];
  return Object.fromEntries(
    pairs.map((pair: unknown) => {
      const [key, item] = Array.isArray(pair) ? pair : [];
      return [String(key), decoded(deps, item)];
    }),
  );
}

/** Playwright sends the text of a function to the page: it is never run here. */
function pageFunction(source: string): () => undefined {
  return Object.defineProperty(() => undefined, 'toString', { value: () => source });
}

/** A result as data; a response as its facts. */
function resultOf(result: unknown): { readonly value?: unknown; readonly response?: object } {
  if (typeof result !== 'object' || result === null) return { value: result };
  if ('status' in result && typeof result.status === 'function' && 'url' in result) {
    // The only object with these methods that a listed call returns.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const response = result as Response;
    const facts = { status: response.status(), statusText: response.statusText(), ok: response.ok() };
    return { response: { ...facts, url: response.url(), headers: response.headers() } };
  }
  const isPlain = Array.isArray(result) || [Object.prototype, null].includes(Object.getPrototypeOf(result));
  return isPlain ? { value: result } : {};
}
