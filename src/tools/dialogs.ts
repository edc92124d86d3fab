import { z } from 'zod';
import { defineTool } from '../call/tool.ts';
import { actOnPage } from './acting.ts';

export const handleDialog = defineTool({
  name: 'browser_handle_dialog',
  title: 'Answer a dialog',
  description: 'Accept or dismiss the open alert, confirm or prompt; when none is open, the next one.',
  effect: 'input',
  scope: 'tab',
  clears: 'dialog',
  input: {
    accept: z.boolean().describe('Accept, or dismiss'),
    promptText: z.string().optional().describe('Answer to a prompt'),
  },
  run: async (call) => {
    const { tab, args, response, settings } = call;
    const text = args.promptText;
    const verb = args.accept ? 'Accepted' : 'Dismissed';
    const modal = tab.modals[0];
    if (modal === undefined) {
      tab.nextDialog = { accept: args.accept, ...(text === undefined ? {} : { promptText: text }) };
      response.text(`No dialog is open. The next one in this tab will be ${verb.toLowerCase()}.`);
      return;
    }
    tab.clearModal(modal);
    const { dialog } = modal;
    // Who accepts a prompt without a text accepts the one that stands in it.
    const answer = async (): Promise<void> =>
      args.accept ? dialog.accept(text ?? dialog.defaultValue()) : dialog.dismiss();
    await actOnPage(call, answer, { failure: { what: 'Answering the dialog' }, loadMs: settings.timeouts.load });
    response.text(`${verb} ${modal.description}.`);
  },
});
