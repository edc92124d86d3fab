import { resolve } from 'node:path';
import { renderText } from '../../call/answer/render-text.ts';
import type { Report } from '../../call/answer/report.ts';
import type { CommandEndpoint } from '../../app/commands.ts';
import type { Config } from '../../config/schema/schema.ts';
import type { RunParams, RunResult } from '../client/messages.ts';
import { readCommandLine, usageResult } from '../verbs/command-line.ts';
import type { CommandLine, Step } from '../verbs/command-line.ts';
import { textWithoutCall } from '../verbs/command-help.ts';
import { exitCodeOf } from '../verbs/exit-code.ts';
import { jsonStep } from '../verbs/json-answer.ts';
import { valueOf } from '../verbs/value.ts';
import { fromFolder } from './caller-files.ts';
import { callerConfig, differences } from './options.ts';

const usage = 2;
const refused = 5;

export interface RunContext {
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

/** Runs command lines in the sessions of the daemon. */
export class CommandRunner {
  readonly #endpoint: CommandEndpoint;
  readonly #config: Config;
  readonly #startEnv: string;
  /** The page that was shown last, by session: it is shown again when it changes. */
  readonly #shownPages = new Map<string, string>();

  constructor(endpoint: CommandEndpoint, config: Config, startEnv: RunParams['env']) {
    this.#endpoint = endpoint;
    this.#config = config;
    this.#startEnv = JSON.stringify(startEnv);
  }

  async run(params: RunParams, context: RunContext): Promise<RunResult> {
    try {
      const line = readCommandLine(params, this.#endpoint.tools);
      const text = textWithoutCall(line, this.#endpoint.tools);
      if (text !== undefined) return { code: 0, stdout: text, stderr: '' };
      return this.checkOptions(line.options, params) ?? (await this.#runSteps(line, params, context));
    } catch (error) {
      return usageResult(error);
    }
  }

  /** A refusal, if the caller wants other options than this daemon has. */
  checkOptions(options: readonly string[], caller: Pick<RunParams, 'env' | 'cwd'>): RunResult | undefined {
    if (options.length === 0 && JSON.stringify(caller.env) === this.#startEnv) return undefined;
    const found = differences(callerConfig(options, caller), this.#config);
    if (found.length === 0) return undefined;
    const flags = found.map(({ flag }) => flag).join(', ');
    const isSecurity = found.some((each) => each.isSecurity);
    const what = `The running daemon has another value for ${flags}`;
    const why = isSecurity ? 'Security options cannot change while it runs' : 'It cannot change while it runs';
    return {
      code: isSecurity ? refused : usage,
      stdout: '',
      stderr: `pagehelm: ${what}. ${why}: end it with "pagehelm stop", then start it with this option.\n`,
    };
  }

  async #runSteps({ steps, switches }: CommandLine, params: RunParams, context: RunContext): Promise<RunResult> {
    const { session, form } = switches;
    const out: string[] = [];
    const errors: string[] = [];
    const json: unknown[] = [];
    let code = 0;
    let outFile = switches.file;
    for (const [place, step] of steps.entries()) {
      const isLast = place === steps.length - 1;
      const isValue = step.value !== false;
      const savesItself = isLast && !isValue && outFile !== undefined && 'filename' in step.tool.input.shape;
      const args = {
        ...fromFolder(step, params.cwd),
        ...quiet(step, isLast),
        ...(savesItself
          ? {
              filename: resolve(params.cwd, outFile ?? ''),
              ...('relativeTo' in step.tool.input.shape ? { relativeTo: 'cwd' } : {}),
            }
          : {}),
        ...(session === undefined ? {} : { sessionId: session }),
      };
      if (savesItself) outFile = undefined;
      const report = await this.#endpoint.call({ name: step.tool.name, args, session, ...context });
      if (report.error !== undefined) {
        if (code === 0) code = exitCodeOf(report.error);
        errors.push(`[${report.error.kind}] ${report.error.message}\n${report.error.hint}`);
      }
      if (form === 'json') json.push(jsonStep(step.verb, step.tool.name, report));
      else if (form === 'raw' || (isValue && report.error === undefined))
        out.push(valueOf(report, typeof step.value === 'string' ? step.value : undefined));
      else out.push(this.#textOf(report, session ?? '', isLast));
      if (report.error !== undefined && !switches.keepGoing) break;
    }
    const stdout = form === 'json' ? JSON.stringify({ ok: code === 0, steps: json }) : nonEmpty(out).join('\n');
    return {
      code,
      stdout: stdout === '' ? '' : `${stdout}\n`,
      stderr: errors.length === 0 || form === 'json' ? '' : `${errors.join('\n')}\n`,
      ...(outFile === undefined ? {} : { file: resolve(params.cwd, outFile) }),
    };
  }

  /** The text of MCP without the error, which goes to stderr, and without a page that was shown before. */
  #textOf(report: Report, session: string, isLast: boolean): string {
    // The caller named the session.
    const { error: _, place: _place, page, ...rest } = report;
    const current = page === undefined ? undefined : JSON.stringify(page);
    const isKnown = current === undefined || this.#shownPages.get(session) === current || !isLast;
    if (current !== undefined && isLast) this.#shownPages.set(session, current);
    const text = renderText({ ...rest, ...(isKnown || page === undefined ? {} : { page }) });
    // Some tools answer with data alone.
    return text === '' && rest.data !== undefined ? valueOf(report) : text;
  }
}

/** A step that another follows shows no page: the last one shows all changes. */
function quiet({ tool, args }: Step, isLast: boolean): Readonly<Record<string, unknown>> {
  const acts = tool.effect === 'input' || tool.effect === 'navigate';
  return isLast || !acts || 'snapshotMode' in args ? {} : { snapshotMode: 'none' };
}

function nonEmpty(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== '');
}
