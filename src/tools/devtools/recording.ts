import { defineTool } from '../../call/tool.ts';
import { cut, quoteBlock } from '../../util/text.ts';

const shared = { capabilities: ['devtools'], effect: 'read', scope: 'session' } as const;
const longestCode = 20_000;

export const startRecording = defineTool({
  ...shared,
  name: 'browser_start_recording',
  title: 'Record user actions',
  description: 'Start to record what the user does in the browser, as Playwright code.',
  input: {},
  run: async ({ session, response, settings, signal }) => {
    const tab = await session.activeTab(signal);
    await session.recordings.userActions.start(await session.openContext(signal), settings.codegen);
    await tab.page.bringToFront();
    response.withoutPage();
    response.text('Recording started. The user can act in the browser now.');
  },
});

export const stopRecording = defineTool({
  ...shared,
  name: 'browser_stop_recording',
  title: 'Stop recording user actions',
  description: 'Stop to record what the user does, and get it as Playwright code.',
  input: {},
  run: async ({ session, response }) => {
    const actions = await session.recordings.userActions.stop();
    if (actions.length === 0) response.text('The user did nothing while it was recorded.');
    else response.foreign();
    for (const code of actions) response.text(cut(quoteBlock(code), longestCode));
    response.snapshot({ mode: 'changes' });
  },
});
