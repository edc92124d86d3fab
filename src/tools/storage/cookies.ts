import type { BrowserContext, Cookie } from 'playwright-core';
import * as z from 'zod';
import { reasonOf } from '../../browser/failure.ts';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { hostOfCookie } from '../../session/persistence/storage-state.ts';
import { pageCode } from '../../util/code.ts';
import { cut, pageText, plural } from '../../util/text.ts';
import { given } from '../lib/argument-shapes.ts';

const contextCode = pageCode.call('context');
const longestValue = 2000;
const shared = { capabilities: ['storage'], scope: 'session' } as const;

type AddedCookie = Parameters<BrowserContext['addCookies']>[0][number];

export const cookieList = defineTool({
  ...shared,
  name: 'browser_cookie_list',
  title: 'List cookies',
  description: 'List the cookies of the session.',
  effect: 'read',
  input: {
    domain: z.string().optional().describe('Only cookies of this domain and its subdomains'),
    path: z.string().optional().describe('Only cookies of this path and below'),
  },
  run: async ({ session, args, response, signal }) => {
    const { domain, path } = args;
    const context = await session.openContext(signal);
    const cookies = (await context.cookies()).filter(
      (cookie) => (domain === undefined || isOfDomain(cookie, domain)) && (path === undefined || isBelow(cookie, path)),
    );
    response.withoutPage();
    if (cookies.length === 0) response.text('There are no such cookies.');
    if (cookies.length > 0) response.foreign();
    for (const { name, value, domain: host, path: place } of cookies)
      response.text(`${shown(name)}=${shown(value)} (domain: ${shown(host)}, path: ${shown(place)})`);
    response.ran(contextCode.call('cookies'));
    response.data({ count: cookies.length, cookies });
  },
});

export const cookieGet = defineTool({
  ...shared,
  name: 'browser_cookie_get',
  title: 'Get a cookie',
  description: 'Show a cookie with its options.',
  effect: 'read',
  input: { name: z.string().describe('Name of the cookie') },
  run: async ({ session, args, response, signal }) => {
    const context = await session.openContext(signal);
    const cookies = (await context.cookies()).filter(({ name }) => name === args.name);
    response.withoutPage();
    if (cookies.length === 0) response.text(`There is no cookie ${JSON.stringify(cut(args.name, 100))}.`);
    if (cookies.length > 0) response.foreign();
    for (const { name, value, ...options } of cookies) {
      const facts = Object.entries(options).map(([key, option]) => `${key}: ${shown(String(option))}`);
      response.text(`${shown(name)}=${shown(value)} (${facts.join(', ')})`);
    }
    response.ran(contextCode.call('cookies'));
    response.data({ count: cookies.length, cookies });
  },
});

export const cookieSet = defineTool({
  ...shared,
  name: 'browser_cookie_set',
  title: 'Set a cookie',
  description: 'Set a cookie; without a domain, for the host of the page.',
  effect: 'manage',
  input: {
    name: z.string().describe('Name'),
    value: z.string().describe('Value'),
    domain: z.string().optional().describe('Domain; default the host of the page'),
    path: z.string().optional().describe('Path, default /'),
    expires: z.number().optional().describe('Seconds since 1970; default the end of the session'),
    httpOnly: z.boolean().optional().describe('Hidden from scripts'),
    secure: z.boolean().optional().describe('Only over https'),
    sameSite: z.enum(['Strict', 'Lax', 'None']).optional().describe('Whether other sites may send it'),
  },
  run: async ({ session, args, response, signal }) => {
    const context = await session.openContext(signal);
    const { name, value, domain: wanted, path = '/', ...options } = args;
    const page = session.current?.page.url() ?? '';
    const domain = wanted ?? (URL.canParse(page) ? new URL(page).hostname : '');
    if (domain === '') throw wrong('Give "domain": the page has no host.');
    session.checkStorage([hostOfCookie({ domain })]);
    const cookie: AddedCookie = { name, value, domain, path, ...given(options) };
    await context.addCookies([cookie]).catch((error: unknown) => {
      throw wrong(`The browser refused the cookie: ${cut(reasonOf(error), 200)}`);
    });
    response.withoutPage();
    response.text(`Set the cookie ${JSON.stringify(cut(name, 100))} for ${cut(domain, 100)}.`);
    response.ran(contextCode.call('addCookies', [{ name, value, domain, path, ...given(options) }]));
  },
});

export const cookieDelete = defineTool({
  ...shared,
  name: 'browser_cookie_delete',
  title: 'Delete a cookie',
  description: 'Delete the cookies with a name.',
  effect: 'manage',
  input: { name: z.string().describe('Name of the cookie') },
  run: async ({ session, args, response, signal }) => {
    const context = await session.openContext(signal);
    const count = (await context.cookies()).filter(({ name }) => name === args.name).length;
    await context.clearCookies({ name: args.name });
    response.withoutPage();
    response.text(`Deleted ${plural(count, 'cookie')} with the name ${JSON.stringify(cut(args.name, 100))}.`);
    response.ran(contextCode.call('clearCookies', { name: args.name }));
  },
});

export const cookieClear = defineTool({
  ...shared,
  name: 'browser_cookie_clear',
  title: 'Clear cookies',
  description: 'Delete all cookies of the session.',
  effect: 'manage',
  input: {},
  run: async ({ session, response, signal }) => {
    const context = await session.openContext(signal);
    const count = (await context.cookies()).length;
    await context.clearCookies();
    response.withoutPage();
    response.text(`Deleted ${plural(count, 'cookie')}.`);
    response.ran(contextCode.call('clearCookies'));
  },
});

function isOfDomain({ domain }: Cookie, wanted: string): boolean {
  const plain = (host: string): string => host.replace(/^\./, '').toLowerCase();
  return plain(domain) === plain(wanted) || plain(domain).endsWith(`.${plain(wanted)}`);
}

function isBelow({ path }: Cookie, wanted: string): boolean {
  return path === wanted || path.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`);
}

function shown(text: string): string {
  return cut(pageText(text), longestValue);
}

function wrong(problem: string): ToolError {
  return new ToolError('INVALID_ARGUMENT', { problems: [problem], accepted: ['name', 'value', 'domain', 'path'] });
}
