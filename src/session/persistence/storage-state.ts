import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { contextFailure } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { cut, oneLine } from '../../util/text.ts';
import { addressOf } from '../navigation/main-frame.ts';
import { readTabStorage } from './session-storage.ts';
import type { TabStorage } from './session-storage.ts';
import type { Tab } from '../tab.ts';
import { readChecked } from '../files/checked-file.ts';
import type { Workspace } from '../files/workspace.ts';
import { isRecord } from '../../util/records.ts';

type PlaywrightState = Exclude<BrowserContextOptions['storageState'], string | undefined>;
type OriginState = PlaywrightState['origins'][number] & Partial<Pick<TabStorage, 'sessionStorage'>>;

/** Playwright's storage state; origins may also have session storage. */
export interface StorageState extends PlaywrightState {
  origins: OriginState[];
}

/** Chromium keeps 3,300 cookies; setting 200,000 takes minutes, while all sessions of the browser wait. */
const mostCookies = 10_000;
/** For each origin, Playwright opens a page. */
const mostOrigins = 1000;

/** What to save besides cookies and localStorage. */
export interface StorageParts {
  readonly indexedDB?: boolean;
  readonly sessionStorage?: boolean;
  /** Called with the address of each page whose session storage could not be read. */
  readonly onSkipped?: (url: string) => void;
}

/** Cookies and storage of a context. A page that does not answer would block this, so its script is stopped first. */
export async function collectStorage(
  context: BrowserContext,
  tabs: readonly Tab[],
  wanted: StorageParts,
): Promise<StorageState> {
  await Promise.all(tabs.map((tab) => tab.unblock()));
  const state = await context.storageState({ indexedDB: wanted.indexedDB === true });
  if (wanted.sessionStorage !== true) return state;
  const read = await Promise.all(tabs.map(async (tab) => readUnlessBlocked(tab)));
  for (const [at, tab] of tabs.entries()) if (read[at] === undefined) wanted.onSkipped?.(addressOf(tab.page));
  return withTabStorage(
    state,
    read.flatMap((kept) => kept ?? []),
  );
}

/** A crashed page, or one behind a dialog, does not answer. */
async function readUnlessBlocked(tab: Tab): Promise<readonly TabStorage[] | undefined> {
  return tab.crashed || tab.modals.length > 0 ? undefined : readTabStorage(tab.page);
}

/** Replaces the cookies and the storage of a context. */
export async function applyStorage(context: BrowserContext, state: StorageState): Promise<void> {
  try {
    await context.setStorageState(state);
  } catch (error) {
    throw contextFailure(error, true);
  }
}

/** The hosts that a state has cookies or storage for. */
export function hostsIn({ cookies, origins }: StorageState): readonly string[] {
  return [...new Set([...cookies.map(hostOfCookie), ...origins.map(({ origin }) => new URL(origin).hostname)])];
}

/** The host of a cookie, which has a domain or a URL. A URL that cannot be parsed is refused by the browser. */
export function hostOfCookie({ domain, url }: { readonly domain?: string; readonly url?: string }): string {
  if (url !== undefined) return URL.canParse(url) ? new URL(url).hostname : '';
  return (domain ?? '').replace(/^\./, '');
}

/** The session storage in a state, by origin. */
export function tabStorageIn({ origins }: StorageState): readonly TabStorage[] {
  return origins.flatMap(({ origin, sessionStorage = [] }) =>
    sessionStorage.length > 0 ? [{ origin, sessionStorage }] : [],
  );
}

/** A state with session storage, which the first tab of a new context gets. */
export function withTabStorage(state: StorageState, kept: readonly TabStorage[]): StorageState {
  const byOrigin = new Map(state.origins.map((entry) => [entry.origin, entry]));
  for (const { origin, sessionStorage } of kept) {
    const entry = byOrigin.get(origin) ?? { origin, localStorage: [] };
    if (entry.sessionStorage === undefined) byOrigin.set(origin, { ...entry, sessionStorage });
  }
  return { ...state, origins: [...byOrigin.values()] };
}

/** Cookies and storage from a file or an object. Validated first, so that an invalid state is not applied in part. */
export async function readStorageState(given: string | StorageState, workspace: Workspace): Promise<StorageState> {
  if (typeof given !== 'string') return checked(given, 'that was given');
  const { path } = await workspace.readable(given);
  const source = JSON.stringify(given);
  try {
    return checked(JSON.parse((await readChecked(path)).toString()), source);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError('BAD_STORAGE_STATE', { source, reason: 'it is not JSON' }, { cause: error });
  }
}

function checked(value: unknown, source: string): StorageState {
  const deny = (reason: string): never => {
    throw new ToolError('BAD_STORAGE_STATE', { source, reason });
  };
  if (!isRecord(value)) return deny('it is not an object');
  if (value['cookies'] === undefined && value['origins'] === undefined) deny('it has neither cookies nor origins');
  const { cookies = [], origins = [], ...rest } = value;
  if (!Array.isArray(cookies) || !Array.isArray(origins)) return deny('"cookies" and "origins" must be lists');
  if (cookies.length > mostCookies) deny(`it has ${cookies.length} cookies; the limit is ${mostCookies}`);
  if (origins.length > mostOrigins) deny(`it has ${origins.length} origins; the limit is ${mostOrigins}`);
  const odd = cookies.findIndex((each) => !isCookie(each));
  if (odd >= 0) deny(`cookie ${odd} needs a name, a value, and a domain with a path or a url`);
  const strange: unknown = origins.find((each) => !isOrigin(each));
  if (strange !== undefined) deny(`${cut(oneLine(JSON.stringify(strange)), 100)} is not an origin with its storage`);
  // Every field that Playwright needs has been checked.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...rest,
    cookies: cookies.map((cookie: object) => ({ ...cookieDefaults(cookie), ...cookie })),
    origins: origins.map((origin: object) => ({ localStorage: [], ...origin })),
  } as unknown as StorageState;
}

function isCookie(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { name, value: content, domain, url } = value;
  return typeof name === 'string' && typeof content === 'string' && [domain, url].some((at) => typeof at === 'string');
}

/** Defaults for fields of a cookie that other tools omit. */
function cookieDefaults(cookie: object): object {
  const isByUrl = 'url' in cookie;
  const place = isByUrl ? {} : { path: '/' };
  return { ...place, expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' };
}

function isOrigin(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { origin, localStorage = [], sessionStorage = [] } = value;
  return typeof origin === 'string' && URL.canParse(origin) && [localStorage, sessionStorage].every(isItems);
}

function isItems(value: unknown): boolean {
  const isItem = (item: unknown): boolean =>
    isRecord(item) && typeof item['name'] === 'string' && typeof item['value'] === 'string';
  return Array.isArray(value) && value.every(isItem);
}
