import type { ErrorView } from '../errors.ts';
import type { Image } from './response.ts';

/** How an answer is written: sections of markdown, plain sentences and nothing else, or one JSON object. */
export type AnswerForm = 'sections' | 'sentences' | 'data';

/** Everything there is to show, as data. Text in it is already on one line where one line is meant. */
export interface Report {
  /** Sections, where it does not say. */
  readonly form?: AnswerForm;
  readonly error?: ErrorView;
  /** The error as those are told it who are answered in sentences; the whole text. */
  readonly complaint?: readonly string[];
  readonly result: readonly string[];
  /** The result ends with what is newest: if it is cut, then at its beginning. */
  readonly isNewestLast?: boolean;
  /** What the caller should know besides; it stands under the result and does not go when that is cut. */
  readonly notes?: readonly string[];
  /** The result is what the page says, not we. */
  readonly isForeign?: boolean;
  readonly code: readonly string[];
  /** What the fence around the code says; that of JavaScript if nothing. */
  readonly codeFence?: string;
  /** Which session and tab it was, where there are several. */
  readonly place?: readonly string[];
  readonly page?: PageReport;
  readonly tabs?: readonly TabReport[];
  readonly modals: readonly string[];
  readonly snapshot?: SnapshotReport;
  readonly events: readonly string[];
  readonly images: readonly Image[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
}

export interface PageReport {
  readonly url: string;
  readonly title: string;
  readonly status?: number;
  readonly errors: number;
  readonly warnings: number;
}

export interface TabReport {
  readonly index: number;
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly active: boolean;
}

export interface SnapshotReport {
  /** `yaml` for a snapshot, `diff` for what changed since the last one. */
  readonly form: 'yaml' | 'diff';
  readonly lines: readonly string[];
}

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** What a call answers, in the words of the protocol but without its types. */
export interface CallResult {
  readonly content: readonly Content[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
