import { isUtf8 } from 'node:buffer';
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import type { Download, Page, Request } from 'playwright-core';
import { reasonOf } from '../../browser/failure.ts';
import { settlesWithin } from '../../util/signals.ts';
import { escapeMarks } from '../../util/page-text.ts';
import { cut, oneLine, pageText, visible } from '../../util/text.ts';
import type { Artifact } from './artifacts.ts';
import { typeOfName } from './session-files.ts';
import type { SessionFiles } from './session-files.ts';
import { safeName } from './workspace.ts';
import { downloadPollMs } from '../timing.ts';

export interface DownloadLimits {
  readonly fileBytes: number;
  /** Total size of a session's downloads. */
  readonly sessionBytes: number;
  /** How long an answer waits for a download that the call started. */
  readonly waitMs: number;
}

export interface DownloadEvents {
  /** A line for the next answer. */
  readonly tell: (event: string) => void;
  readonly saved: (artifact: Artifact) => void;
}

interface Pending {
  readonly name: string;
  readonly saving: Promise<void>;
  /** An answer has already waited for it; later answers do not. */
  isTold: boolean;
}

interface Started {
  readonly name: string;
  readonly request: Request | undefined;
  readonly tab: string;
}

const mostPending = 20;
/** Bytes of a text that an answer shows. */
const longestInline = 500;
const privateFile = 0o600;

/** Downloads of a session: each is saved under a safe name, within limits, and reported. */
export class Downloads {
  readonly #files: SessionFiles;
  readonly #limits: DownloadLimits;
  readonly #events: DownloadEvents;
  readonly #pending = new Set<Pending>();
  #savedBytes = 0;

  constructor(files: SessionFiles, limits: DownloadLimits, events: DownloadEvents) {
    this.#files = files;
    this.#limits = limits;
    this.#events = events;
  }

  /** The request that became the download, if any, has the MIME type. */
  add(download: Download, request: Request | undefined, tab: string): void {
    const name = withoutMarks(safeName(download.suggestedFilename()));
    const pending = { name, saving: this.#save(download, { name, request, tab }), isTold: false };
    this.#pending.add(pending);
    void pending.saving.finally(() => this.#pending.delete(pending));
  }

  /** Waits briefly for downloads started since the last answer, so that this answer reports them. */
  async settle(): Promise<void> {
    const fresh = [...this.#pending].filter(({ isTold }) => !isTold);
    await settlesWithin(Promise.all(fresh.map(({ saving }) => saving)), this.#limits.waitMs);
    for (const pending of fresh) {
      pending.isTold = true;
      if (this.#pending.has(pending)) this.#events.tell(`Still downloading ${quotedName(pending.name)}.`);
    }
  }

  async #save(download: Download, { name, request, tab }: Started): Promise<void> {
    const what = `The download ${quotedName(name)}`;
    try {
      const tooMuch =
        this.#pending.size >= mostPending ? 'too many are under way' : await this.#excess(download, request);
      if (tooMuch !== undefined) {
        await download.cancel();
        this.#events.tell(`[DOWNLOAD_TOO_LARGE] ${what} was cancelled: ${tooMuch}.`);
        return;
      }
      const path = await this.#files.claim(name);
      try {
        await download.saveAs(path);
        await chmod(path, privateFile);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      const { size } = await stat(path);
      this.#savedBytes += size;
      const type = typeOf(download, request);
      const { shown, artifact } = await this.#files.added(path, {
        kind: 'download',
        tab,
        ...(type === undefined ? {} : { mimeType: type }),
      });
      const facts = [`${size} ${size === 1 ? 'byte' : 'bytes'}`, ...(type === undefined ? [] : [type])].join(', ');
      this.#events.tell(
        `Downloaded ${quotedName(name)} (${facts}) to ${oneLine(shown)}${await this.#inline(path, size)}`,
      );
      this.#events.saved(artifact);
      // Playwright's temporary copy.
      await download.delete();
    } catch (error) {
      this.#events.tell(`${what} failed: ${reasonOf(error)}`);
    }
  }

  /** The text of a small file, for a caller that cannot open its path. */
  async #inline(path: string, size: number): Promise<string> {
    if (!this.#files.isRemote || size === 0 || size > longestInline) return '';
    const data = await readFile(path);
    return isUtf8(data) && !data.includes(0) ? `: ${escapeMarks(JSON.stringify(visible(data.toString())))}` : '';
  }

  /** Resolves when the download is complete, or with the exceeded limit as soon as it is known. */
  async #excess(download: Download, request: Request | undefined): Promise<string | undefined> {
    const { fileBytes, sessionBytes } = this.#limits;
    const excessOf = (bytes: number): string | undefined => {
      if (bytes > fileBytes) return `it is larger than ${fileBytes} bytes`;
      const left = sessionBytes - this.#savedBytes;
      return bytes > left ? `the downloads of this session would take more than ${sessionBytes} bytes` : undefined;
    };
    const promised = excessOf(Number(request?.existingResponse()?.headers()['content-length'] ?? 0));
    if (promised !== undefined) return promised;
    const end = download.failure();
    const path = pathOf(download);
    for (;;) {
      const isOver = await settlesWithin(end, downloadPollMs);
      const excess = excessOf(path === undefined ? 0 : await sizeOf(path));
      if (excess !== undefined || isOver) return excess;
    }
  }
}

/** A popup that starts a download never gets a document. Headless browsers leave it open, so it is closed here. */
export function wasForDownload(page: Page): boolean {
  if (page.url() !== '') return false;
  void page.close().catch(() => undefined);
  return true;
}

/**
 * The path the browser writes to. Playwright knows it from the start but exposes it only at the end, when the disk may be
 * full. If this internal field is gone, only Content-Length limits the size.
 */
function pathOf(download: Download): string | undefined {
  const artifact: unknown = Reflect.get(download, '_artifact');
  const initializer: unknown = isObject(artifact) ? Reflect.get(artifact, '_initializer') : undefined;
  const path: unknown = isObject(initializer) ? Reflect.get(initializer, 'absolutePath') : undefined;
  return typeof path === 'string' ? path : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

async function sizeOf(path: string): Promise<number> {
  // Chromium's extension for an incomplete file.
  for (const name of [`${path}.crdownload`, path]) {
    const stats = await stat(name).catch(() => undefined);
    if (stats !== undefined) return stats.size;
  }
  return 0;
}

function typeOf(download: Download, request: Request | undefined): string | undefined {
  const said = request?.existingResponse()?.headers()['content-type'] ?? /^data:([^;,]+)/.exec(download.url())?.[1];
  const type = said?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(type)) return cut(type, 100);
  return typeOfName(download.suggestedFilename());
}

/** The path appears unchanged in answers, so the name must not imitate an attribute. */
function withoutMarks(name: string): string {
  return escapeMarks(name) === name ? name : name.replaceAll('[', '(').replaceAll(']', ')');
}

function quotedName(name: string): string {
  return JSON.stringify(pageText(name));
}
