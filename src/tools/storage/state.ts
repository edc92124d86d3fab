import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { pageCode } from '../../util/code.ts';
import { plural } from '../../util/text.ts';

const contextCode = pageCode.call('context');
const shared = { capabilities: ['storage'], scope: 'session', effect: 'manage' } as const;

export const storageState = defineTool({
  ...shared,
  name: 'browser_storage_state',
  title: 'Save the storage state',
  description: 'Save the cookies and local storage of the session to a file.',
  input: { filename: z.string().optional().describe('File name') },
  run: async ({ session, args, response, signal }) => {
    await session.openContext(signal);
    const state = await session.storageState();
    // Written as bytes, which are not redacted: a state without its secrets would not sign in.
    const file = await session.files.save({
      kind: 'storage-state',
      name: args.filename === '' ? undefined : args.filename,
      generated: { prefix: 'storage-state', extension: 'json' },
      data: Buffer.from(JSON.stringify(state, undefined, 2)),
      mimeType: 'application/json',
    });
    response.file(file.artifact);
    response.withoutPage();
    const { cookies, origins } = state;
    response.text(`Saved ${plural(cookies.length, 'cookie')} and ${plural(origins.length, 'origin')} to ${file.shown}`);
    response.ran(contextCode.call('storageState', { path: file.shown }));
  },
});

export const setStorageState = defineTool({
  ...shared,
  name: 'browser_set_storage_state',
  title: 'Restore the storage state',
  description: 'Replace the cookies and local storage of the session with those of a file.',
  input: { filename: z.string().describe('Path of the file') },
  run: async ({ session, args, response, signal }) => {
    const { cookies, origins } = await session.setStorageState(args.filename, signal);
    response.withoutPage();
    response.text(`Restored ${plural(cookies.length, 'cookie')} and ${plural(origins.length, 'origin')}.`);
    response.ran(contextCode.call('setStorageState', args.filename));
  },
});
