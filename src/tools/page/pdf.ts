import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { pageCode } from '../../util/code.ts';
import { raceSignal } from '../../util/signals.ts';

export const pdfSave = defineTool({
  name: 'browser_pdf_save',
  title: 'Save as PDF',
  description: 'Save the page as a PDF file.',
  capabilities: ['pdf'],
  effect: 'read',
  scope: 'tab',
  positional: ['filename'],
  input: { filename: z.string().optional().describe('File name') },
  run: async ({ tab, session, args, response, signal }) => {
    const data = await raceSignal(tab.page.pdf(), signal).catch(async (error: unknown) => {
      // An endless script would block the next call too.
      await tab.unblock();
      throw error;
    });
    const file = await session.files.save({
      kind: 'pdf',
      name: args.filename,
      generated: { prefix: 'page', extension: 'pdf' },
      data,
      mimeType: 'application/pdf',
      tab: tab.id,
    });
    response.file(file.artifact);
    response.withoutPage();
    response.text(`Saved the page as ${file.shown}`);
    response.ran(pageCode.call('pdf', { path: file.shown }));
  },
});
