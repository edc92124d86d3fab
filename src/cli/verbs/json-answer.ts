import type { Report } from '../../call/answer/report.ts';

/** A step of `--json`. */
interface JsonStep {
  readonly command: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly page?: { readonly url: string; readonly title: string };
  readonly snapshot?: { readonly form: 'yaml' | 'diff'; readonly lines: readonly string[] };
  readonly tabs?: readonly unknown[];
  readonly events?: readonly string[];
  readonly dialogs?: readonly string[];
  readonly files?: readonly unknown[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly retryable: boolean;
  };
}

/** One step of `--json`. Fields without content are left out. */
export function jsonStep(command: string, tool: string, report: Report): JsonStep {
  const { error, result, notes = [], data, page, snapshot, tabs = [], events, modals, files = [] } = report;
  return {
    command,
    tool,
    ok: error === undefined,
    text: [...result, ...notes].join('\n'),
    ...(data === undefined ? {} : { data }),
    ...(page === undefined ? {} : { page: { url: page.url, title: page.title } }),
    ...(snapshot === undefined ? {} : { snapshot: { form: snapshot.form, lines: snapshot.lines } }),
    ...(tabs.length === 0 ? {} : { tabs }),
    ...(events.length === 0 ? {} : { events }),
    ...(modals.length === 0 ? {} : { dialogs: modals }),
    ...(files.length === 0 ? {} : { files }),
    ...(error === undefined
      ? {}
      : { error: { code: error.kind, message: error.message, hint: error.hint, retryable: error.retryable } }),
  };
}

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const objects = { type: 'array', items: { type: 'object' } } as const;

/** The JSON Schema of `--json`. */
export const answerSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Answer of pagehelm --json',
  type: 'object',
  required: ['ok', 'steps'],
  properties: {
    ok: { type: 'boolean' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['command', 'tool', 'ok', 'text'],
        properties: {
          command: text,
          tool: text,
          ok: { type: 'boolean' },
          text,
          data: { type: 'object' },
          page: { type: 'object', required: ['url', 'title'], properties: { url: text, title: text } },
          snapshot: {
            type: 'object',
            required: ['form', 'lines'],
            properties: { form: { enum: ['yaml', 'diff'] }, lines: texts },
          },
          tabs: objects,
          events: texts,
          dialogs: texts,
          files: objects,
          error: {
            type: 'object',
            required: ['code', 'message', 'hint', 'retryable'],
            properties: { code: text, message: text, hint: text, retryable: { type: 'boolean' } },
          },
        },
      },
    },
  },
} as const;
