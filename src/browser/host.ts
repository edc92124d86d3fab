import type { ProxyChoice } from '../config/proxy.ts';
import type { DomainPolicy } from '../policy/domains.ts';
import type { ProxyRelay } from './proxy/loopback-proxy.ts';
import type { ProcessUse } from './process/processes.ts';
import type { Refusals } from './proxy/refusals.ts';
import type { TraceFolder } from './trace-folder.ts';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

export type { ProcessUse };

export interface BrowserMode {
  readonly type: string;
  readonly headless: boolean;
}

/** A browser that a caller requests instead of the configured one. */
export interface BrowserRequest {
  /** Absent: as configured. */
  readonly type?: 'chromium' | 'firefox' | 'webkit';
  readonly headless: boolean;
  readonly viewport: { readonly width: number; readonly height: number };
}

/** What a session requires from its browser. */
export interface LeaseRequest {
  /** The default session gets the profile, or the default context of an external browser, if there is one. */
  readonly isDefault: boolean;
  /** Rules for this session, which include the operator's. Without them, the operator's rules apply. */
  readonly rules?: DomainPolicy | undefined;
  /** The `place` of the session's last lease, which it gets again if it can. */
  readonly prefers?: number | undefined;
}

/** Permission to use a browser. After the last lease the host may close it, unless it is external. */
export interface BrowserLease extends AsyncDisposable {
  readonly browser: Browser;
  readonly headless: boolean;
  /** False for a shared context: it outlives the session. */
  readonly owned: boolean;
  /** An external browser: its tabs are neither used nor closed. */
  readonly isForeign: boolean;
  /** With several external browsers: which one it is. */
  readonly place?: number;
  /** Options of every context in this browser. */
  readonly contextDefaults: BrowserContextOptions;
  /** Context options that emulate a device, by Playwright's name. */
  device(name: string): BrowserContextOptions;
  /** The context of a profile or external browser; absent if each session creates one. */
  readonly sharedContext?: BrowserContext;
  /** With domain rules: opens a relay to another proxy that enforces them. */
  readonly guard?: (upstream: ProxyChoice) => Promise<ProxyRelay>;
  /** With rules: opens the egress proxy of this session, which enforces them. */
  readonly egress?: () => Promise<ProxyRelay>;
  /** With rules and a shared context: what the egress proxy of the browser refused. */
  readonly refusals?: Refusals;
  /** Where traces of this browser are recorded. */
  traces(): Promise<TraceFolder>;
  /** A note for the caller if the browser differs from the requested one. */
  readonly note?: string;
  /** Called for a browser that does not answer: a frozen one is killed. Absent for an external browser. */
  readonly silent?: (reason: string) => void;
  /** CPU time of its renderers, and whether one is stopped; undefined where that is not known. */
  readonly renderers?: () => ProcessUse | undefined;
  /** If the browser outlives this server: contexts that the server before left, by session. */
  readonly keeps?: {
    /** The context of a session; undefined if there is none, or it was taken. */
    readonly take: (session: string) => BrowserContext | undefined;
    readonly label: (session: string, context: BrowserContext) => void;
  };
  onLost(listener: (reason: string) => void): void;
}

/** Provides browsers. Code outside this folder does not know which implementation is in use. */
export interface BrowserHost extends AsyncDisposable {
  acquire(request: LeaseRequest, signal: AbortSignal): Promise<BrowserLease>;
  /** Finds or installs a browser; returns a line that describes it. */
  install(say: (line: string) => void, signal: AbortSignal): Promise<string>;
  /** A line that describes the browser and its mode. */
  describe(): Promise<string>;
  /** Ends the use of a browser that the next server may use; absent if it ends with this one. */
  letGo?(): Promise<void>;
  /** Ends everything synchronously, for the `exit` event. */
  endSync(): void;
}
