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
      keepBrowsers: z.boolean().default(false).meta({
        flag: 'keep-browsers',
        description: 'Keep the browser in a process of its own, so that pages survive a restart of the server',
      }),
      keepTimeout: z.int().min(1000).default(60_000).meta({
        flag: 'keep-timeout',
        placeholder: 'ms',
        description: 'Milliseconds that a kept browser waits for a server before it closes',
      }),
      queueLimit: z.int().min(1).default(32).meta({
        flag: 'queue-limit',
        placeholder: 'count',
        description: 'Maximum number of queued calls per session',
      }),
      maxCalls: z.int().min(1).default(1000).meta({
        flag: 'max-calls',
        placeholder: 'count',
        description: 'Maximum number of calls of all sessions that run or wait',
      }),
      minFreeMemory: z.int().min(0).default(128).meta({
        flag: 'min-free-memory',
        placeholder: 'MB',
        description: 'Megabytes of memory that must be available for a new session; 0 means no limit (Linux)',
      }),
      maxCpuPressure: z.number().min(0).max(100).default(0).meta({
        flag: 'max-cpu-pressure',
        placeholder: 'percent',
        defaultText: '0, no limit',
        description: 'Percentage of time in which work waits for a CPU above which no session is created (Linux)',
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
      maxMemory: z.int().min(0).default(1536).meta({
        flag: 'browser-max-memory',
        placeholder: 'MB',
        description: 'Megabytes of memory above which a browser without sessions is replaced; 0 means no limit (Linux)',
      }),
      maxSessions: z.int().min(0).default(200).meta({
        flag: 'browser-max-sessions',
        placeholder: 'count',
        description: 'Number of sessions after which a browser is replaced once it has none; 0 means no limit',
      }),
      maxAge: ms.default(86_400_000).meta({
        flag: 'browser-max-age',
        placeholder: 'ms',
        description: 'Age in milliseconds above which a browser without sessions is replaced; 0 means no limit',
      }),
    })
    .prefault({})
    .meta({ section: 'Browser pool' }),
};

export const securityShape = {
  security: z
    .strictObject({
      profile: z.enum(['dev', 'guarded', 'locked']).default('dev').meta({
        flag: 'security-profile',
        defaultText: 'dev; guarded if other machines can reach the port',
        description: 'Defaults for the other security options; options that are given win',
      }),
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
      actionPolicy: z.array(z.string()).default([]).meta({
        flag: 'action-policy',
        placeholder: 'rules',
        separator: ';',
        defaultText: 'allow everything',
        description:
          'Rules for calls, separated by semicolons, such as input@https://bank.example=ask;code=deny; the first match decides',
      }),
      blockPrivateNetworks: z.boolean().default(false).meta({
        flag: 'block-private-networks',
        description: 'Deny private and loopback addresses that no exact rule of the allowlist names',
      }),
      egressMaxBytes: z.int().min(1).optional().meta({
        flag: 'egress-max-bytes',
        placeholder: 'bytes',
        defaultText: 'no limit',
        description: 'Bytes that a session may send and receive',
      }),
      egressMaxConnections: z.int().min(1).optional().meta({
        flag: 'egress-max-connections',
        placeholder: 'count',
        defaultText: 'no limit',
        description: 'Connections that a session may have open',
      }),
      enableSessionProxies: z.boolean().default(true).meta({
        flag: 'session-proxies',
        description: 'Let callers choose a proxy for a session; rules for domains apply to it either way',
      }),
      secretOrigins: z.array(z.string()).default([]).meta({
        flag: 'secret-origins',
        placeholder: 'rules',
        separator: ';',
        defaultText: 'everywhere',
        description: 'Where secrets may be used, separated by semicolons, such as PASSWORD@https://bank.example',
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
        description: 'Offer browser_run_code_unsafe, which runs Playwright code in a separate, restricted process',
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
    description:
      'Secrets by name: answers redact the values, tools use them for {{secret:NAME}}; an otpauth URL gives one-time codes',
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
        'File with secrets as NAME=value lines: answers redact the values, tools use them for {{secret:NAME}}',
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
      maxSize: z.int().min(1024).default(10_485_760).meta({
        flag: 'log-max-size',
        placeholder: 'bytes',
        description: 'Size at which the log file is renamed and another one begins',
      }),
      maxFiles: z.int().min(1).default(5).meta({
        flag: 'log-max-files',
        placeholder: 'count',
        description: 'Log files to keep, the current one included',
      }),
      otlpEndpoint: z
        .url({ protocol: /^https?$/ })
        .optional()
        .meta({
          flag: 'otlp-endpoint',
          placeholder: 'url',
          description:
            'OpenTelemetry collector that gets a span of each call, by OTLP over HTTP: http://localhost:4318',
        }),
    })
    .prefault({})
    .meta({ section: 'Logging' }),
};
