import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { isUnknownKey } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { pressKeyAtOnce } from '../../session/act/fast-path.ts';
import { pageCode } from '../../util/code.ts';
import { actOnPage } from '../lib/act.ts';
import { isCharacter, keyNamed } from '../lib/keys.ts';
import { hidden } from '../lib/argument-shapes.ts';

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
      async (_, prepared) => {
        const { keyboard } = tab.page;
        const isPlain = key === '+' || !key.includes('+');
        const pressing = isPlain ? pressKeyAtOnce(tab, key, prepared) : keyboard.press(key);
        await pressing.catch(async (error: unknown) => {
          if (!isUnknownKey(error)) throw error;
          if (isCharacter(key)) {
            code = pageCode.get('keyboard').call('insertText', key);
            return keyboard.insertText(key);
          }
          // Modifiers before the unknown key are down already, and would stay down.
          for (const modifier of modifierKeys) await keyboard.up(modifier);
          const problems = [
            `${JSON.stringify(given.slice(0, 60))} is not a key. Write it as "Enter", "ArrowDown", "a" or "Control+Shift+A".`,
          ];
          throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['key'] });
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
