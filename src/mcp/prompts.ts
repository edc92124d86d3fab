import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { GetPromptResult, ListPromptsResult, Server } from '@modelcontextprotocol/server';
import type { ToolNameOf } from '../errors.ts';
import type { PromptLibrary } from '../prompts/library.ts';
import { PromptError } from '../prompts/prompt.ts';
import type { Prompt } from '../prompts/prompt.ts';

export interface PromptDeps {
  /** Loads the prompts on first use. */
  readonly prompts: () => Promise<PromptLibrary>;
  /** The name under which a tool is offered to this client. */
  readonly nameOf: ToolNameOf;
  /** Removes values of configured secrets from a text. */
  readonly redact: (text: string) => string;
  readonly isSecretName: (name: string) => boolean;
}

type GivenArguments = Readonly<Record<string, string>>;

/** Handles `prompts/list` and `prompts/get`. */
export function servePrompts(server: Server, deps: PromptDeps): void {
  server.setRequestHandler('prompts/list', async (): Promise<ListPromptsResult> => {
    const library = await deps.prompts();
    return { prompts: library.list().map(describePrompt) };
  });
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: args = {} } }) =>
    asProtocolError(async () => rendered(deps, name, args)),
  );
}

/** A prompt as `prompts/list` shows it. The protocol has no field for defaults; clients that know one show it. */
function describePrompt({ name, description, arguments: args }: Prompt): ListPromptsResult['prompts'][number] {
  const shown = args.map((argument) => ({
    name: argument.name,
    description: argument.description,
    required: argument.required,
    ...(argument.default === undefined ? {} : { default: argument.default }),
  }));
  return { name, description, arguments: shown };
}

async function rendered(deps: PromptDeps, name: string, args: GivenArguments): Promise<GetPromptResult> {
  const library = await deps.prompts();
  const prompt = library.find(name);
  const text = await library.render(name, args);
  const guidance = prompt.guidance?.({ ...deps, args }) ?? '';
  return {
    description: prompt.description,
    messages: [text, guidance]
      .filter((part) => part !== '')
      .map((part) => ({ role: 'user', content: { type: 'text', text: deps.redact(part) } })),
  };
}

/** A wrong name or argument is the client's mistake, not an internal error. */
export async function asProtocolError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PromptError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  }
}
