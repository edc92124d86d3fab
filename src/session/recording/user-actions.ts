import type { BrowserContext } from 'playwright-core';
import { ToolError } from '../../errors.ts';

/** What Playwright's recorder reports. It is not part of its public types. */
interface RecordingContext {
  _startRecording?: (options: { readonly language: string }, listener: RecordingListener) => Promise<void>;
  _stopRecording?: () => Promise<void>;
}

interface RecordingListener {
  readonly actionAdded: (page: unknown, action: unknown, code: string) => void;
  readonly actionUpdated: (page: unknown, action: unknown, code: string) => void;
  readonly signalAdded: (page: unknown, signal: unknown, code: string) => void;
}

/** Playwright's names of the languages. */
const languages = {
  typescript: 'playwright-test',
  python: 'python',
  java: 'java',
  csharp: 'csharp',
  none: 'playwright-test',
} as const;

/** Records what a user does in the browser, as code. */
export class UserActions {
  #recording: { readonly context: RecordingContext; readonly actions: string[] } | undefined;

  async start(context: BrowserContext, language: keyof typeof languages): Promise<void> {
    if (this.#recording !== undefined) throw new ToolError('RECORDING_IN_PROGRESS', {});
    // The recorder is there, but has no types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const recorder = context as unknown as RecordingContext;
    const actions: string[] = [];
    const replaceLast = (code: string): void => {
      actions[Math.max(0, actions.length - 1)] = code;
    };
    const { _startRecording: start } = recorder;
    await start?.call(
      recorder,
      { language: languages[language] },
      {
        actionAdded: (_page, _action, code) => void actions.push(code),
        actionUpdated: (_page, _action, code) => replaceLast(code),
        signalAdded: (_page, _signal, code) => {
          if (actions.length > 0 && code !== '') replaceLast(code);
        },
      },
    );
    this.#recording = { context: recorder, actions };
  }

  /** The recorded lines of code. */
  async stop(): Promise<readonly string[]> {
    const recording = this.#recording;
    this.#recording = undefined;
    if (recording === undefined) throw new ToolError('NO_RECORDING', {});
    const { _stopRecording: stop } = recording.context;
    await stop?.call(recording.context);
    return recording.actions.filter((code) => code.trim() !== '').map(withoutIndent);
  }

  /** The context is gone, and the recording with it. */
  forget(): void {
    this.#recording = undefined;
  }
}

function withoutIndent(text: string): string {
  const lines = text.split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(least)).join('\n');
}
