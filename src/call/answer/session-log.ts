import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../../log.ts';
import type { DriverId } from '../../session/session.ts';
import type { Workspace } from '../../session/files/workspace.ts';
import { isRecord } from '../../util/records.ts';
import { hidden, withoutTyped } from '../arguments/typed-arguments.ts';
import { sectionsOf } from './render-text.ts';
import { textOf } from './render.ts';
import type { Report } from './report.ts';

export interface SessionLogDeps {
  readonly workspace: Workspace;
  readonly log: Logger;
  readonly now: () => number;
  /** Removes secrets. */
  readonly redact: (value: unknown) => unknown;
}

export interface LoggedCall {
  readonly driver: DriverId;
  readonly tool: string;
  readonly args: unknown;
  /** The answer, redacted. */
  readonly report: Report;
}

/**
 * The calls and answers of each client, as Markdown in a folder `session-<time>` of the output directory, in the format of
 * @playwright/mcp.
 */
export class SessionLog implements AsyncDisposable {
  readonly #deps: SessionLogDeps;
  readonly #files = new Map<DriverId, Promise<string>>();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: SessionLogDeps) {
    this.#deps = deps;
  }

  /** Entries are in the order in which the calls ended. The answer does not wait for the file. */
  record(call: LoggedCall): void {
    const text = this.#textOf(call);
    this.#writing = this.#writing.then(async () => {
      try {
        await appendFile(await this.#fileOf(call.driver), text);
      } catch (error) {
        this.#deps.log.warn('the session log was not written', { error });
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing;
  }

  async #fileOf(driver: DriverId): Promise<string> {
    const known = this.#files.get(driver);
    if (known !== undefined) return known;
    const { workspace, log, now } = this.#deps;
    const making = workspace.claim('output', `session-${now() + this.#files.size}/session.md`);
    this.#files.set(driver, making);
    making.catch(() => this.#files.delete(driver));
    log.info(`Session: ${dirname(await making)}`);
    return making;
  }

  #textOf({ tool, args, report }: LoggedCall): string {
    const answer = partsOf(report);
    // Text that the answer redacted, or that was never typed because the call failed, may be a password.
    // The answer of a call with steps does not repeat what they typed.
    const hasSteps = isRecord(args) && 'steps' in args;
    const isDoubtful = hasSteps || report.error !== undefined || JSON.stringify(answer).includes(hidden);
    const shown = this.#deps.redact(withoutTyped(args ?? {}, isDoubtful));
    return ['', `### Tool call: ${tool}`, '- Args', ...fenced(shown), '- Result', ...fenced(answer), ''].join('\n');
  }
}

function fenced(value: unknown): readonly string[] {
  // JSON escapes line breaks, so that no text in it can begin a line with a fence.
  return ['```json', JSON.stringify(value, undefined, 2), '```'];
}

/** The sections of an answer under the names that @playwright/mcp gives them. */
function partsOf(report: Report): Readonly<Record<string, unknown>> {
  const { form = 'sections', error, sentenceError, images } = report;
  const isPlain = sentenceError !== undefined || (form !== 'sections' && error === undefined);
  const sections = sectionsOf(report).map(({ key, lines }): [string, string] => [key, lines.join('\n')]);
  const plain: [string, string] = [error === undefined ? 'result' : 'error', textOf(report)];
  const attachments = images.map(({ mimeType, data }) => {
    return { type: 'image', mimeType, base64Length: Math.ceil(data.length / 3) * 4 };
  });
  return {
    ...Object.fromEntries(isPlain ? [plain] : sections),
    ...(error === undefined ? {} : { isError: true }),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}
