import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { annotatePage } from '../../page/reads/annotate.ts';
import { raceSignal } from '../../util/signals.ts';
import { cut, pageText } from '../../util/text.ts';

const longestNote = 500;

export const annotate = defineTool({
  name: 'browser_annotate',
  title: 'Let the user annotate the page',
  description:
    'Let the user draw rectangles with notes on the page, and get them with a screenshot. Needs a visible browser or a dashboard.',
  capabilities: ['devtools'],
  effect: 'read',
  scope: 'tab',
  input: {},
  run: async ({ tab, session, response, signal, handoffs }) => {
    if (session.isHeadless && handoffs.isServed) {
      const { lines, file, refs } = await session.person.annotations.next(tab, signal);
      response.withoutPage();
      response.file(file);
      response.foreign();
      for (const line of lines) response.text(line);
      response.data({ refs });
      return;
    }
    if (session.isHeadless) {
      throw new ToolError('FORBIDDEN', { reason: 'the browser runs headless: it has no window to draw in.' });
    }
    await tab.page.bringToFront();
    const annotating = await tab.page.evaluateHandle(annotatePage);
    try {
      const annotations = await raceSignal(
        annotating.evaluate(async ({ done }) => done),
        signal,
      );
      response.withoutPage();
      if (annotations === undefined || annotations.length === 0) {
        response.text('The user made no annotations.');
        return;
      }
      const image = await tab.page.screenshot({ type: 'png' });
      const file = await session.files.save({
        kind: 'screenshot',
        generated: { prefix: 'annotations', extension: 'png' },
        data: image,
        mimeType: 'image/png',
        tab: tab.id,
      });
      response.file(file.artifact);
      response.foreign();
      response.text(`Screenshot with the annotations: ${file.shown}`);
      for (const { x, y, width, height, text } of annotations)
        response.text(`- x ${x}, y ${y}, ${width}x${height}: ${JSON.stringify(cut(pageText(text), longestNote))}`);
      response.data({ annotations });
    } finally {
      // The page may be gone by now.
      await annotating.evaluate(({ remove }) => remove()).catch(() => undefined);
    }
  },
});
