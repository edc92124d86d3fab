import * as z from 'zod';
import { defineTool } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import { pageCode } from '../util/code.ts';
import { actOnPage } from './acting.ts';
import { isSign, keyNamed } from './lib/keys.ts';
import { quickKey } from './quick.ts';
import { hidden } from './lib/argument-shapes.ts';

const modifierKeys = ['Alt', 'Control', 'Meta', 'Shift'] as const;

export const pressKey = defineTool({
  name: 'browser_press_key',
  title: 'Press a key',
  description: 'Press a key or a combination on the focused element.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: {
    key: z.string().describe('For example Enter, ArrowLeft, a, Control+a'),
    modifiers: hidden(z.array(z.string()).optional().describe('Keys held down')),
  },
  run: async (call) => {
    const { tab, args, response, settings } = call;
    const given = [...(args.modifiers ?? []), args.key].join('+');
    const key = keyNamed(given);
    let code = pageCode.get('keyboard').call('press', key);
    await actOnPage(
      call,
      async (_, shortcuts) => {
        const isPlain = key === '+' || !key.includes('+');
        const pressing = isPlain ? quickKey(tab, key, shortcuts) : tab.page.keyboard.press(key);
        await pressing.catch(async (error: unknown) => {
          if (!(error instanceof Error) || !/Unknown key/.test(error.message)) throw error;
          if (isSign(key)) {
            code = pageCode.get('keyboard').call('insertText', key);
            return tab.page.keyboard.insertText(key);
          }
          // The modifiers before the unknown key went down already, and would stay down for all that follows.
          for (const modifier of modifierKeys) await tab.page.keyboard.up(modifier);
          const problems = [
            `${JSON.stringify(given.slice(0, 60))} is not a key. Write it as "Enter", "ArrowDown", "a" or "Control+Shift+A".`,
          ];
          throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['key'] });
        });
      },
      {
        failure: { what: 'The key press' },
        loadMs: settings.timeouts.load,
        isDirect: !/(?:Enter|Space| )$/.test(key),
        tellsFocus: true,
      },
    );
    response.ran(code);
  },
});
