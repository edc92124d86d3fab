import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { pageCode } from '../../util/code.ts';
import { actOnPage } from '../lib/act.ts';
import { given } from '../lib/argument-shapes.ts';

/** `null` resets the setting; the schema lists only the other values. */
function choice<const W extends readonly [string, ...string[]]>(words: W, description: string) {
  return z
    .enum(words)
    .nullable()
    .optional()
    .meta({ type: 'string', enum: [...words], description });
}

export const emulateMedia = defineTool({
  name: 'browser_emulate_media',
  title: 'Emulate media',
  description: 'Emulate media features: color scheme, motion, contrast, print.',
  toolsets: ['playwright'],
  effect: 'input',
  scope: 'tab',
  input: {
    colorScheme: choice(['light', 'dark', 'no-preference'], 'Preferred color scheme'),
    reducedMotion: choice(['reduce', 'no-preference'], 'Preferred motion'),
    forcedColors: choice(['active', 'none'], 'Forced colors'),
    contrast: choice(['more', 'no-preference'], 'Preferred contrast'),
    media: choice(['screen', 'print'], 'Media type'),
  },
  run: async (call) => {
    const { tab, args, response, settings } = call;
    const options = given(args);
    await actOnPage(call, async () => tab.page.emulateMedia(options), {
      failure: { what: 'Emulating' },
      loadMs: settings.timeouts.load,
    });
    response.text(`Emulating ${JSON.stringify(options)}.`);
    response.ran(pageCode.call('emulateMedia', options));
  },
});
