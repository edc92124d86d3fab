import type { Page } from 'playwright-core';
import * as z from 'zod';
import { reasonOf } from '../../browser/failure.ts';
import { defineTool } from '../../call/tool.ts';
import type { Tool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { pageCode } from '../../util/code.ts';
import { cut, pageText, plural } from '../../util/text.ts';

type Area = 'localStorage' | 'sessionStorage';
type Storage = Page[Area];

const longestValue = 2000;
const key = z.string().describe('Key');

/** Pages without an origin of their own, such as about:blank, have no storage. */
async function using<T>(page: Page, area: Area, use: (storage: Storage) => Promise<T>): Promise<T> {
  try {
    return await use(page[area]);
  } catch (error) {
    const reason = `the page ${cut(page.url(), 200)} has no ${area}: ${cut(reasonOf(error), 200)}`;
    throw new ToolError('EVALUATION_FAILED', { reason }, { cause: error });
  }
}

function shown(text: string): string {
  return cut(pageText(text), longestValue);
}

const shared = { capabilities: ['storage'], scope: 'tab' } as const;

/** The tools that read a storage. */
function readersOf<const W extends string>(area: Area, word: W) {
  const code = pageCode.get(area);
  return [
    defineTool({
      ...shared,
      name: `browser_${word}_list`,
      title: `List ${area}`,
      description: `List the keys and values in the ${area} of the page.`,
      effect: 'read',
      input: {},
      run: async ({ tab, response }) => {
        const items = await using(tab.page, area, async (storage) => storage.items());
        response.withoutPage();
        if (items.length === 0) response.text(`The ${area} of the page is empty.`);
        else response.foreign();
        for (const { name, value } of items) response.text(`${shown(name)}=${shown(value)}`);
        response.ran(code.call('items'));
        response.data({ count: items.length, items });
      },
    }),
    defineTool({
      ...shared,
      name: `browser_${word}_get`,
      title: `Get ${area} item`,
      description: `Read a value from the ${area} of the page.`,
      effect: 'read',
      input: { key },
      run: async ({ tab, args, response }) => {
        const value = await using(tab.page, area, async (storage) => storage.getItem(args.key));
        response.withoutPage();
        if (value === null) response.text(`There is no key ${JSON.stringify(cut(args.key, 100))} in the ${area}.`);
        else response.foreign();
        if (value !== null) response.text(`${shown(args.key)}=${shown(value)}`);
        response.ran(code.call('getItem', args.key));
        response.data({ key: args.key, value });
      },
    }),
  ] as const satisfies readonly Tool[];
}

/** The tools that change a storage. */
function writersOf<const W extends string>(area: Area, word: W) {
  const code = pageCode.get(area);
  return [
    defineTool({
      ...shared,
      name: `browser_${word}_set`,
      title: `Set ${area} item`,
      description: `Write a value to the ${area} of the page.`,
      effect: 'manage',
      secretsReach: 'page',
      input: { key, value: z.string().describe('Value') },
      run: async ({ tab, args, response }) => {
        await using(tab.page, area, async (storage) => storage.setItem(args.key, args.value));
        response.withoutPage();
        response.text(`Set ${JSON.stringify(cut(args.key, 100))} in the ${area}.`);
        response.ran(code.call('setItem', args.key, args.value));
      },
    }),
    defineTool({
      ...shared,
      name: `browser_${word}_delete`,
      title: `Delete ${area} item`,
      description: `Remove a key from the ${area} of the page.`,
      effect: 'manage',
      input: { key },
      run: async ({ tab, args, response }) => {
        await using(tab.page, area, async (storage) => storage.removeItem(args.key));
        response.withoutPage();
        response.text(`Removed ${JSON.stringify(cut(args.key, 100))} from the ${area}.`);
        response.ran(code.call('removeItem', args.key));
      },
    }),
    defineTool({
      ...shared,
      name: `browser_${word}_clear`,
      title: `Clear ${area}`,
      description: `Remove all keys from the ${area} of the page.`,
      effect: 'manage',
      input: {},
      run: async ({ tab, response }) => {
        const count = await using(tab.page, area, async (storage) => {
          const { length } = await storage.items();
          await storage.clear();
          return length;
        });
        response.withoutPage();
        response.text(`Removed ${plural(count, 'key')} from the ${area}.`);
        response.ran(code.call('clear'));
      },
    }),
  ] as const satisfies readonly Tool[];
}

export const [localStorageList, localStorageGet] = readersOf('localStorage', 'localstorage');
export const [localStorageSet, localStorageDelete, localStorageClear] = writersOf('localStorage', 'localstorage');
export const [sessionStorageList, sessionStorageGet] = readersOf('sessionStorage', 'sessionstorage');
export const [sessionStorageSet, sessionStorageDelete, sessionStorageClear] = writersOf(
  'sessionStorage',
  'sessionstorage',
);
