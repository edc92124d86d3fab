import type { ToolNameOf } from '../errors.ts';

/** How clients complete an argument: with known URLs, with known screenshots, or only with its default. */
export type CompletionKind = 'url' | 'screenshot';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly default?: string;
  /** A JSON object, passed as a string. */
  readonly isObject?: boolean;
  /** Never rendered. Also removed from other arguments, unless it is too short. */
  readonly isSecret?: boolean;
  readonly completes?: CompletionKind;
}

export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** A Handlebars template. */
  readonly template: string;
  /** How to do it with the tools of this server; empty if the tools it needs are not offered. */
  readonly guidance?: (context: GuidanceContext) => string;
}

export interface GuidanceContext {
  readonly nameOf: ToolNameOf;
  readonly args: Readonly<Record<string, string>>;
  /** Whether the operator has configured a secret of this name. */
  readonly isSecretName: (name: string) => boolean;
}

/** A request that no prompt can be rendered for. Its message is for the client. */
export class PromptError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PromptError';
  }
}
