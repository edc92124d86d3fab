import * as z from 'zod';
import { keysSchema } from './keys.ts';
import './option-meta.ts';
import { toolsetNames } from './toolset-names.ts';

/** Values of `capabilities`. Those that begin with `core` are always on; they are accepted for compatibility. */
const capabilityNames = [
  'vision',
  'pdf',
  'network',
  'storage',
  'devtools',
  'tracing',
  'testing',
  'config',
  'human',
  'webmcp',
  'core',
  'core-navigation',
  'core-tabs',
  'core-input',
  'core-install',
] as const;

const section = 'Server';
const tools = 'Tools';

export const serverShape = {
  configFile: z.string().optional().meta({
    flag: 'config',
    section,
    placeholder: 'path',
    notInFile: true,
    description: 'Configuration file',
  }),
  name: z.string().default('pagehelm').meta({
    flag: 'name',
    section,
    description: 'Server name reported to clients',
  }),
  version: z.string().optional().meta({
    section,
    defaultText: 'the version of this package',
    description: 'Server version reported to clients',
  }),
  transport: z.enum(['stdio', 'http', 'websocket']).default('stdio').meta({
    flag: 'transport',
    section,
    description: 'How clients connect; http and websocket restrict a network server to one of them',
  }),
  stdio: z.boolean().default(false).meta({
    flag: 'stdio',
    section,
    description: 'Serve stdin and stdout only, even when a port is given',
  }),
  socket: z.boolean().default(false).meta({
    flag: 'socket',
    section,
    notInFile: true,
    description: 'Serve MCP and the command line on a socket of this user, for this working tree',
  }),
  join: z.boolean().default(false).meta({
    flag: 'join',
    section,
    notInFile: true,
    description: 'Serve stdin and stdout from the daemon of the command line, and share its sessions',
  }),
  ownerPid: z.int().min(2).optional().meta({
    flag: 'owner-pid',
    section,
    placeholder: 'pid',
    notInFile: true,
    defaultText: 'none',
    description: 'End the daemon when this process has ended, and every other process named so',
  }),
  daemonTimeout: z.int().min(0).default(1_800_000).meta({
    flag: 'daemon-timeout',
    section,
    placeholder: 'ms',
    description: 'Milliseconds without a command after which a daemon saves its sessions and ends; 0 means never',
  }),
  server: z
    .strictObject({
      port: z
        .int()
        .min(0)
        .max(65_535)
        .optional()
        .meta({
          flag: 'port',
          aliases: ['port'],
          description: 'Port to listen on for network clients; 0 means any free one',
        }),
      host: z.string().min(1).default('localhost').meta({
        flag: 'host',
        description: 'Address to bind to; 0.0.0.0 means all interfaces',
      }),
      allowedHosts: z.array(z.string()).default([]).meta({
        flag: 'allowed-hosts',
        variadic: true,
        placeholder: 'hosts',
        defaultText: 'the host the server is bound to',
        description: 'Host names and origins a network request may name; * accepts any host',
      }),
      tlsCert: z.string().optional().meta({
        flag: 'tls-cert',
        placeholder: 'path',
        description: 'Certificate file; with --tls-key, clients connect with https and wss',
      }),
      tlsKey: z.string().optional().meta({
        flag: 'tls-key',
        placeholder: 'path',
        description: 'Private key file of the certificate',
      }),
      maxBodySize: z.int().min(1024).default(4_194_304).meta({
        flag: 'max-body-size',
        placeholder: 'bytes',
        description: 'Largest request body or WebSocket message',
      }),
      maxConnections: z.int().min(1).default(1000).meta({
        flag: 'max-connections',
        placeholder: 'count',
        description: 'Open sockets of all clients',
      }),
      maxClients: z.int().min(1).default(200).meta({
        flag: 'max-clients',
        placeholder: 'count',
        description: 'MCP sessions, event streams and WebSockets that one key may have open',
      }),
      rateLimit: z.int().min(0).default(500).meta({
        flag: 'rate-limit',
        placeholder: 'count',
        description: 'Requests of one key in a second; 0 means no limit',
      }),
      clientTimeout: z.int().min(1000).default(3_600_000).meta({
        flag: 'client-timeout',
        placeholder: 'ms',
        description: 'Milliseconds after which an idle MCP session ends; its browser sessions stay',
      }),
    })
    .prefault({})
    .meta({ section }),
  apiKey: z.string().min(1).optional().meta({
    flag: 'api-key',
    section,
    placeholder: 'key',
    secret: true,
    defaultText: 'generated',
    description: 'Key that network clients must send; ignored on stdio',
  }),
  apiKeyFile: z.string().optional().meta({
    flag: 'api-key-file',
    section,
    placeholder: 'path',
    description: 'File with the key, or with several as a JSON object like apiKeys; read again when it changes',
  }),
  apiKeys: keysSchema.default({}).meta({
    section,
    secret: true,
    description:
      'Keys by name: a string, or an object with key, readOnly, toolsets, allowedDomains, blockedDomains, maxSessions and rate',
  }),
  auth: z.boolean().default(true).meta({
    flag: 'auth',
    section,
    description: 'Require the key; can be turned off on a loopback address only',
  }),
  dashboard: z.boolean().optional().meta({
    flag: 'dashboard',
    section,
    defaultText: 'with a port',
    description: 'Serve the dashboard at /dashboard; without a port, on a free loopback port',
  }),
  dashboardUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      flag: 'dashboard-url',
      section,
      placeholder: 'url',
      defaultText: 'host and port',
      description: 'Where people reach this server, for the links of browser_handoff',
    }),
  handoffWebhook: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      flag: 'handoff-webhook',
      section,
      placeholder: 'url',
      secret: true,
      description: 'Post each request of browser_handoff for a person there, as JSON with its link',
    }),
  handoffCommand: z.string().optional().meta({
    flag: 'handoff-command',
    section,
    placeholder: 'command',
    description: 'Run for each request of browser_handoff, with PAGEHELM_HANDOFF_LINK and _REASON',
  }),
  launch: z.enum(['lazy', 'startup', 'explicit']).default('lazy').meta({
    flag: 'launch',
    section,
    description: 'Start the browser on first use, with the server, or with browser_launch only',
  }),
  compat: z.enum(['none', 'playwright']).default('none').meta({
    flag: 'compat',
    section,
    description: 'Use the defaults of another server',
  }),
};

export const toolShape = {
  toolsets: z.array(z.enum(toolsetNames)).default(['core']).meta({
    flag: 'toolset',
    section: tools,
    placeholder: 'names',
    description: 'Toolsets to offer',
  }),
  capabilities: z
    .array(z.enum(capabilityNames))
    .default([])
    .meta({
      flag: 'caps',
      pendingValues: ['webmcp'],
      section: tools,
      placeholder: 'names',
      description: 'Additional groups of tools to offer',
    }),
  enableTools: z.array(z.string()).default([]).meta({
    flag: 'enable-tool',
    section: tools,
    placeholder: 'names',
    description: 'Additional tools to offer, by name',
  }),
  disableTools: z
    .array(z.string())
    .default([])
    .meta({ flag: 'disable-tool', section: tools, placeholder: 'names', description: 'Tools to remove, by name' }),
  readOnly: z
    .boolean()
    .default(false)
    .meta({ flag: 'read-only', section: tools, description: 'Offer only tools that read and navigate' }),
  structuredContent: z.enum(['auto', 'never']).default('auto').meta({
    flag: 'structured-content',
    section: tools,
    description: 'Whether tools that return data also return structured content',
  }),
  webmcp: z.boolean().default(true).meta({
    flag: 'webmcp',
    section: tools,
    pending: true,
    description: 'Collect tools that pages register, for the capability webmcp',
  }),
};
