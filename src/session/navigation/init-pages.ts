import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserLease } from '../../browser/host.ts';
import { ToolError } from '../../errors.ts';
import { errorCode } from '../../util/error-code.ts';
import type { AgentSource } from '../agent/agent-source.ts';
import { allowCopying } from '../act/copy-permission.ts';

type Prepare = (input: { readonly page: Page }) => unknown;

/** Runs the operator's modules on each new page; each is loaded once, when the first page opens. */
export function initPages(paths: readonly string[], cwd: string): (page: Page) => Promise<void> {
  const loaded = new Map<string, Promise<Prepare>>();
  return async (page) => {
    for (const path of paths) {
      try {
        const loading = loaded.get(path) ?? load(resolve(cwd, path));
        loaded.set(path, loading);
        await (
          await loading
        )({ page });
      } catch (error) {
        // A file that is put right while the server runs is tried again.
        loaded.delete(path);
        throw new ToolError('INIT_PAGE_FAILED', { path, reason: reasonOf(error) }, { cause: error });
      }
    }
  };
}

/** What is changed in a context beside its scripts. */
interface ContextDefaults {
  readonly timeouts: { readonly action: number; readonly navigation: number };
}

/** Has our script and the operator's run in every page of a context; once, however many sessions it outlives. */
export function contextPreparer(
  loadOwn: () => Promise<Pick<AgentSource, 'world' | 'worldWithLimits'>>,
  paths: readonly string[],
  /** Undefined for the tools of Playwright: they give their own limits, and a context has no more permissions than it was given. */
  defaults: ContextDefaults | undefined,
  cwd: string,
): (context: BrowserContext, lease: Pick<BrowserLease, 'browser' | 'headless' | 'isForeign'>) => Promise<void> {
  const prepared = new WeakSet<BrowserContext>();
  return async (context, { browser, headless, isForeign }) => {
    if (prepared.has(context)) return;
    const [own, ...scripts] = await Promise.all([loadOwn(), ...paths.map(async (path) => readScript(path, cwd))]);
    prepared.add(context);
    // The location of console messages is corrected in the pipe of a browser that this server has started.
    const isGuarded = !isForeign && browser.browserType().name() === 'chromium';
    for (const content of [isGuarded ? own.worldWithLimits : own.world, ...scripts])
      await context.addInitScript({ content });
    if (defaults === undefined) return;
    context.setDefaultTimeout(defaults.timeouts.action);
    context.setDefaultNavigationTimeout(defaults.timeouts.navigation);
    if (headless && !isForeign) allowCopying(context);
  };
}

async function readScript(path: string, cwd: string): Promise<string> {
  return readFile(resolve(cwd, path), 'utf8').catch((error: unknown) => {
    const problem = `The script ${JSON.stringify(path)} cannot be read: ${reasonOf(error)}`;
    throw new ToolError('BAD_CONFIGURATION', { problem }, { cause: error });
  });
}

async function load(path: string): Promise<Prepare> {
  const module = await importFile(path);
  const exported = defaultOf(module);
  // A CommonJS module that was made of an ES module has its default inside of its only export.
  const prepare = isPrepare(exported) ? exported : defaultOf(exported);
  if (!isPrepare(prepare)) throw new Error('it does not export a function by default');
  return prepare;
}

/** Before Node 22.18, Node does not import TypeScript. */
async function importFile(path: string): Promise<unknown> {
  try {
    // An annotation, not an assertion: what the operator's module exports is checked by the caller.
    const module: unknown = await import(pathToFileURL(path).href);
    return module;
  } catch (error) {
    if (errorCode(error) !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    const { requireTypeScript } = await import('./typescript-files.ts');
    return requireTypeScript(path);
  }
}

function defaultOf(module: unknown): unknown {
  return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
}

function isPrepare(value: unknown): value is Prepare {
  return typeof value === 'function';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
