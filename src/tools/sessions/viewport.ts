import { defineTool } from '../../call/tool.ts';
import { pageCode } from '../../util/code.ts';
import { actOnPage } from '../lib/act.ts';
import { side } from '../lib/argument-shapes.ts';

export const resize = defineTool({
  name: 'browser_resize',
  title: 'Resize',
  description: 'Resize the viewport.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: {
    width: side.describe('Pixels'),
    height: side.describe('Pixels'),
  },
  run: async (call) => {
    const { tab, args, response, settings } = call;
    const { width, height } = args;
    await actOnPage(call, async () => tab.page.setViewportSize({ width, height }), {
      failure: { what: 'Resizing' },
      loadMs: settings.timeouts.load,
    });
    response.text(`The viewport is ${width}x${height} now.`);
    response.ran(pageCode.call('setViewportSize', { width, height }));
  },
});
