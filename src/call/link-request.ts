/** A link for the user of a client. */
export interface LinkQuestion {
  /** Comes back with the answer. */
  readonly ticket: string;
  readonly url: string;
  readonly message: string;
}

/** How a call can have its client show a link to the user. */
export interface LinkRequest {
  /** Whether the client can. */
  readonly canAsk: boolean;
  /** The user was shown a link by this call. */
  readonly answered: { readonly ticket: string; readonly action: 'accept' | 'decline' | 'cancel' } | undefined;
  /** Shows the link, after which the client repeats the call. */
  ask(question: LinkQuestion): void;
}
