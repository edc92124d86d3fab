import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { TraceFolder } from '../../browser/trace-folder.ts';
import { ToolError } from '../../errors.ts';
import { TypedSecrets } from '../../policy/typed-secrets.ts';
import { settlesWithin } from '../../util/signals.ts';
import { stopLimitMs, tracePollMs } from '../timing.ts';
import { redactTrace } from './trace-redaction.ts';

/** Bytes on disk at which a recording is stopped: a page can load data without end. */
const mostBytes = 256 * 1024 * 1024;

interface Recording {
  readonly context: BrowserContext;
  readonly folder: TraceFolder;
  readonly open: AsyncDisposable;
  readonly zip: string;
  readonly timer: NodeJS.Timeout;
  /** What was typed into secret fields since the start, also in tabs that are closed by now. */
  readonly typed: Set<TypedSecrets>;
  /** Set once it is being stopped; the archive is complete when it resolves. */
  stopped?: Promise<void>;
}

/** Records a Playwright trace of the session's context: actions, DOM snapshots, screenshots, console and network. */
export class SessionTracing {
  readonly #report: (event: string) => void;
  #recording: Recording | undefined;
  #count = 0;

  constructor(report: (event: string) => void) {
    this.#report = report;
  }

  get isOn(): boolean {
    return this.#recording !== undefined;
  }

  async start(context: BrowserContext, folder: TraceFolder, typed: readonly TypedSecrets[]): Promise<void> {
    if (this.#recording !== undefined) throw new ToolError('TRACE_IN_PROGRESS', {});
    const open = await folder.open();
    const name = `trace-${++this.#count}-${process.hrtime.bigint()}`;
    try {
      await context.tracing.start({ name, screenshots: true, snapshots: true });
    } catch (error) {
      await open[Symbol.asyncDispose]();
      // Sessions of other clients use the same context of a profile or an external browser.
      const isTraced = error instanceof Error && error.message.includes('already started');
      throw isTraced ? new ToolError('TRACE_IN_PROGRESS', {}, { cause: error }) : error;
    }
    const timer = setInterval(() => void this.#checkSize(), tracePollMs);
    timer.unref();
    this.#recording = { context, folder, open, zip: join(folder.path, `${name}.zip`), timer, typed: new Set(typed) };
  }

  /** A tab was opened: what is typed there is redacted too. */
  watch(typed: TypedSecrets): void {
    this.#recording?.typed.add(typed);
  }

  /** Runs a call; the trace shows what it does in a group of this title. */
  async inGroup<T>(title: string, run: () => Promise<T>): Promise<T> {
    const recording = this.#recording;
    if (recording === undefined || recording.stopped !== undefined) return run();
    const { tracing } = recording.context;
    await settlesWithin(tracing.group(title), stopLimitMs);
    try {
      return await run();
    } finally {
      if (this.#recording === recording && recording.stopped === undefined)
        await settlesWithin(tracing.groupEnd(), stopLimitMs);
    }
  }

  /** Stops the recording; the archive, without secrets in its texts. It is kept until `forget` is called. */
  async finish(redact: (text: string) => string): Promise<Buffer> {
    const recording = this.#recording;
    if (recording === undefined) throw new ToolError('NO_TRACE', {});
    await this.#stop(recording);
    const typed = new TypedSecrets();
    for (const each of recording.typed) typed.add(...each.all);
    return redactTrace(await readFile(recording.zip), redact, typed);
  }

  /** Discards the recording; returns whether there was one. */
  async forget(): Promise<boolean> {
    const recording = this.#recording;
    if (recording === undefined) return false;
    this.#recording = undefined;
    clearInterval(recording.timer);
    recording.stopped ??= recording.context.tracing.stop();
    await settlesWithin(recording.stopped, stopLimitMs);
    await recording.open[Symbol.asyncDispose]();
    return true;
  }

  /** The browser is gone, and with it everything that was recorded. */
  lost(): void {
    if (this.#recording === undefined) return;
    void this.forget();
    this.#report('The trace was lost with the browser, and no trace is being recorded now.');
  }

  async #stop(recording: Recording): Promise<void> {
    clearInterval(recording.timer);
    recording.stopped ??= recording.context.tracing.stop({ path: recording.zip });
    await recording.stopped;
  }

  async #checkSize(): Promise<void> {
    const recording = this.#recording;
    if (recording === undefined || recording.stopped !== undefined) return;
    if ((await bytesIn(recording.folder.path)) <= mostBytes || recording.stopped !== undefined) return;
    this.#report(`The trace has reached ${mostBytes / 1024 / 1024} MiB, so recording has stopped; it can be saved.`);
    await this.#stop(recording).catch(() => undefined);
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
