import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { ToolError } from '../errors.ts';
import { cut, oneLine } from '../util/text.ts';
import type { Workspace } from './workspace.ts';

/** Cookies and storage as Playwright saves them. */
export type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** Cookies and storage from a file or as they were given; checked, since what is wrong must be told and not half applied. */
export async function readStorageState(given: string | StorageState, workspace: Workspace): Promise<StorageState> {
  if (typeof given !== 'string') return checked(given, 'that was given');
  const { path } = await workspace.readable(given);
  const source = JSON.stringify(given);
  try {
    return checked(JSON.parse(await readFile(path, 'utf8')), source);
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
  const { cookies = [], origins = [], ...rest } = value;
  if (!Array.isArray(cookies) || !Array.isArray(origins)) return deny('"cookies" and "origins" must be lists');
  const odd = cookies.findIndex((each) => !isCookie(each));
  if (odd >= 0) deny(`cookie ${odd} needs a name, a value, and a domain with a path or a url`);
  const strange: unknown = origins.find((each) => !isOrigin(each));
  if (strange !== undefined) deny(`the origin ${cut(oneLine(JSON.stringify(strange)), 100)} has no address`);
  // Every field that Playwright needs has been looked at.
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

/** What other tools leave out of a cookie. */
function cookieDefaults(cookie: object): object {
  const isByUrl = 'url' in cookie;
  const place = isByUrl ? {} : { path: '/' };
  return { ...place, expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' };
}

function isOrigin(value: unknown): boolean {
  return isRecord(value) && typeof value['origin'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
