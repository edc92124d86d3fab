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
        description: 'Milliseconds that a session of create_session lives; 0 means until it is closed',
      }),
      defaultTimeout: ms.default(30_000).meta({
        flag: 'default-timeout',
        placeholder: 'ms',
        description: 'Milliseconds an operation of a session may take unless it says otherwise',
      }),
      maxSessions: z.int().min(1).default(10).meta({
        flag: 'max-sessions',
        placeholder: 'count',
        description: 'Sessions that may be open besides the default one',
      }),
      expiry: z.enum(['sliding', 'fixed']).default('sliding').meta({
        flag: 'session-expiry',
        description: 'Whether each call renews the life of its session',
      }),
      persistentSessions: z.boolean().default(false).meta({
        flag: 'persistent-sessions',
        description: 'Keep sessions over a restart, with their tabs, cookies and storage',
      }),
      queueLimit: z.int().min(1).default(32).meta({
        flag: 'queue-limit',
        placeholder: 'count',
        description: 'Calls that may wait in one session',
      }),
    })
    .prefault({})
    .meta({ section: 'Sessions' }),
  pool: z
    .strictObject({
      minBrowsers: z.int().min(0).default(0).meta({
        flag: 'min-browsers',
        placeholder: 'count',
        description: 'Browsers kept running from the start',
      }),
      maxBrowsers: z.int().min(1).optional().meta({
        flag: 'max-browsers',
        placeholder: 'count',
        defaultText: '1, or the minimum',
        description: 'Browsers that may run at once',
      }),
      idleTimeout: ms.default(300_000).meta({
        flag: 'pool-idle-timeout',
        placeholder: 'ms',
        description: 'Milliseconds after which an unused browser above the minimum is closed',
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
        description: 'Domains that may be reached; *.example.com means the domain and all below it',
      }),
      blockedDomains: z.array(z.string()).optional().meta({
        flag: 'blocked-domains',
        placeholder: 'domains',
        defaultText: 'none',
        description: 'Domains that may not be reached; wins over an allowed one',
      }),
      maxScreenshotSize: z.int().min(1).default(10_485_760).meta({
        flag: 'max-screenshot-size',
        placeholder: 'bytes',
        description: 'Largest screenshot in bytes; a larger one is reduced',
      }),
      maxDownloadSize: z.int().min(1).default(104_857_600).meta({
        flag: 'max-download-size',
        placeholder: 'bytes',
        description: 'Largest download in bytes; a session may keep five times as much',
      }),
      enableFileUpload: z.boolean().default(true).meta({
        flag: 'file-upload',
        description: 'Offer the tools that upload files',
      }),
      enableScriptEvaluation: z.boolean().default(true).meta({
        flag: 'script-evaluation',
        description: 'Offer the tools that run scripts in pages',
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
        description: 'Origins the browser may request, separated by semicolons',
      }),
      blockedOrigins: z.array(z.string()).default([]).meta({
        flag: 'blocked-origins',
        placeholder: 'origins',
        separator: ';',
        defaultText: 'none',
        description: 'Origins the browser may not request, separated by semicolons; wins over an allowed one',
      }),
    })
    .prefault({})
    .meta({ section: security }),
  secrets: z.record(z.string(), z.string()).default({}).meta({
    section: security,
    secret: true,
    description: 'Values that no answer shows and that tools type when given the name',
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
        'File of NAME=value lines with secrets: values that no answer shows and that tools type when given the name',
    }),
};

export const loggingShape = {
  logging: z
    .strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error']).default('info').meta({
        flag: 'log-level',
        description: 'Least severe entries to write',
      }),
      format: z.enum(['json', 'text']).default('text').meta({ flag: 'log-format', description: 'Form of an entry' }),
      destination: z.enum(['stderr', 'stdout', 'file']).default('stderr').meta({
        flag: 'log-destination',
        description: 'Where entries go; stdout means stderr while stdin and stdout serve a client',
      }),
      file: z.string().optional().meta({
        flag: 'log-file',
        placeholder: 'path',
        description: 'File to write to; implies the destination file',
      }),
    })
    .prefault({})
    .meta({ section: 'Logging' }),
};
