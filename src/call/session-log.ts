import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../log.ts';
import type { DriverId } from '../session/session.ts';
import type { Workspace } from '../session/files/workspace.ts';
import type { CallResult } from './report.ts';

export interface SessionLogDeps {
  readonly workspace: Workspace;
  readonly log: Logger;
  readonly now: () => number;
  /** Takes out of a value what no file may hold. */
  readonly redact: (value: unknown) => unknown;
}

export interface LoggedCall {
  readonly driver: DriverId;
  readonly tool: string;
  readonly args: unknown;
  readonly result: CallResult;
}

/** Arguments that may be what somebody typed into a field for passwords. */
const typed = new Set(['text', 'value', 'values', 'promptText']);
const hidden = '[REDACTED]';

/**
 * What each client called and was answered, as markdown in a folder `session-<time>` of the output directory: the file
 * that @playwright/mcp writes.
 */
export class SessionLog implements AsyncDisposable {
  readonly #deps: SessionLogDeps;
  readonly #files = new Map<DriverId, Promise<string>>();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: SessionLogDeps) {
    this.#deps = deps;
  }

  /** Written in the order of the calls' ends; an answer does not wait for it. */
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

  #textOf({ tool, args, result }: LoggedCall): string {
    const answer = partsOf(result);
    // What was not repeated in the answer, or never got that far, may be a password.
    const isDoubtful = result.isError === true || JSON.stringify(answer).includes(hidden);
    const shown = this.#deps.redact(withoutTyped(args ?? {}, isDoubtful));
    return ['', `### Tool call: ${tool}`, '- Args', ...fenced(shown), '- Result', ...fenced(answer), ''].join('\n');
  }
}

function fenced(value: unknown): readonly string[] {
  // A fence inside of a JSON text cannot begin a line: line breaks are escapes there.
  return ['```json', JSON.stringify(value, undefined, 2), '```'];
}

function withoutTyped(value: unknown, isDoubtful: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTyped(item, isDoubtful));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isHidden = key === 'password' || (isDoubtful && typed.has(key));
      return [key, isHidden ? hidden : withoutTyped(item, isDoubtful)];
    }),
  );
}

/** The sections of an answer by the names that @playwright/mcp gives them. */
const sectionNames: Readonly<Record<string, string>> = {
  Result: 'result',
  Error: 'error',
  'Ran Playwright code': 'code',
  'Open tabs': 'tabs',
  Page: 'page',
  Snapshot: 'inlineSnapshot',
  Events: 'events',
  'Modal state': 'modalState',
};

function partsOf({ content, isError }: CallResult): Readonly<Record<string, unknown>> {
  const text = content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
  const sections = text
    .split(/^### /m)
    .slice(1)
    .map((section): [string, string] => {
      const [title = '', ...lines] = section.trimEnd().split('\n');
      const isFenced = lines[0]?.startsWith('```') === true && lines.at(-1) === '```';
      return [sectionNames[title] ?? title, (isFenced ? lines.slice(1, -1) : lines).join('\n')];
    });
  const images = content.flatMap((item) =>
    item.type === 'image' ? [{ type: item.type, mimeType: item.mimeType, base64Length: item.data.length }] : [],
  );
  // Some tools answer in plain sentences, or in JSON.
  const plain = sections.length > 0 || text === '' ? [] : [[isError === true ? 'error' : 'result', text]];
  return {
    ...Object.fromEntries([...sections, ...plain]),
    ...(isError === true ? { isError } : {}),
    ...(images.length === 0 ? {} : { attachments: images }),
  };
}
