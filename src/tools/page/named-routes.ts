import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import type { NamedRoute } from '../../session/network/named-routes.ts';
import { Script, pageCode } from '../../util/code.ts';
import { cut, oneLine, plural } from '../../util/text.ts';
import { given, wholeWithin } from '../lib/argument-shapes.ts';
import { headerProblems } from '../lib/headers.ts';
import { ToolError } from '../../errors.ts';

const contextCode = pageCode.call('context');
const shared = { capabilities: ['network'], scope: 'session' } as const;
const longestBody = 50;
const longestPattern = 200;

export const route = defineTool({
  ...shared,
  name: 'browser_route',
  title: 'Mock requests',
  description: 'Answer requests that match a URL pattern with a response of your own, or change their headers.',
  effect: 'manage',
  input: {
    pattern: z.string().describe('URL pattern, for example **/api/users'),
    status: wholeWithin(100, 599).optional().describe('HTTP status, default 200'),
    body: z.string().optional().describe('Body of the response'),
    contentType: z.string().optional().describe('Content type of the response'),
    headers: z.array(z.string()).optional().describe('Headers to add, as "Name: value"'),
    removeHeaders: z.string().optional().describe('Names of request headers to remove, separated by commas'),
  },
  synonyms: { header: 'headers' },
  run: async ({ session, args, response, signal }) => {
    const { pattern, status, body, contentType } = args;
    const addHeaders = args.headers === undefined ? undefined : headersOf(args.headers);
    const removeHeaders = args.removeHeaders?.split(',').map((name) => name.trim());
    await session.openContext(signal);
    await session.traffic.routes.add({ pattern, ...given({ status, body, contentType, addHeaders, removeHeaders }) });
    response.withoutPage();
    response.text(`Added a route for ${cut(oneLine(pattern), longestPattern)}`);
    response.ran(contextCode.call('route', pattern, new Script('async route => { /* … */ }')));
  },
});

export const routeList = defineTool({
  ...shared,
  name: 'browser_route_list',
  title: 'List routes',
  description: 'List the routes that browser_route added.',
  effect: 'read',
  input: {},
  run: async ({ session, response }) => {
    const { routes } = session.traffic;
    response.withoutPage();
    if (routes.all.length === 0) response.text('There are no routes.');
    for (const [index, each] of routes.all.entries()) response.text(`${index + 1}. ${lineOf(each)}`);
    response.data({ count: routes.all.length, routes: routes.all });
  },
});

export const unroute = defineTool({
  ...shared,
  name: 'browser_unroute',
  title: 'Remove routes',
  description: 'Remove the routes of a URL pattern, or all routes.',
  effect: 'manage',
  positional: ['pattern'],
  input: { pattern: z.string().optional().describe('URL pattern; default all') },
  run: async ({ session, args, response }) => {
    const pattern = args.pattern === '' ? undefined : args.pattern;
    const count = await session.traffic.routes.remove(pattern);
    response.withoutPage();
    response.text(`Removed ${plural(count, 'route')}.`);
    response.ran(pattern === undefined ? contextCode.call('unrouteAll') : contextCode.call('unroute', pattern));
  },
});

export const networkState = defineTool({
  ...shared,
  name: 'browser_network_state_set',
  title: 'Go offline or online',
  description: 'Take the session offline, where all requests fail, or online again.',
  effect: 'manage',
  input: { state: z.enum(['online', 'offline']).describe('The new state') },
  run: async ({ session, args, response, signal }) => {
    const isOffline = args.state === 'offline';
    await session.openContext(signal);
    await session.traffic.setOffline(isOffline);
    response.withoutPage();
    response.text(`The session is ${args.state}.`);
    response.ran(contextCode.call('setOffline', isOffline));
  },
});

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon <= 0) throw wrong(`The header ${JSON.stringify(cut(line, 100))} is not written as "Name: value".`);
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
  const [problem] = headerProblems(headers);
  if (problem !== undefined) throw wrong(problem);
  return headers;
}

function wrong(problem: string): ToolError {
  return new ToolError('INVALID_ARGUMENT', { problems: [problem], accepted: ['headers'] });
}

function lineOf({ pattern, status, body, contentType, addHeaders, removeHeaders }: NamedRoute): string {
  const facts = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(body === undefined ? [] : [`body ${JSON.stringify(cut(body, longestBody))}`]),
    ...(contentType === undefined ? [] : [`content type ${oneLine(contentType)}`]),
    ...(addHeaders === undefined ? [] : [`adds ${Object.keys(addHeaders).map(oneLine).join(', ')}`]),
    ...(removeHeaders === undefined ? [] : [`removes ${removeHeaders.map(oneLine).join(', ')}`]),
  ];
  return `${cut(oneLine(pattern), longestPattern)}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`;
}
