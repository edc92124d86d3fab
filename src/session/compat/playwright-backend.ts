import type { BrowserContext } from 'playwright-core';
import type { PlaywrightTool, PlaywrightTools, ToolsAnswer, ToolsBackend } from '../../browser/playwright-tools.ts';
import type { ToolsState, ToolsTab } from '../../browser/playwright-tools.ts';
import { ToolError } from '../../errors.ts';
import { isRecord } from '../../util/records.ts';
import type { Tab } from '../tab.ts';
import { adaptTab } from './adapted-tab.ts';
import { withoutApiName } from './api-error.ts';
import { hideOwnFrames } from './page-errors.ts';
import type { RunningCall } from './settled-action.ts';

/** How a tool of Playwright runs. */
export type ToolHandle = PlaywrightTool['handle'];

/** A call of one of Playwright's tools. */
export interface BackendCall {
  readonly name: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** The tool evaluates a script of the caller. */
  readonly isScript: boolean;
  /** The working directory of the client, if it has declared one. */
  readonly cwd?: string | undefined;
}

/** What the backend needs from its session. */
interface BackendSession {
  tabOf(page: ToolsTab['page']): Tab | undefined;
  select(tab: Tab): void;
  /** Waits until the operator's modules have prepared the page. */
  whenReady(tab: Tab): Promise<void>;
  /** Opens the browser context, if there is none. */
  openContext(signal: AbortSignal): Promise<BrowserContext>;
  /** Closes the browser context; the next call opens another. */
  closeContext(): Promise<void>;
}

export interface BackendDeps {
  readonly load: () => Promise<PlaywrightTools>;
  /** The working directory of a client that declares no roots. */
  readonly cwd: string;
  /** Tools in place of Playwright's, by name. */
  readonly replaced: Readonly<Partial<Record<string, ToolHandle>>>;
  /** The configuration for a client with this working directory. */
  readonly configFor: (cwd: string) => Readonly<Record<string, unknown>>;
}

interface Running {
  readonly backend: ToolsBackend;
  readonly context: BrowserContext;
  readonly cwd: string;
  readonly state: ToolsState;
}

/**
 * Runs the tools of playwright-core in the browser context of a session. The answers are those of @playwright/mcp; the
 * browser, the queue, the rules and the waiting after an action are ours.
 */
export class PlaywrightBackend {
  readonly #session: BackendSession;
  readonly #deps: BackendDeps;
  #running: Running | undefined;
  #call: RunningCall = { signal: new AbortController().signal, isScript: false };
  readonly #adapted = new WeakSet<ToolsTab>();

  constructor(session: BackendSession, deps: BackendDeps) {
    this.#session = session;
    this.#deps = deps;
  }

  async call({ name, args, signal, isScript, cwd = this.#deps.cwd }: BackendCall): Promise<ToolsAnswer> {
    const { backend, state } = await this.#open(cwd, signal);
    this.#call = { signal, isScript };
    for (const tab of state.tabs()) this.#adapt(tab);
    try {
      return await backend.callTool(name, args, signal);
    } finally {
      const current = state.currentTab();
      const tab = current && this.#session.tabOf(current.page);
      if (tab !== undefined) this.#session.select(tab);
    }
  }

  async #open(cwd: string, signal: AbortSignal): Promise<Running> {
    const context = await this.#session.openContext(signal);
    const known = this.#running;
    if (known?.context === context && known.cwd === cwd) return known;
    const { BrowserBackend, browserTools } = await this.#deps.load();
    const tools = browserTools.filter(({ skillOnly }) => skillOnly !== true).map((tool) => this.#replaced(tool));
    const dispose = async (): Promise<void> => {
      if (this.#running?.context !== context) return;
      this.#running = undefined;
      await this.#session.closeContext();
    };
    const backend = new BrowserBackend(this.#deps.configFor(cwd), context, tools, { dispose });
    await backend.initialize({ cwd, clientName: 'pagehelm' });
    const { _context: state } = backend;
    if (state === undefined) throw new Error('the tools of playwright-core have no state');
    const [ensureTab, newTab] = [state.ensureTab.bind(state), state.newTab.bind(state)];
    state.ensureTab = async () => this.#prepared(await ensureTab());
    state.newTab = async () => this.#prepared(await newTab());
    this.#running = { backend, context, cwd, state };
    return this.#running;
  }

  #replaced(tool: PlaywrightTool): PlaywrightTool {
    const handle = this.#deps.replaced[tool.schema.name];
    if (handle === undefined) return tool;
    return {
      ...tool,
      handle: async (...input) =>
        handle(...input).catch((error: unknown) => {
          throw withoutApiName(error);
        }),
    };
  }

  async #prepared(shown: ToolsTab): Promise<ToolsTab> {
    const tab = this.#session.tabOf(shown.page);
    if (tab !== undefined) await this.#session.whenReady(tab).catch(throwAsPeer);
    return this.#adapt(shown);
  }

  #adapt(shown: ToolsTab): ToolsTab {
    const tab = this.#session.tabOf(shown.page);
    if (tab === undefined || this.#adapted.has(shown)) return shown;
    this.#adapted.add(shown);
    hideOwnFrames(shown.page);
    adaptTab(shown, tab, () => this.#call);
    return shown;
  }
}

function throwAsPeer(error: unknown): never {
  if (!(error instanceof ToolError) || !isRecord(error.details)) throw error;
  const { path, reason } = error.details;
  throw new Error(`Failed to load init page "${String(path)}": ${String(reason)}`, { cause: error });
}
