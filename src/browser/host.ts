import type { ProxyChoice } from '../config/proxy.ts';
import type { ProxyRelay } from './proxy/loopback-proxy.ts';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

export interface BrowserMode {
  readonly type: string;
  readonly headless: boolean;
}

/** A browser that a caller asks for, in place of the one that was configured. */
export interface BrowserWish {
  /** As it was configured, where it does not say. */
  readonly type?: 'chromium' | 'firefox' | 'webkit';
  readonly headless: boolean;
  readonly viewport: { readonly width: number; readonly height: number };
}

/** What a session asks of its browser. */
export interface LeaseRequest {
  /** The default session gets the profile or the attached browser's own context, where there is one. */
  readonly isDefault: boolean;
}

/** A right to use a browser. Disposing of the last lease lets the host close it, unless it is not ours. */
export interface BrowserLease extends AsyncDisposable {
  readonly browser: Browser;
  readonly headless: boolean;
  /** False for a browser that somebody else started: it is left running. */
  readonly owned: boolean;
  /** Somebody else's browser: its tabs are not ours to use or to close. */
  readonly isForeign: boolean;
  /** What every context in this browser starts with. */
  readonly contextDefaults: BrowserContextOptions;
  /** What imitates a device, by Playwright's name for it. */
  device(name: string): BrowserContextOptions;
  /** A profile's own context, which exists as long as its browser; absent where contexts are made. */
  readonly sharedContext?: BrowserContext;
  /** Where the operator has set rules: a way through another proxy that keeps them. */
  readonly guard?: (upstream: ProxyChoice) => Promise<ProxyRelay>;
  /** What the operator should know about it: it is not quite what was asked for. */
  readonly note?: string;
  onLost(listener: (reason: string) => void): void;
}

/** A way to get a browser. Nothing above this folder knows which one is in use. */
export interface BrowserHost extends AsyncDisposable {
  acquire(request: LeaseRequest, signal: AbortSignal): Promise<BrowserLease>;
  /** Finds the browser or gets one; says in one line which. */
  install(say: (line: string) => void, signal: AbortSignal): Promise<string>;
  /** One line for people: which browser, in which mode. */
  describe(): Promise<string>;
  /** Ends everything at once, for the exit of the process. */
  endSync(): void;
}
