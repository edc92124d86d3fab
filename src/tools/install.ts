import { defineTool } from '../call/tool.ts';
import { oneLine } from '../util/text.ts';

export const install = defineTool({
  name: 'browser_install',
  title: 'Install browser',
  description: 'Get a browser, when a call says that there is none.',
  effect: 'manage',
  scope: 'session',
  input: {},
  run: async ({ session, response, progress, signal }) => {
    const found = await session.installBrowser(progress, signal);
    response.withoutPage();
    response.text(`The browser is ready: ${oneLine(found)}`);
  },
});
