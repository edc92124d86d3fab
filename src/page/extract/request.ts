import type { RawTable } from '../reads/table.ts';

/** The value of a field as the page shows it: one text, several, or none. */
export type RawValue = string | readonly string[] | null;

/** How a value is read from an element, and which text patterns suggest it. */
export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'link' | 'image';

/** One value to extract from each item. */
export interface WantedField {
  /** Unique in its part. */
  readonly key: string;
  /** The words of its name, in lower case. */
  readonly words: readonly string[];
  readonly type: FieldType;
  /** All matches instead of the first. */
  readonly isList: boolean;
  /** A CSS selector inside the item; empty for the item itself. Absent: found by its name and type. */
  readonly selector?: string;
  /** Read this attribute instead of the text. */
  readonly attribute?: string;
}

/** Fields that are extracted together. */
export interface WantedPart {
  readonly fields: readonly WantedField[];
  /** The whole part of the page is one item. */
  readonly isOne: boolean;
  /** Selector of the items; found automatically if absent. */
  readonly items?: string;
}

export interface ExtractRequest {
  /** The element to extract from; without it, the document. */
  readonly ref?: string | undefined;
  readonly kind: 'fields' | 'table' | 'metadata';
  readonly parts: readonly WantedPart[];
  /** Find the link to the next page: by this selector, or by its relation and text if empty. */
  readonly next?: string | undefined;
  readonly mostItems: number;
}

export interface ExtractedPart {
  readonly items: readonly Readonly<Record<string, RawValue>>[];
  /** How many there are; more than `items` if the limit was reached. */
  readonly count: number;
  /** What the items are, as a selector; for messages. */
  readonly from: string;
}

/** Where the next page is. */
export interface NextPage {
  readonly url?: string;
  /** It is a button, or a link that runs a script. */
  readonly isScripted: boolean;
}

export interface ExtractResult {
  readonly parts: readonly ExtractedPart[];
  readonly tables: readonly RawTable[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly next?: NextPage | undefined;
  /** A selector that the browser does not understand. */
  readonly invalid?: string;
  /** The classes and ids of the part, if a selector matched nothing: for suggestions. */
  readonly names: readonly string[];
}
