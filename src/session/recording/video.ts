import type { BrowserContext, Page } from 'playwright-core';
import { extname } from 'node:path';
import { ToolError } from '../../errors.ts';

export interface VideoOptions {
  readonly size?: { readonly width: number; readonly height: number };
  readonly fps?: number;
  /** Shows a mouse pointer that moves to each action. */
  readonly cursor?: boolean;
}

/** Where the videos go. */
export interface VideoFile {
  readonly path: string;
  /** The caller chose the name. */
  readonly isNamed: boolean;
}

interface Recording {
  readonly isNamed: boolean;
  readonly context: BrowserContext;
  readonly paths: string[];
  readonly pages: Page[];
  readonly onPage: (page: Page) => void;
}

/** Time for the pointer to travel, in milliseconds. */
const pointerMs = 800;

/** Records a video of each page of a session. */
export class SessionVideo {
  #recording: Recording | undefined;

  get isOn(): boolean {
    return this.#recording !== undefined;
  }

  /** Records the open pages, and those that open later under the numbered names of the file. */
  async start(
    context: BrowserContext,
    { path, isNamed }: VideoFile,
    options: VideoOptions,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#recording !== undefined) throw new ToolError('VIDEO_IN_PROGRESS', {});
    const paths: string[] = [];
    const pages: Page[] = [];
    const add = async (page: Page): Promise<void> => {
      const own = paths.length === 0 ? path : numbered(path, paths.length);
      paths.push(own);
      pages.push(page);
      const { cursor, ...wanted } = options;
      await page.screencast.start({ path: own, ...wanted });
      if (cursor === true)
        await page.screencast.showActions({
          cursor: 'pointer',
          duration: pointerMs,
          style: { title: 'display: none' },
        });
    };
    // A page that is gone by now is not recorded.
    const onPage = (page: Page): void => void add(page).catch(() => undefined);
    try {
      for (const page of context.pages()) await add(page);
      signal.throwIfAborted();
    } catch (error) {
      await stopAll(pages).catch(() => undefined);
      throw error;
    }
    context.on('page', onPage);
    this.#recording = { isNamed, context, paths, pages, onPage };
  }

  /** Ends the recording; returns the videos. */
  async stop(): Promise<readonly VideoFile[]> {
    const recording = this.#recording;
    this.#recording = undefined;
    if (recording === undefined) throw new ToolError('NO_VIDEO', {});
    recording.context.off('page', recording.onPage);
    await stopAll(recording.pages);
    const { paths, isNamed } = recording;
    return paths.map((path) => ({ path, isNamed }));
  }

  /** The context is gone, and the recording with it. */
  forget(): void {
    this.#recording = undefined;
  }
}

async function stopAll(pages: readonly Page[]): Promise<void> {
  for (const page of pages) if (!page.isClosed()) await page.screencast.stop();
}

function numbered(path: string, count: number): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${count}${extension}`;
}
