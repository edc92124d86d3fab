import type { Browser, BrowserContext } from 'playwright-core';
import type { Config } from '../../config/schema/schema.ts';
import { ToolError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { raceSignal, settlesWithin } from '../../util/signals.ts';
import { contextOptions, wantedDevice } from '../context-options.ts';
import { reasonOf } from '../failure.ts';
import type { BrowserHost, BrowserLease, LeaseRequest } from '../host.ts';
import type { PlaywrightLoader } from '../playwright.ts';
import type { RunFolder } from '../process/run-folder.ts';
import { TraceFolder } from '../trace-folder.ts';
import { claim } from './claim.ts';
import type { Claim } from './claim.ts';
import { contextId } from './guid.ts';
import { whenDisconnected } from '../when-disconnected.ts';

export interface HeldDeps {
  readonly config: Config['browser'];
  readonly headless: () => boolean;
  readonly loader: PlaywrightLoader;
  readonly log: Logger;
  /** Describes and installs the browser that a holder would start. */
  readonly launcher: Pick<BrowserHost, 'install' | 'describe'>;
  /** Servers with the same key may use the same browser, one after the other. */
  readonly key: string;
  /** Folders of holders with this key. */
  readonly find: () => Promise<readonly string[]>;
  /** Starts a holder; returns its folder. */
  readonly start: () => Promise<string>;
  readonly openFolder: () => Promise<RunFolder>;
  /** Whether this server has the session; the contexts of others are closed. */
  readonly isKnown: (session: string) => boolean;
}

interface Connected {
  readonly browser: Browser;
  readonly claim: Claim;
  /** Contexts that a server before this one has left, by session. */
  readonly kept: Map<string, BrowserContext>;
}

const closeLimitMs = 5000;

/** A browser that belongs to another process, the holder, so that its pages survive this server. */
export class HeldHost implements BrowserHost {
  readonly #deps: HeldDeps;
  readonly #listeners = new Set<(reason: string) => void>();
  #connecting: Promise<Connected> | undefined;
  #folder: Promise<RunFolder> | undefined;
  #openedFolder: RunFolder | undefined;
  #traces: TraceFolder | undefined;
  #isEnding = false;

  constructor(deps: HeldDeps) {
    this.#deps = deps;
  }

  async acquire({ rules }: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    if (rules !== undefined) {
      throw new ToolError('FORBIDDEN', { reason: 'domain rules cannot be enforced on a browser that is kept.' });
    }
    const { config, loader } = this.#deps;
    const { devices } = await loader.load();
    const headless = this.#deps.headless();
    const { browser, claim: held, kept } = await raceSignal(this.#connect(), signal);
    const listeners = new Set<(reason: string) => void>();
    return {
      browser,
      headless,
      owned: true,
      isForeign: false,
      contextDefaults: contextOptions(config, headless, devices),
      device: (name) => wantedDevice(name, devices),
      traces: async () => this.#traceFolder(),
      silent: (reason) => held.send({ do: 'silent', reason }),
      keeps: {
        take: (session) => {
          const context = kept.get(session);
          kept.delete(session);
          return context;
        },
        label: (session, context) => {
          const id = contextId(context);
          if (id !== undefined) held.send({ do: 'label', context: id, session });
        },
      },
      onLost: (listener) => {
        listeners.add(listener);
        this.#listeners.add(listener);
      },
      [Symbol.asyncDispose]: async () => {
        for (const listener of listeners) this.#listeners.delete(listener);
      },
    };
  }

  async install(say: (line: string) => void, signal: AbortSignal): Promise<string> {
    return this.#deps.launcher.install(say, signal);
  }

  async describe(): Promise<string> {
    return this.#deps.launcher.describe();
  }

  endSync(): void {
    // The holder sees the end of the connection and waits for the next server.
    this.#openedFolder?.endSync();
  }

  /** Ends the use of the browser, and leaves it to the next server. */
  async letGo(): Promise<void> {
    await this.#end((connected) => connected.claim.release());
  }

  /** Ends the browser. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end((connected) => connected.claim.send({ do: 'end' }));
  }

  async #end(how: (connected: Connected) => void): Promise<void> {
    this.#isEnding = true;
    const connected = await this.#connecting?.catch(() => undefined);
    if (connected !== undefined) {
      how(connected);
      await settlesWithin(connected.claim.closed, closeLimitMs);
      await settlesWithin(connected.browser.close(), closeLimitMs);
    }
    const folder = await this.#folder?.catch(() => undefined);
    await folder?.[Symbol.asyncDispose]();
  }

  /** Only this server's files: the browser has its own folder. It also has the process that ends a frozen server. */
  async #traceFolder(): Promise<TraceFolder> {
    this.#folder ??= this.#deps.openFolder();
    this.#openedFolder = await this.#folder;
    this.#traces ??= new TraceFolder(this.#openedFolder.path, 'traces');
    return this.#traces;
  }

  async #connect(): Promise<Connected> {
    if (this.#isEnding) throw new Error('The server is ending; no browser is started any more.');
    this.#connecting ??= this.#open().catch((error: unknown) => {
      this.#connecting = undefined;
      throw error;
    });
    return this.#connecting;
  }

  async #open(): Promise<Connected> {
    const held = (await this.#claimLeft()) ?? (await this.#claimNew());
    await this.#traceFolder();
    const playwright = await this.#deps.loader.load();
    let browser: Browser;
    try {
      browser = await playwright[this.#deps.config.type].connect(held.endpoint);
    } catch (error) {
      held.send({ do: 'end' });
      throw new ToolError('BROWSER_NOT_REACHED', { address: 'the kept browser', reason: reasonOf(error) });
    }
    whenDisconnected(browser, () => {
      this.#connecting = undefined;
      held.release();
      if (this.#isEnding) return;
      for (const listener of this.#listeners) listener('its process ended');
    });
    return { browser, claim: held, kept: await this.#keptContexts(browser, held) };
  }

  async #claimLeft(): Promise<Claim | undefined> {
    for (const folder of await this.#deps.find()) {
      const held = await claim(folder, this.#deps.key);
      if (held === undefined) continue;
      this.#deps.log.info('using a browser that was kept', { folder });
      return held;
    }
    return undefined;
  }

  async #claimNew(): Promise<Claim> {
    // A missing browser is reported as without a holder.
    await this.#deps.launcher.describe();
    const held = await claim(await this.#deps.start(), this.#deps.key);
    if (held !== undefined) return held;
    throw new ToolError('BROWSER_CRASHED', { reason: 'the process that keeps it ended' });
  }

  /** Contexts without a session are closed: the server that used them was killed before it had saved the session. */
  async #keptContexts(browser: Browser, { sessions }: Claim): Promise<Map<string, BrowserContext>> {
    const kept = new Map<string, BrowserContext>();
    for (const context of browser.contexts()) {
      const session = sessions[contextId(context) ?? ''];
      if (session !== undefined && this.#deps.isKnown(session)) kept.set(session, context);
      else await settlesWithin(context.close(), closeLimitMs);
    }
    return kept;
  }
}
