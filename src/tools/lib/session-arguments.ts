import * as z from 'zod';
import type { ToolSettings } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import type { StorageState } from '../../session/persistence/storage-state.ts';
import { headerProblems, isHeader } from './headers.ts';
import { given, hidden, side } from './argument-shapes.ts';

const longestLife = 2 ** 31 - 1;

/** Options of a new session; most are not listed, only described in the documentation. */
export const sessionFields = {
  userAgent: z.string().optional().describe('User agent'),
  viewport: z.object({ width: side, height: side }).optional().describe('Size in pixels'),
  proxy: z
    .object({ server: z.string(), username: z.string().optional(), password: z.string().optional() })
    .optional()
    .describe('For example socks5://host:1080'),
  storageState: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe('File with cookies and storage'),
};

export const rareSessionFields = {
  device: hidden(z.string().optional().describe('Device to emulate, for example iPhone 15')),
  locale: hidden(z.string().optional().describe('Language and region, for example de-DE')),
  timezoneId: hidden(z.string().optional().describe('Time zone, for example Europe/Oslo')),
  geolocation: hidden(
    z
      .object({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        accuracy: z.number().min(0).default(0),
      })
      .optional()
      .describe('Geolocation of the pages; grants the permission'),
  ),
  permissions: hidden(z.array(z.string()).optional().describe('Permissions to grant, for example clipboard-read')),
  colorScheme: hidden(z.enum(['light', 'dark', 'no-preference']).optional().describe('Preferred color scheme')),
  extraHTTPHeaders: hidden(z.record(z.string(), z.string()).optional().describe('Headers to send with every request')),
  baseURL: hidden(z.string().optional().describe('Base for relative URLs')),
  from: hidden(z.string().optional().describe('Session to copy cookies and storage from')),
  ttl: hidden(
    z.number().min(0).max(longestLife).optional().describe('Milliseconds without calls until it expires; 0: never'),
  ),
};

/** Aliases. */
export const sessionSynonyms = {
  timezone: 'timezoneId',
  headers: 'extraHTTPHeaders',
  baseUrl: 'baseURL',
  timeout: 'ttl',
} as const;

type SessionArguments = z.output<z.ZodObject<typeof sessionFields & typeof rareSessionFields>>;

/** Checks values that a browser would reject later, with an unclear error. */
export function checkSession(args: SessionArguments): void {
  const { locale, timezoneId, baseURL, userAgent = '', extraHTTPHeaders = {} } = args;
  const problems = [
    ...(args.from === undefined || args.storageState === undefined ? [] : ['"storageState" cannot go with "from".']),
    ...(locale === undefined || isKnown(() => new Intl.Locale(locale)) ? [] : ['"locale" must be like de-DE.']),
    ...(timezoneId === undefined || isKnown(() => new Intl.DateTimeFormat('en', { timeZone: timezoneId }))
      ? []
      : ['"timezoneId" must be like Europe/Oslo.']),
    ...(baseURL === undefined || /^https?:$/.test(URL.canParse(baseURL) ? new URL(baseURL).protocol : '')
      ? []
      : ['"baseURL" must be like https://example.com/shop/.']),
    ...(isHeader('user-agent', userAgent) ? [] : ['"userAgent" has characters that cannot be sent.']),
  ].map((problem) => `Argument ${problem}`);
  problems.push(...headerProblems(extraHTTPHeaders));
  if (problems.length > 0) {
    throw new ToolError('INVALID_ARGUMENT', {
      problems,
      accepted: [...Object.keys(sessionFields), ...Object.keys(rareSessionFields)],
    });
  }
}

/** The arguments as options of a session. */
export function sessionOptions(args: SessionArguments, security: ToolSettings['security']): SessionOptions {
  const { device, storageState, permissions, geolocation, proxy, ...plain } = args;
  if (proxy !== undefined && !security.enableSessionProxies) {
    throw new ToolError('FORBIDDEN', { reason: 'callers may not choose a proxy (--no-session-proxies).' });
  }
  // The session checks the record field by field.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const state = storageState as string | StorageState | undefined;
  // Without the permission, pages could not read the position.
  const granted = [...new Set([...(permissions ?? []), ...(geolocation === undefined ? [] : ['geolocation'])])];
  const { userAgent, viewport, locale, timezoneId, colorScheme, extraHTTPHeaders, baseURL } = plain;
  return {
    ...given({ device, proxy, storageState: state }),
    context: {
      ...given({ userAgent, viewport, locale, timezoneId, colorScheme, extraHTTPHeaders, baseURL }),
      ...(geolocation === undefined ? {} : { geolocation }),
      ...(granted.length === 0 ? {} : { permissions: granted }),
    },
  };
}

function isKnown(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
