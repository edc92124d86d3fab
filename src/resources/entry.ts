/** A resource as lists show it. */
export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
  readonly size?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The metadata again, for clients that drop keys the protocol does not know. */
  readonly _meta?: { readonly metadata: Readonly<Record<string, unknown>> };
}

/** The content of a resource. */
export interface ResourceContent {
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  /** Binary content. */
  readonly bytes?: Buffer;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** There is no such resource, or it belongs to another driver: callers cannot tell. */
export class ResourceNotFound extends Error {
  readonly uri: string;

  constructor(uri: string) {
    super('Resource not found');
    this.name = 'ResourceNotFound';
    this.uri = uri;
  }
}

/** The request is wrong whatever resources there are: a range, a cursor, a selector. */
export class BadResourceRequest extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadResourceRequest';
  }
}
