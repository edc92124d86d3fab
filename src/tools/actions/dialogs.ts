import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { actOnPage } from '../lib/act.ts';

export const handleDialog = defineTool({
  name: 'browser_handle_dialog',
  title: 'Answer dialog',
  description: 'Accept or dismiss the open dialog, else the next one.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  positional: ['accept', 'promptText'],
  clears: 'dialog',
  input: {
    accept: z.boolean().describe('Accept or dismiss'),
    promptText: z.string().optional().describe('Answer to a prompt'),
  },
  run: async (call) => {
    const { session, tab, args, response, settings } = call;
    const text = args.promptText;
    const verb = args.accept ? 'Accepted' : 'Dismissed';
    const holder = [tab, ...session.tabs].find(({ modals }) => modals.length > 0);
    const modal = holder?.modals[0];
    if (holder === undefined || modal === undefined) {
      tab.dialogs.next = { accept: args.accept, ...(text === undefined ? {} : { promptText: text }) };
      response.text(`No dialog is open. The next one in this tab will be ${verb.toLowerCase()}.`);
      return;
    }
    const answer = async (): Promise<void> => holder.dialogs.answer(modal, { accept: args.accept, promptText: text });
    await actOnPage(call, answer, { failure: { what: 'Answering the dialog' }, loadMs: settings.timeouts.load });
    response.text(`${verb} ${modal.description}.`);
  },
});
