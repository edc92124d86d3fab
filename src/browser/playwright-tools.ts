import type { BrowserContext, Page, Request } from 'playwright-core';

/** The part of an answer of Playwright's own tools that we read. */
export interface ToolsAnswer {
  readonly content: readonly ToolsContent[];
  readonly isError?: boolean;
}

export type ToolsContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** A tab as Playwright's tools know it. */
export interface ToolsTab {
  readonly page: Page;
  /** Runs an action and waits for its effects. */
  waitForCompletion: (action: () => Promise<unknown>) => Promise<void>;
  waitForInitialized(): Promise<void>;
  /** Requests with their numbers. */
  requests: (all?: boolean) => Promise<readonly NumberedRequest[]>;
  request: (index: number) => Promise<Request | undefined>;
  consoleMessageCount: (all?: boolean) => Promise<unknown>;
  readonly actionTimeoutOptions: { readonly timeout?: number };
}

interface NumberedRequest {
  readonly index: number;
  readonly request: Request;
}

/** The state of Playwright's tools. */
export interface ToolsState {
  tabs(): readonly ToolsTab[];
  currentTab(): ToolsTab | undefined;
  currentTabOrDie(): ToolsTab;
  ensureTab: () => Promise<ToolsTab>;
  newTab: () => Promise<ToolsTab>;
}

/** What a tool of Playwright writes its answer to. */
export interface ToolsResponse {
  addTextResult(text: string): void;
  addError(text: string): void;
  addCode(code: string): void;
  /** Shows the page after the call. */
  setIncludeSnapshot(): void;
}

export interface PlaywrightTool {
  readonly capability: string;
  /** Not offered over MCP. */
  readonly skillOnly?: boolean;
  readonly schema: { readonly name: string };
  handle(state: ToolsState, args: unknown, response: ToolsResponse, signal: AbortSignal): Promise<void>;
}

interface Backend {
  /** Set by `initialize`. */
  readonly _context?: ToolsState;
  initialize(client: { readonly cwd: string; readonly clientName: string }): Promise<void>;
  callTool(name: string, args: unknown, signal: AbortSignal): Promise<ToolsAnswer>;
  dispose(): Promise<void>;
}

export interface PlaywrightTools {
  readonly browserTools: readonly PlaywrightTool[];
  readonly BrowserBackend: new (
    config: unknown,
    context: BrowserContext,
    tools: readonly PlaywrightTool[],
    options: { readonly dispose: () => Promise<void> },
  ) => Backend;
}

export type ToolsBackend = InstanceType<PlaywrightTools['BrowserBackend']>;
