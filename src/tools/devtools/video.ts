import * as z from 'zod';
import { reasonOf } from '../../browser/failure.ts';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { pageCode } from '../../util/code.ts';
import { raceSignal } from '../../util/signals.ts';
import { cut, oneLine } from '../../util/text.ts';
import { given, side, within } from '../lib/argument-shapes.ts';

const screencast = pageCode.get('screencast');
const shared = { capabilities: ['devtools'], effect: 'read' } as const;
const duration = within(0, 60_000).optional();
const positions = ['top-left', 'top', 'top-right', 'bottom-left', 'bottom', 'bottom-right'] as const;
const longestTitle = 200;

export const startVideo = defineTool({
  ...shared,
  name: 'browser_start_video',
  title: 'Start a video',
  description: 'Start to record a video of the pages of the session.',
  scope: 'session',
  input: {
    filename: z.string().optional().describe('File name'),
    size: z
      .object({ width: side.describe('Width in pixels'), height: side.describe('Height in pixels') })
      .optional()
      .describe('Size of the video'),
    fps: within(1, 60).optional().describe('Frames per second, default 25'),
    cursor: z.boolean().optional().describe('Show a mouse pointer that moves to each action'),
  },
  run: async ({ session, args, response, signal }) => {
    const { filename, ...options } = args;
    await session.activeTab(signal);
    const context = await session.openContext(signal);
    const name = filename === '' ? undefined : filename;
    const path = await session.files.reserve(name, { prefix: 'video', extension: 'webm' });
    const file = { path, isNamed: name !== undefined };
    const starting = session.recordings.video.start(context, file, given(options), signal);
    await raceSignal(starting, signal).catch((error: unknown) => {
      throw /ffmpeg/i.test(String(error)) ? new ToolError('FFMPEG_MISSING', {}, { cause: error }) : error;
    });
    response.withoutPage();
    response.text('Video recording started.');
    response.ran(screencast.call('start', { path: session.workspace.show(path), ...given(options) }));
  },
});

export const stopVideo = defineTool({
  ...shared,
  name: 'browser_stop_video',
  title: 'Stop the video',
  description: 'Stop to record the video and save it as a WebM file.',
  scope: 'session',
  input: {},
  run: async ({ session, response, signal }) => {
    const videos = await raceSignal(session.recordings.video.stop(), signal);
    response.withoutPage();
    for (const { path, isNamed } of videos) {
      const added = session.files.added(path, { kind: 'file', mimeType: 'video/webm', isNamed });
      const file = await added.catch(() => undefined);
      if (file === undefined) continue;
      response.file(file.artifact);
      response.text(`Saved the video as ${file.shown}`);
    }
    if (response.files.length === 0) response.text('No video was recorded: the pages were closed.');
    response.ran(screencast.call('stop'));
  },
});

export const videoChapter = defineTool({
  ...shared,
  name: 'browser_video_chapter',
  title: 'Add a chapter',
  description: 'Show a card with a title in the page, as a chapter of the video.',
  scope: 'tab',
  input: {
    title: z.string().describe('Title'),
    description: z.string().optional().describe('Text below the title'),
    duration: duration.describe('Milliseconds to show the card'),
  },
  run: async ({ tab, args, response, signal }) => {
    const { title, ...options } = args;
    await raceSignal(tab.page.screencast.showChapter(title, given(options)), signal);
    response.withoutPage();
    response.text(`Added the chapter ${JSON.stringify(cut(oneLine(title), longestTitle))}.`);
    response.ran(screencast.call('showChapter', title, given(options)));
  },
});

export const showActions = defineTool({
  ...shared,
  name: 'browser_video_show_actions',
  title: 'Show actions',
  description: 'Show the name of each action in the page, for a video.',
  scope: 'tab',
  input: {
    duration: duration.describe('Milliseconds to show each action, default 500'),
    position: z.enum(positions).optional().describe('Place of the title, default top-right'),
    cursor: z.enum(['none', 'pointer']).optional().describe('Mouse pointer, default pointer'),
    style: z
      .object({
        point: z.string().optional().describe('CSS of the mark at the point of the action'),
        highlight: z.string().optional().describe('CSS of the box over the element'),
        title: z.string().optional().describe('CSS of the title'),
      })
      .optional()
      .describe('Styles'),
  },
  run: async ({ tab, args, response, signal }) => {
    const { style, ...rest } = args;
    const options = { ...given(rest), ...(style === undefined ? {} : { style: given(style) }) };
    await raceSignal(tab.page.screencast.showActions(options), signal);
    response.withoutPage();
    response.text('Actions are shown in the page.');
    response.ran(screencast.call('showActions', options));
  },
});

export const hideActions = defineTool({
  ...shared,
  name: 'browser_video_hide_actions',
  title: 'Hide actions',
  description: 'Stop to show actions in the page.',
  scope: 'tab',
  input: {},
  run: async ({ tab, response, signal }) => {
    await raceSignal(tab.page.screencast.hideActions(), signal).catch((error: unknown) => {
      throw new ToolError('EVALUATION_FAILED', { reason: reasonOf(error) }, { cause: error });
    });
    response.withoutPage();
    response.text('Actions are no longer shown in the page.');
    response.ran(screencast.call('hideActions'));
  },
});
