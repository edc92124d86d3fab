import * as z from 'zod';
import './option-meta.ts';

const security = 'Security';
const ms = z.int().min(0);

export const sessionShape = {
  session: z
    .strictObject({
      timeout: ms.default(300_000).meta({
        flag: 'session-timeout',
        placeholder: 'ms',
        description: 'Lifetime of a session in milliseconds; 0 means until it is closed',
      }),
      defaultTimeout: ms.default(30_000).meta({
        flag: 'default-timeout',
        placeholder: 'ms',
        description: 'Default timeout of operations in a session in milliseconds',
      }),
      maxSessions: z.int().min(1).default(10).meta({
        flag: 'max-sessions',
        placeholder: 'count',
        description: 'Maximum number of sessions besides the default one',
      }),
      expiry: z.enum(['sliding', 'fixed']).default('sliding').meta({
        flag: 'session-expiry',
        description: 'Whether each call extends the lifetime of its session',
      }),
      persistentSessions: z.boolean().default(false).meta({
        flag: 'persistent-sessions',
        description: 'Restore sessions after a restart, with their tabs, cookies and storage',
      }),
      queueLimit: z.int().min(1).default(32).meta({
        flag: 'queue-limit',
        placeholder: 'count',
        description: 'Maximum number of queued calls per session',
      }),
      maxTabs: z.int().min(1).default(50).meta({
        flag: 'max-tabs',
        placeholder: 'count',
        description: 'Maximum number of tabs per session; popups beyond it are closed',
      }),
    })
    .prefault({})
    .meta({ section: 'Sessions' }),
  pool: z
    .strictObject({
      minBrowsers: z.int().min(0).default(0).meta({
        flag: 'min-browsers',
        placeholder: 'count',
        description: 'Minimum number of running browsers',
      }),
      maxBrowsers: z.int().min(1).optional().meta({
        flag: 'max-browsers',
        placeholder: 'count',
        defaultText: '1, or the minimum',
        description: 'Maximum number of running browsers',
      }),
      idleTimeout: ms.default(300_000).meta({
        flag: 'pool-idle-timeout',
        placeholder: 'ms',
        description: 'Idle time in milliseconds after which a browser above the minimum is closed',
      }),
    })
    .prefault({})
    .meta({ section: 'Browser pool' }),
};

export const securityShape = {
  security: z
    .strictObject({
      allowedDomains: z.array(z.string()).optional().meta({
        flag: 'allowed-domains',
        placeholder: 'domains',
        defaultText: 'all',
        description:
          'Allowlist of domains, addresses and networks; *.example.com includes subdomains, 10.0.0.0/8 is a network',
      }),
      blockedDomains: z.array(z.string()).optional().meta({
        flag: 'blocked-domains',
        placeholder: 'domains',
        defaultText: 'none',
        description: 'Blocklist of domains, addresses and networks; wins over the allowlist',
      }),
      maxScreenshotSize: z.int().min(1).default(10_485_760).meta({
        flag: 'max-screenshot-size',
        placeholder: 'bytes',
        description: 'Maximum size of a screenshot in bytes; larger ones are scaled down',
      }),
      maxDownloadSize: z.int().min(1).default(104_857_600).meta({
        flag: 'max-download-size',
        placeholder: 'bytes',
        description: 'Maximum size of a download in bytes; five times as much per session',
      }),
      enableFileUpload: z.boolean().default(true).meta({
        flag: 'file-upload',
        description: 'Offer tools that upload files',
      }),
      enableScriptEvaluation: z.boolean().default(true).meta({
        flag: 'script-evaluation',
        description: 'Offer tools that run scripts in pages',
      }),
      enableServerCode: z.boolean().default(false).meta({
        flag: 'server-code',
        pending: true,
        description: 'Offer the tool that runs code inside the server process',
      }),
    })
    .prefault({})
    .meta({ section: security }),
  network: z
    .strictObject({
      allowedOrigins: z.array(z.string()).default([]).meta({
        flag: 'allowed-origins',
        placeholder: 'origins',
        separator: ';',
        defaultText: 'all',
        description: 'Allowlist of origins, separated by semicolons',
      }),
      blockedOrigins: z.array(z.string()).default([]).meta({
        flag: 'blocked-origins',
        placeholder: 'origins',
        separator: ';',
        defaultText: 'none',
        description: 'Blocklist of origins, separated by semicolons; wins over the allowlist',
      }),
    })
    .prefault({})
    .meta({ section: security }),
  secrets: z.record(z.string(), z.string()).default({}).meta({
    section: security,
    secret: true,
    description: 'Secrets by name: answers redact the values, tools type them when given the name',
  }),
  secretsFile: z
    .string()
    .optional()
    .meta({
      flag: 'secrets',
      section: security,
      placeholder: 'path',
      variables: ['SECRETS_FILE'],
      description:
        'File with secrets as NAME=value lines: answers redact the values, tools type them when given the name',
    }),
};

export const loggingShape = {
  logging: z
    .strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error']).default('info').meta({
        flag: 'log-level',
        description: 'Minimum level of log entries',
      }),
      format: z
        .enum(['json', 'text'])
        .default('text')
        .meta({ flag: 'log-format', description: 'Format of log entries' }),
      destination: z.enum(['stderr', 'stdout', 'file']).default('stderr').meta({
        flag: 'log-destination',
        description: 'Where log entries go; stdout becomes stderr while stdio serves a client',
      }),
      file: z.string().optional().meta({
        flag: 'log-file',
        placeholder: 'path',
        description: 'Log file; implies the destination file',
      }),
    })
    .prefault({})
    .meta({ section: 'Logging' }),
};
