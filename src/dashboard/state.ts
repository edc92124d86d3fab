import { requestFacts, withoutSecrets } from '../session/events/request-facts.ts';
import type { Handoffs } from '../session/control/handoffs.ts';
import type { Session } from '../session/session.ts';
import type { SessionStore } from '../session/store.ts';
import type { Tab } from '../session/tab.ts';
import { treeMemory } from '../telemetry/tree-memory.ts';
import type { Pass, Visitor } from './access.ts';
import type { ConsoleLine, ControlView, RequestLine, RunningCall, ServerState, SessionState } from './protocol.ts';

export interface StateDeps {
  readonly store: SessionStore;
  readonly version: string;
  readonly handoffs: Handoffs;
  readonly seq: () => number;
  readonly running: (session: string) => RunningCall | undefined;
}

const mostLines = 200;
const longestText = 1000;
/** Reading /proc takes a millisecond or two; the state is sent every second. */
const memoryMs = 5000;

/** Reads what the dashboard shows of sessions. */
export class DashboardState {
  readonly #deps: StateDeps;
  readonly #since = performance.now();
  #browsers: { readonly bytes: number | undefined; readonly until: number } | undefined;

  constructor(deps: StateDeps) {
    this.#deps = deps;
  }

  /** The sessions that a pass may see. */
  sessionsOf({ driver, session }: Pass): readonly Session[] {
    const { store } = this.#deps;
    const all = driver === undefined ? store.all() : store.list(driver);
    return session === undefined ? all : all.filter(({ id }) => id === session);
  }

  /** Undefined for a session that does not exist for this pass. */
  session(pass: Pass, id: string): Session | undefined {
    return this.sessionsOf(pass).find((session) => session.id === id);
  }

  server(pass: Visitor): ServerState {
    const now = performance.now();
    if (this.#browsers === undefined || this.#browsers.until < now)
      this.#browsers = { bytes: treeMemory(process.pid), until: now + memoryMs };
    const { bytes } = this.#browsers;
    return {
      version: this.#deps.version,
      scope: pass.scope,
      seq: this.#deps.seq(),
      upSeconds: Math.round((now - this.#since) / 1000),
      rssBytes: process.memoryUsage.rss(),
      ...(bytes === undefined ? {} : { browserRssBytes: bytes }),
      sessions: this.sessionsOf(pass).map((session) => this.#stateOf(session, pass)),
    };
  }

  #stateOf(session: Session, visitor: Visitor): SessionState {
    const { id, name, owner: driver, isOpen, calls, tokens, tabs, current } = session;
    const { idleMs, leftMs } = this.#deps.store.life(session);
    const running = this.#deps.running(id);
    const control = controlOf(session, visitor);
    const isHidden = isHiddenFrom(session, visitor);
    const asked = this.#deps.handoffs.in(session);
    return {
      id,
      name,
      driver,
      isOpen,
      calls,
      tokens,
      idleMs: Math.round(idleMs),
      ...(leftMs === undefined ? {} : { leftMs: Math.round(leftMs) }),
      ...(running === undefined ? {} : { running }),
      ...(control === undefined ? {} : { control }),
      ...(session.person.annotations.isWanted ? { wantsMark: true } : {}),
      ...(asked === undefined ? {} : { asked: { reason: asked.reason, kind: asked.kind } }),
      tabs: tabs.map((tab) => ({
        id: tab.id,
        url: isHidden ? '' : shownUrl(tab.page.url(), tab),
        title: isHidden ? '' : withoutSecrets(tab.title, tab, false).slice(0, longestText),
        isCurrent: tab === current,
      })),
    };
  }
}

/** Whether another person uses the page privately. */
export function isHiddenFrom({ person }: Session, { person: { id } }: Visitor): boolean {
  const holder = person.control.privateTo;
  return holder !== undefined && holder.id !== id;
}

function controlOf({ person }: Session, visitor: Visitor): ControlView | undefined {
  const { state } = person.control;
  if (state === undefined) return undefined;
  const { person: by, phase, isPrivate, leftMs } = state;
  return { by: by.name, isMine: by.id === visitor.person.id, phase, isPrivate, leftMs: Math.round(leftMs) };
}

/** A URL without what was typed into secret fields of the tab: forms put it there. */
function shownUrl(url: string, tab: Tab): string {
  return withoutSecrets(url, tab, true).slice(0, longestText);
}

/** Console lines of the current tab, newest last. */
export function consoleOf({ current }: Session): readonly ConsoleLine[] {
  if (current === undefined) return [];
  const entries = current.console.entries('debug', true).slice(-mostLines);
  return entries.map(({ sequence, level, text }) => ({
    sequence,
    level,
    text: withoutSecrets(text, current, false).slice(0, longestText),
  }));
}

/** Requests of the current tab, newest last. */
export async function requestsOf({ current }: Session): Promise<readonly RequestLine[]> {
  if (current === undefined) return [];
  const entries = current.network.all().slice(-mostLines);
  return Promise.all(
    entries.map(async (entry) => {
      const { url, method, status, resourceType, timing, failure } = await requestFacts(entry);
      return {
        index: entry.index,
        method,
        url: shownUrl(url, current),
        ...(status === undefined ? {} : { status }),
        type: resourceType,
        ...(timing.duration === undefined ? {} : { ms: timing.duration }),
        ...(failure === undefined ? {} : { failure }),
      };
    }),
  );
}
