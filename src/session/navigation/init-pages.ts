import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import { errorCode } from '../../util/error-code.ts';

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

/** Has our script and the operator's run in every page of a context; once, however many sessions it outlives. */
export function contextPreparer(
  loadOwn: () => Promise<string>,
  paths: readonly string[],
  timeouts: { readonly action: number; readonly navigation: number },
  cwd: string,
): (context: BrowserContext) => Promise<void> {
  const prepared = new WeakSet<BrowserContext>();
  return async (context) => {
    if (prepared.has(context)) return;
    const scripts = await Promise.all([loadOwn(), ...paths.map(async (path) => readScript(path, cwd))]);
    prepared.add(context);
    context.setDefaultTimeout(timeouts.action);
    context.setDefaultNavigationTimeout(timeouts.navigation);
    for (const content of scripts) await context.addInitScript({ content });
  };
}

async function readScript(path: string, cwd: string): Promise<string> {
  return readFile(resolve(cwd, path), 'utf8').catch((error: unknown) => {
    const problem = `The script ${JSON.stringify(path)} cannot be read: ${reasonOf(error)}`;
    throw new ToolError('BAD_CONFIGURATION', { problem }, { cause: error });
  });
}

async function load(path: string): Promise<Prepare> {
  const module: unknown = await import(pathToFileURL(path).href);
  const exported = defaultOf(module);
  // A CommonJS module that was made of an ES module has its default inside of its only export.
  const prepare = isPrepare(exported) ? exported : defaultOf(exported);
  if (!isPrepare(prepare)) throw new Error('it does not export a function by default');
  return prepare;
}

function defaultOf(module: unknown): unknown {
  return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
}

function isPrepare(value: unknown): value is Prepare {
  return typeof value === 'function';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isTypeScript = errorCode(error) === 'ERR_UNKNOWN_FILE_EXTENSION';
  return isTypeScript
    ? `Node ${process.versions.node} does not load such a file; give it as JavaScript (.mjs), or use a newer Node`
    : error.message;
}
