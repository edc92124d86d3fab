import type { ErrorView } from '../../errors.ts';
import { visible } from '../../util/text.ts';
import type { CallEffect } from '../call-effect.ts';
import type { Image } from './response.ts';

/**
 * How an answer is written: sections of markdown, plain sentences and nothing else, one JSON object, or as the tool wrote
 * it itself.
 */
export type AnswerForm = 'sections' | 'sentences' | 'data' | 'verbatim';

/** Everything an answer shows, as data. Texts that must be one line are one line. */
export interface Report {
  /** Default: sections. */
  readonly form?: AnswerForm;
  readonly error?: ErrorView;
  /** Whether an acting call changed anything. */
  readonly effect?: CallEffect;
  /** The code in the text of the error, if not the kind: clients of a vocabulary know its own codes. */
  readonly errorLabel?: string;
  /** Error text for the `sentences` answer form. */
  readonly sentenceError?: readonly string[];
  readonly result: readonly string[];
  /** The result is in chronological order: if it is cut, then at its beginning. */
  readonly isNewestLast?: boolean;
  /** Remarks below the result; they stay if the result is cut. */
  readonly notes?: readonly string[];
  /** The result is page content. */
  readonly isForeign?: boolean;
  readonly code: readonly string[];
  /** Language of the code fence, default js. */
  readonly codeFence?: string;
  /** Session and tab of the call, if there are several. */
  readonly place?: readonly string[];
  readonly page?: PageReport;
  readonly tabs?: readonly TabReport[];
  readonly modals: readonly string[];
  readonly snapshot?: SnapshotReport;
  readonly events: readonly string[];
  readonly images: readonly Image[];
  /** Files that the call made. */
  readonly files?: readonly FileLink[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
  /** The whole answer, for the form `verbatim`. */
  readonly verbatim?: Verbatim;
}

/** An answer that is sent as it is. */
export interface Verbatim {
  readonly content: readonly Content[];
  readonly isError?: boolean;
}

export interface PageReport {
  readonly url: string;
  readonly title: string;
  readonly status?: number;
  readonly errors: number;
  readonly warnings: number;
  /** What the client knows already. The text leaves it out. */
  readonly known?: readonly ('address' | 'status' | 'console')[];
}

export interface TabReport {
  readonly index: number;
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly active: boolean;
}

export interface SnapshotReport {
  /** `yaml` for a snapshot, `diff` for changes since the last one. */
  readonly form: 'yaml' | 'diff';
  readonly lines: readonly string[];
}

/** A file as the client finds it again. */
export interface FileLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

export function linkTo({ uri, name, mimeType, size }: FileLink): FileLink {
  return { uri, name: visible(name), mimeType, size };
}

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | ({ readonly type: 'resource_link' } & FileLink);

/** The result of a call, as in the protocol but without the SDK's types. */
export interface CallResult {
  readonly content: readonly Content[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
