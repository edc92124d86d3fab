import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { pageCode } from '../../util/code.ts';
import { raceSignal } from '../../util/signals.ts';
import { hidden } from '../lib/argument-shapes.ts';

const tracing = pageCode.call('context').get('tracing');

export const startTracing = defineTool({
  name: 'browser_start_tracing',
  title: 'Start tracing',
  description: 'Start to record a trace of the session, for the trace viewer of Playwright.',
  capabilities: ['devtools', 'tracing'],
  effect: 'read',
  isRepeatable: false,
  scope: 'session',
  input: {},
  run: async ({ session, response, signal }) => {
    await raceSignal(session.startTracing(signal), signal);
    response.withoutPage();
    response.text('Trace recording started.');
    response.ran(tracing.call('start', { screenshots: true, snapshots: true }));
  },
});

export const stopTracing = defineTool({
  name: 'browser_stop_tracing',
  title: 'Stop tracing',
  description: 'Stop to record the trace and save it as a ZIP file.',
  capabilities: ['devtools', 'tracing'],
  effect: 'read',
  isRepeatable: false,
  scope: 'session',
  input: { filename: hidden(z.string().optional().describe('File name')) },
  run: async ({ session, args, response, secrets, signal }) => {
    const data = await raceSignal(
      session.tracing.finish((text) => secrets.redact(text)),
      signal,
    );
    const file = await session.files.save({
      kind: 'trace',
      name: args.filename,
      generated: { prefix: 'trace', extension: 'zip' },
      data,
      mimeType: 'application/zip',
    });
    await session.tracing.forget();
    response.withoutPage();
    response.file(file.artifact);
    response.text(`Saved the trace as ${file.shown}`);
    response.text('It shows page content, also in screenshots. Open it with `npx playwright show-trace`.');
    response.ran(tracing.call('stop', { path: file.shown }));
  },
});
