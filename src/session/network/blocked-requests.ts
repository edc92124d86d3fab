import type { Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import { cut, oneLine } from '../../util/text.ts';
import { mainFrameOf } from '../navigation/main-frame.ts';

/** Why an address may not be reached; undefined when it may. */
export type DeniedBy = (url: string) => string | undefined;

const longestUrl = 200;
const mostHosts = 20;

/** Requests of a session that the operator's rules blocked since the last answer. */
export class BlockedRequests {
  readonly #refusedBy: DeniedBy;
  /** By host: a page may ask for a thousand things there. */
  readonly #events = new Map<string, string>();

  constructor(refusedBy: DeniedBy) {
    this.#refusedBy = refusedBy;
  }

  /** A request that failed for any reason. */
  note(url: string): void {
    const rule = this.#refusedBy(url);
    if (rule === undefined || this.#events.size >= mostHosts) return;
    const { host } = new URL(url);
    if (!this.#events.has(host)) this.#events.set(host, `Blocked ${cut(oneLine(url), longestUrl)}: ${rule}.`);
  }

  /** As sentences; each is returned once. */
  take(): readonly string[] {
    const events = [...this.#events.values()];
    this.#events.clear();
    return events;
  }
}

/** The rules that apply to a navigation. */
export interface NavigationRules {
  /** Checked before the navigation. */
  readonly deniedBy: DeniedBy;
  /** Checked after it failed: also the egress proxy may have refused the address that the name led to. */
  readonly refusedBy: DeniedBy;
}

/** Runs a navigation. A URL that the rules deny, also the target of a redirect, fails with URL_BLOCKED. */
export async function unlessBlocked<T>(
  page: Page,
  url: string,
  { deniedBy, refusedBy }: NavigationRules,
  go: () => Promise<T>,
): Promise<T> {
  const refuse = (address: string, rule: string | undefined, cause?: unknown): void => {
    if (rule !== undefined) throw new ToolError('URL_BLOCKED', { url: address.slice(0, longestUrl), rule }, { cause });
  };
  refuse(url, deniedBy(url));
  const main = mainFrameOf(page);
  const before = main.requests;
  try {
    return await go();
  } catch (error) {
    const last = main.requests > before ? (main.requestedUrl ?? url) : url;
    refuse(last, refusedBy(last), error);
    throw error;
  }
}
