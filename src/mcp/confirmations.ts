import { createHash } from 'node:crypto';
import { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { InputRequiredResult, RequestStateCodec, Server, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Confirmation, Question } from '../call/permit.ts';
import { cut, oneLine } from '../util/text.ts';

/** What a user was asked, as it comes back with the answer. */
export interface Asked extends Question {
  /** Hash of the arguments. */
  readonly args: string;
}

/** Key of the one question in a request for input. */
const questionKey = 'confirm';
const longestArguments = 300;

/** The confirmation of one call, and the answer that requests it. */
export interface OpenConfirmation extends Confirmation {
  /** The request for input, if the user must be asked. */
  request(): Promise<InputRequiredResult | undefined>;
}

/** Asks users to confirm calls, by elicitation. The SDK sends the question in the form of the client's era. */
export class Confirmations {
  readonly #codec: Pick<RequestStateCodec<Asked>, 'mint'>;

  constructor(codec: Pick<RequestStateCodec<Asked>, 'mint'>) {
    this.#codec = codec;
  }

  /** The confirmation of a call; undefined if the client cannot ask its user. */
  open(server: Server, context: ServerContext, tool: string, args: unknown): OpenConfirmation | undefined {
    if (!canAsk(server, context)) return undefined;
    const hash = hashOf(args);
    const asked = context.mcpReq.inputResponses === undefined ? undefined : context.mcpReq.requestState<Asked>();
    // An answer counts for the call that was asked about only.
    const isAbout = asked !== undefined && asked.tool === tool && asked.args === hash;
    const answer = isAbout ? inputResponse(context.mcpReq.inputResponses, questionKey) : undefined;
    const isConfirmed = answer?.kind === 'elicit' && answer.action === 'accept';
    let question: Question | undefined;
    return {
      confirmed: isConfirmed ? asked?.origin : undefined,
      isDeclined: answer !== undefined && answer.kind !== 'missing' && !isConfirmed,
      ask: (about) => void (question = about),
      request: async () => {
        if (question === undefined) return undefined;
        const requestState = await this.#codec.mint({ ...question, tool, args: hash }, context);
        const message = messageOf(question, args);
        const requestedSchema = { type: 'object' as const, properties: {} };
        return inputRequired({
          inputRequests: { [questionKey]: inputRequired.elicit({ message, requestedSchema }) },
          requestState,
        });
      },
    };
  }
}

/** The arguments come from the model, so they are quoted as data. */
function messageOf({ tool, origin, rule }: Question, args: unknown): string {
  const shown = cut(oneLine(JSON.stringify(args ?? {})), longestArguments);
  return `Allow ${tool} on ${origin}? Arguments: ${shown} (action policy: ${rule})`;
}

function hashOf(args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(args ?? {}))
    .digest('base64url');
}

const capabilities = z.object({
  elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
});

/** Clients of the stateless era declare their capabilities with each request. A client that names no mode supports forms. */
function canAsk(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const { elicitation } = capabilities.catch({}).parse(declared);
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
