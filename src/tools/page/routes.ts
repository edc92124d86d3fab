import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { requestFacts } from '../../session/events/request-facts.ts';
import { headerProblems } from '../lib/headers.ts';
import { matcher } from './network.ts';
import { wholeWithin, within } from '../lib/argument-shapes.ts';
import { checkUrlPattern, urlMatcher } from '../lib/patterns/url-pattern.ts';

/** Request types, by Playwright's names. */
const resourceTypes = [
  'document',
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'texttrack',
  'xhr',
  'fetch',
  'eventsource',
  'websocket',
  'manifest',
  'other',
] as const;

const bytesInKilobyte = 1000;
const longestDelay = 60_000;
/** In kB/s: faster than any network, and still a safe integer in bytes. */
const fastest = 1_000_000_000;

const changes = { toolsets: ['design'], effect: 'input', scope: 'tab', ignoresModals: true, answer: 'data' } as const;

export const blockResource = defineTool({
  ...changes,
  name: 'block_resource',
  title: 'Block resources',
  description: 'Block further requests of a type in this session, for example images. Mocked requests are not blocked.',
  input: {
    resourceType: z
      .preprocess((given) => (typeof given === 'string' ? singular(given) : given), z.enum(resourceTypes))
      .meta({ type: 'string', enum: [...resourceTypes], description: 'Request type' }),
  },
  synonyms: { type: 'resourceType' },
  run: async ({ args, session, response }) => {
    await session.traffic.block(args.resourceType);
    response.data({ blocked: session.traffic.blocked });
  },
});

/** Loose: an object without any of these keys is the body itself. */
const mockedResponse = z.looseObject({
  status: wholeWithin(100, 599).optional().meta({ default: 200, description: 'HTTP status' }),
  headers: z.record(z.string(), z.string()).optional().describe('Headers'),
  body: z
    .preprocess(
      (given) => (given === undefined || typeof given === 'string' ? given : JSON.stringify(given)),
      z.string(),
    )
    .optional()
    .meta({ type: 'string', description: 'Body; an object is sent as JSON' }),
  contentType: z.string().optional().describe('Content type'),
  delay: within(0, longestDelay).optional().meta({ default: 0, description: 'Delay in milliseconds' }),
  times: z.int().min(1).optional().describe('Number of uses, default unlimited'),
});

export const mockResponse = defineTool({
  ...changes,
  name: 'mock_response',
  secretsReach: 'anywhere',
  title: 'Mock a response',
  description:
    'Answer requests of this session to a URL instead of the server. The latest matching mock applies, before any block.',
  input: {
    url: z.string().describe('URL, part of it, pattern with *, or /regex/'),
    response: mockedResponse.describe('Response to send'),
  },
  synonyms: { pattern: 'url' },
  check: ({ url, response }) => {
    checkUrlPattern(url);
    const problems = headerProblems(response.headers ?? {});
    if (problems.length > 0) throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['url', 'response'] });
  },
  run: async ({ args, session, response }) => {
    const { status = 200, headers = {}, contentType, delay = 0, times } = args.response;
    const { body, ignored } = bodyOf(args.response);
    if (ignored.length > 0) response.note(`Ignored unknown keys of response: ${ignored.join(', ')}.`);
    const type = contentType ?? (isJson(body) ? 'application/json' : 'text/plain; charset=utf-8');
    const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
    await session.traffic.mock({
      matches: await urlMatcher(args.url),
      status,
      headers: hasType ? headers : { ...headers, 'content-type': type },
      body,
      delayMs: delay,
      ...(times === undefined ? {} : { times }),
    });
    response.data({ url: args.url, status, mocks: session.traffic.mocks });
  },
});

/** The body as text. `json`, and an object without any known key, are sent as JSON. */
function bodyOf(given: z.output<typeof mockedResponse>): {
  readonly body: string;
  readonly ignored: readonly string[];
} {
  const known = Object.keys(mockedResponse.shape);
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (given.body !== undefined) return { body: given.body, ignored: unknown };
  if ('json' in given) return { body: JSON.stringify(given['json']), ignored: unknown.filter((key) => key !== 'json') };
  const isBody = unknown.length > 0 && unknown.length === Object.keys(given).length;
  return isBody ? { body: JSON.stringify(given), ignored: [] } : { body: '', ignored: unknown };
}

export const setOffline = defineTool({
  ...changes,
  name: 'set_offline',
  title: 'Go offline',
  description: 'Take this session offline, or online again.',
  input: { offline: z.boolean().describe('Go offline') },
  run: async ({ args, session, response }) => {
    await session.traffic.setOffline(args.offline);
    response.data({ offline: args.offline });
  },
});

const speed = within(0, fastest);

export const setThrottling = defineTool({
  ...changes,
  name: 'set_throttling',
  title: 'Throttle the network',
  description: 'Throttle the network of this session, in kB/s (1000 bytes per second). 0 means no limit.',
  input: {
    downloadSpeed: speed.describe('Download in kB/s'),
    uploadSpeed: speed.describe('Upload in kB/s'),
    latency: within(0, longestDelay).describe('Milliseconds added to each request'),
  },
  run: async ({ args, session, response }) => {
    const { downloadSpeed, uploadSpeed, latency } = args;
    const isOff = downloadSpeed === 0 && uploadSpeed === 0 && latency === 0;
    const limits = {
      download: downloadSpeed * bytesInKilobyte,
      upload: uploadSpeed * bytesInKilobyte,
      latencyMs: latency,
    };
    if (!(await session.traffic.setSpeed(isOff ? undefined : limits))) {
      throw new ToolError('FORBIDDEN', { reason: 'only Chromium supports throttling.' });
    }
    response.data({ downloadSpeed, uploadSpeed, latency, unit: 'kB/s', throttled: !isOff });
  },
});

export const getRequestLog = defineTool({
  ...changes,
  effect: 'read',
  name: 'get_request_log',
  title: 'Get the request log',
  description: 'List the requests of the tab, newest last, with status, type and timing.',
  input: { filter: z.string().optional().describe('Regular expression for the URL') },
  run: async ({ args, tab, response }) => {
    const matches = await matcher(args.filter);
    const entries = tab.network.all().filter(({ request }) => matches(request.url()));
    const requests = await Promise.all(entries.map(requestFacts));
    response.data({ count: requests.length, requests });
  },
});

/** `images` means `image`. */
function singular(given: string): string {
  const name = given.trim().toLowerCase();
  const types: readonly string[] = resourceTypes;
  return !types.includes(name) && name.endsWith('s') ? name.slice(0, -1) : name;
}

function isJson(body: string): boolean {
  if (!/^\s*[[{]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
