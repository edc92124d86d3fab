import { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { InputRequiredResult, RequestStateCodec, Server, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { LinkQuestion, LinkRequest } from '../call/link-request.ts';

/** What comes back with the answer of a user who was shown a link. */
export interface ShownLink {
  readonly ticket: string;
}

/** Key of the one question in a request for input. */
const questionKey = 'open';

/** The request of one call to show a link to the user, and the answer that makes it. */
export interface OpenLinkRequest extends LinkRequest {
  request(): Promise<InputRequiredResult | undefined>;
}

const capabilities = z.object({ elicitation: z.object({ url: z.unknown().optional() }).optional() });

/** Shows links to users by URL elicitation. The SDK sends it in the form of the client's era. */
export function openLinkRequest(
  server: Server,
  context: ServerContext,
  codec: Pick<RequestStateCodec<ShownLink>, 'mint'>,
): OpenLinkRequest {
  const { mcpReq } = context;
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const canAsk = capabilities.catch({}).parse(declared).elicitation?.url !== undefined;
  const shown = mcpReq.inputResponses === undefined ? undefined : mcpReq.requestState<Partial<ShownLink>>();
  const response = inputResponse(mcpReq.inputResponses, questionKey);
  const action = response.kind === 'elicit' ? response.action : undefined;
  let question: LinkQuestion | undefined;
  return {
    canAsk,
    answered: shown?.ticket === undefined || action === undefined ? undefined : { ticket: shown.ticket, action },
    ask: (about) => void (question = about),
    request: async () => {
      if (question === undefined) return undefined;
      const { ticket, url, message } = question;
      const requestState = await codec.mint({ ticket }, context);
      return inputRequired({
        inputRequests: { [questionKey]: inputRequired.elicitUrl({ url, message }) },
        requestState,
      });
    },
  };
}
