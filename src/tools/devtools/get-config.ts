import { defineTool } from '../../call/tool.ts';

export const getConfig = defineTool({
  name: 'browser_get_config',
  title: 'Get the configuration',
  description: 'Show the configuration of this server, merged from flags, variables and file, without secrets.',
  capabilities: ['config'],
  effect: 'read',
  scope: 'driver',
  input: {},
  run: async ({ response, shownConfig }) => {
    const config = shownConfig();
    response.text(JSON.stringify(config, undefined, 2));
    response.data({ config });
  },
});
