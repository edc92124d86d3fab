import type { ErrorView } from '../../errors.ts';
import type { CallResult, Content, Report, Verbatim } from './report.ts';
import { visible } from '../../util/text.ts';
import { renderText } from './render-text.ts';

export interface RenderOptions {
  readonly structured: boolean;
  /** `only`: images without text. */
  readonly images: 'with text' | 'only';
  /** The nonce in the boundary lines around page content. */
  readonly fence?: string | undefined;
}

/** The result of a call: text, then images, and structured content for programs. Pure. */
export function render(
  report: Report,
  options: RenderOptions = { structured: false, images: 'with text' },
): CallResult {
  if (report.verbatim !== undefined) return asItIs(report.verbatim);
  const images = report.images.map((image): Content => {
    return { type: 'image', data: Buffer.from(image.data).toString('base64'), mimeType: image.mimeType };
  });
  const hidesText = options.images === 'only' && images.length > 0 && report.error === undefined;
  const text: Content = { type: 'text', text: textOf(report, options.fence) };
  const both = report.form === 'sentences' ? [...images, text] : [text, ...images];
  const links = (report.files ?? []).map((file): Content => ({ type: 'resource_link', ...file }));
  const content = hidesText ? images : [...both, ...links];
  if (report.error !== undefined) {
    return { content, isError: true, structuredContent: shown(errorData(report.error, report)) };
  }
  if (report.data === undefined || !options.structured) return { content };
  return { content, structuredContent: shown({ success: true, data: report.data }) };
}

/** An error as @playwright/mcp writes it. */
export function verbatimError(message: string): Verbatim {
  return { content: [{ type: 'text', text: `### Error\n${message}` }], isError: true };
}

function asItIs({ content, isError }: Verbatim): CallResult {
  const copied = content.map((item): Content => ({ ...item }));
  return { content: copied, ...(isError === true ? { isError } : {}) };
}

/** The text of an answer, in the form of the report. */
export function textOf(report: Report, fence?: string): string {
  if (report.sentenceError !== undefined) return [...report.sentenceError, ...report.events].join('\n');
  if (report.error !== undefined || report.form === undefined || report.form === 'sections') {
    return renderText(report, fence);
  }
  if (report.form === 'sentences') return report.result.join('\n');
  return JSON.stringify(shown({ success: true, data: report.data ?? {} }));
}

/** The data with invisible characters escaped, as in the text: some clients show the model only this part. */
function shown(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [visible(key), shownValue(value)]));
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(shownValue);
  return typeof value === 'object' && value !== null ? shown({ ...value }) : value;
}

/** One object with both error vocabularies. */
function errorData(view: ErrorView, { sessionId, effect }: Report): Readonly<Record<string, unknown>> {
  const { kind, errorCode, code, message, hint, retryable, details, call } = view;
  return {
    success: false,
    errorCode,
    message,
    ...(sessionId === undefined ? {} : { sessionId }),
    details,
    ...(effect && { effect }),
    error: {
      code,
      kind,
      message,
      details,
      retryable,
      suggestion: hint,
      ...(call === undefined ? {} : { callId: call }),
    },
  };
}
