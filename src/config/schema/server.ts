import * as z from 'zod';
import './option-meta.ts';

/** Words of `toolsets`; which tools each one holds is said by the tools. */
const toolsetNames = ['core', 'viewpoint', 'design', 'sessions', 'basic', 'playwright', 'all'] as const;

/** Words of `capabilities`. Those that begin with `core` are always on and accepted because other servers list them. */
const capabilityNames = [
  'vision',
  'pdf',
  'network',
  'storage',
  'devtools',
  'tracing',
  'testing',
  'config',
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
    description: 'Configuration file to read',
  }),
  name: z.string().default('pagehelm').meta({
    flag: 'name',
    section,
    description: 'Name the server gives itself towards clients',
  }),
  version: z.string().optional().meta({
    section,
    defaultText: 'the version of this package',
    description: 'Version the server gives itself towards clients',
  }),
  transport: z
    .enum(['stdio', 'http', 'websocket'])
    .default('stdio')
    .meta({
      flag: 'transport',
      section,
      pendingValues: ['http', 'websocket'],
      description: 'How clients connect',
    }),
  stdio: z.boolean().default(false).meta({
    flag: 'stdio',
    section,
    description: 'Serve stdin and stdout, also when a port is given',
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
          pending: true,
          description: 'Port to listen on for network clients',
        }),
      host: z.string().default('localhost').meta({
        flag: 'host',
        pending: true,
        description: 'Address to bind to; 0.0.0.0 means all interfaces',
      }),
      allowedHosts: z.array(z.string()).default([]).meta({
        flag: 'allowed-hosts',
        variadic: true,
        placeholder: 'hosts',
        pending: true,
        defaultText: 'the host the server is bound to',
        description: 'Host names a network request may name; * accepts any',
      }),
    })
    .prefault({})
    .meta({ section }),
  apiKey: z.string().min(1).optional().meta({
    flag: 'api-key',
    section,
    placeholder: 'key',
    pending: true,
    secret: true,
    defaultText: 'generated',
    description: 'Key that network clients must send; ignored on stdio',
  }),
  apiKeyFile: z.string().optional().meta({
    flag: 'api-key-file',
    section,
    placeholder: 'path',
    pending: true,
    description: 'File that holds the key, so that it need not be on the command line',
  }),
  auth: z.boolean().default(true).meta({
    flag: 'auth',
    section,
    pending: true,
    description: 'Require the key; can be turned off on a loopback address only',
  }),
  launch: z.enum(['lazy', 'startup', 'explicit']).default('lazy').meta({
    flag: 'launch',
    section,
    description: 'Start the browser on first use, with the server, or when told to',
  }),
  compat: z.enum(['none', 'playwright']).default('none').meta({
    flag: 'compat',
    section,
    description: 'Take the defaults of another server where they differ',
  }),
};

export const toolShape = {
  toolsets: z.array(z.enum(toolsetNames)).default(['core']).meta({
    flag: 'toolset',
    section: tools,
    placeholder: 'names',
    description: 'Sets of tools to offer',
  }),
  capabilities: z
    .array(z.enum(capabilityNames))
    .default([])
    .meta({
      flag: 'caps',
      pendingValues: ['network', 'storage', 'devtools', 'tracing', 'testing', 'config', 'webmcp'],
      section: tools,
      placeholder: 'names',
      description: 'Further groups of tools to offer',
    }),
  enableTools: z
    .array(z.string())
    .default([])
    .meta({ flag: 'enable-tool', section: tools, placeholder: 'names', description: 'Single tools to offer as well' }),
  disableTools: z
    .array(z.string())
    .default([])
    .meta({ flag: 'disable-tool', section: tools, placeholder: 'names', description: 'Single tools to leave out' }),
  readOnly: z
    .boolean()
    .default(false)
    .meta({ flag: 'read-only', section: tools, description: 'Offer only tools that read and navigate' }),
  structuredContent: z.enum(['auto', 'never']).default('auto').meta({
    flag: 'structured-content',
    section: tools,
    description: 'Whether tools whose whole answer is data also give it as an object',
  }),
  webmcp: z.boolean().default(true).meta({
    flag: 'webmcp',
    section: tools,
    pending: true,
    description: 'Collect the tools that pages register, for the capability webmcp',
  }),
};
