import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  InputRequests,
  InputRequiredResult,
  Prompt,
  ServerContext,
} from '@modelcontextprotocol/server';

/** Names, texts and behaviour are those that the conformance suite asks for; the transport under them is ours. */

type Result = CallToolResult | InputRequiredResult;
type Handler = (args: Readonly<Record<string, unknown>>, context: ServerContext) => Promise<Result> | Result;

/** A red pixel, and a WAV file without a sample. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const states = createRequestStateCodec({ key: 'a key of the conformance fixture alone' });

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });
const image = { type: 'image', data: png, mimeType: 'image/png' } as const;

const question = (message: string, field: string, type: 'string' | 'boolean' = 'string'): InputRequests[string] =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: type === 'string' ? { type: 'string' } : { type: 'boolean' } },
      required: [field],
    },
  });
const sampling = (prompt: string): InputRequests[string] =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });

/** What was answered to an elicitation, if it was accepted with a text or a boolean in that field. */
function answered(context: ServerContext, key: string, field: string): string | boolean | undefined {
  const view = inputResponse(context.mcpReq.inputResponses, key);
  const value = view.kind === 'elicit' && view.action === 'accept' ? view.content?.[field] : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}

function stateOf(context: ServerContext): Readonly<Record<string, unknown>> | undefined {
  return context.mcpReq.requestState<Record<string, unknown>>();
}

async function stateful(inputRequests: InputRequests, state: object): Promise<InputRequiredResult> {
  return inputRequired({ inputRequests, requestState: await states.mint({ ...state, nonce: Math.random() }) });
}

async function log({ mcpReq }: ServerContext, data: string): Promise<void> {
  await mcpReq.log('info', data);
}

const elicit =
  (requestedSchema: object, message = 'Please answer'): Handler =>
  async (args, context) => {
    const params = { message: typeof args['message'] === 'string' ? args['message'] : message, requestedSchema };
    const { action, content = {} } = await context.mcpReq.send({ method: 'elicitation/create', params });
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
  };

const choices = ['option1', 'option2', 'option3'];
const titled = ['value1', 'value2', 'value3'].map((value, index) => ({ const: value, title: `Choice ${index + 1}` }));

const content: Readonly<Record<string, Handler>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
};

const talking: Readonly<Record<string, Handler>> = {
  test_tool_with_logging: async (_args, context) => {
    for (const step of ['started', 'processing', 'completed']) await log(context, `Tool execution ${step}`);
    return text('Logged three messages');
  },
  test_logging_tool: async (_args, context) => {
    await log(context, 'A message for a client that set a level');
    return text('Logged');
  },
  test_tool_with_progress: async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return text('No progress token');
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    return text(String(progressToken));
  },
  test_reconnection: async (_args, { http }) => {
    http?.closeSSE?.();
    return text('Sent after the stream was closed');
  },
  test_sampling: async (args, { mcpReq }) => {
    const messages = [{ role: 'user', content: { type: 'text', text: String(args['prompt']) } }];
    const result = await mcpReq.send({ method: 'sampling/createMessage', params: { messages, maxTokens: 100 } });
    return text(`LLM response: ${JSON.stringify(result.content)}`);
  },
  test_elicitation: elicit({
    type: 'object',
    properties: { response: { type: 'string', description: 'Your answer' } },
    required: ['response'],
  }),
  test_elicitation_sep1034_defaults: elicit({
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    required: [],
  }),
  test_elicitation_sep1330_enums: elicit({
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: choices },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: choices } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    },
    required: [],
  }),
};

const asking: Readonly<Record<string, Handler>> = {
  test_input_required_result_elicitation: (_args, context) => {
    const name = answered(context, 'user_name', 'name');
    if (typeof name === 'string') return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: question('What is your name?', 'name') } });
  },
  test_input_required_result_sampling: (_args, { mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (view.kind === 'sampling') return text(`The model said: ${JSON.stringify(view.result.content)}`);
    return inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?') } });
  },
  test_input_required_result_list_roots: (_args, { mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (view.kind === 'roots') return text(`Roots: ${JSON.stringify(view.roots)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: async (_args, context) => {
    if (stateOf(context)?.['step'] === 'confirm' && answered(context, 'confirm', 'ok') === true)
      return text('state-ok');
    return stateful({ confirm: question('Please confirm', 'ok', 'boolean') }, { step: 'confirm' });
  },
  test_input_required_result_tampered_state: async (_args, context) => {
    if (stateOf(context) !== undefined) return text('state-ok');
    return stateful({ confirm: question('Please confirm', 'ok', 'boolean') }, { step: 'confirm' });
  },
  test_input_required_result_multiple_inputs: async (_args, context) => {
    const { inputResponses } = context.mcpReq;
    const kinds = ['user_name', 'greeting', 'client_roots'].map((key) => inputResponse(inputResponses, key).kind);
    if (stateOf(context) !== undefined && !kinds.includes('missing')) return text('All three were answered');
    const requests = {
      user_name: question('What is your name?', 'name'),
      greeting: sampling('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    };
    return stateful(requests, { step: 'all' });
  },
  test_input_required_result_multi_round: async (_args, context) => {
    const state = stateOf(context);
    const name = answered(context, 'step1', 'name');
    const color = answered(context, 'step2', 'color');
    if (state?.['round'] === 2 && color !== undefined) return text(`${String(state['name'])} likes ${color}`);
    if (state?.['round'] === 1 && name !== undefined) {
      return stateful({ step2: question('Step 2: What is your favorite color?', 'color') }, { round: 2, name });
    }
    return stateful({ step1: question('Step 1: What is your name?', 'name') }, { round: 1 });
  },
  test_input_required_result_capabilities: (_args, { mcpReq: { envelope = {} } }) => {
    const declared = new Map<string, unknown>(Object.entries(envelope)).get(CLIENT_CAPABILITIES_META_KEY);
    const { elicitation, sampling: canSample } = { elicitation: undefined, sampling: undefined, ...Object(declared) };
    return inputRequired({
      inputRequests: {
        ...(elicitation === undefined ? {} : { user_name: question('What is your name?', 'name') }),
        ...(canSample === undefined ? {} : { greeting: sampling('Generate a greeting') }),
      },
    });
  },
  test_streaming_elicitation: async (_args, context) => {
    if (answered(context, 'user_name', 'name') !== undefined) return text('Answered');
    return inputRequired({ inputRequests: { user_name: question('What is your name?', 'name') } });
  },
  test_missing_capability: () => inputRequired({ inputRequests: { greeting: sampling('Generate a greeting') } }),
};

const tools: Readonly<Record<string, Handler>> = { ...content, ...talking, ...asking };

const resources: Readonly<
  Record<string, { readonly mimeType: string; readonly text?: string; readonly blob?: string }>
> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched' },
};

const argument = (name: string): NonNullable<Prompt['arguments']>[number] => ({
  name,
  description: `The argument ${name}`,
  required: true,
});
const prompts: readonly Prompt[] = [
  { name: 'test_simple_prompt', description: 'Without arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'With two arguments',
    arguments: [argument('arg1'), argument('arg2')],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'With a resource',
    arguments: [argument('resourceUri')],
  },
  { name: 'test_prompt_with_image', description: 'With an image' },
  { name: 'test_input_required_result_prompt', description: 'With a question' },
];

const cache = { ttlMs: 60_000, cacheScope: 'public' } as const;

/** A server that has everything the protocol knows. */
export function fixtureServer(): Server {
  const server = new Server(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: async (state, context) => states.verify(state, context) },
      cacheHints: {
        'tools/list': cache,
        'resources/list': cache,
        'resources/templates/list': cache,
        'resources/read': cache,
        'prompts/list': cache,
        'server/discover': cache,
      },
    },
  );
  serveTools(server);
  serveResources(server);
  servePrompts(server);
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['one'], total: 1, hasMore: false },
  }));
  return server;
}

function serveTools(server: Server): void {
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `Conformance: ${name}`,
      inputSchema: { type: 'object' as const, properties: {} },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const handler = tools[params.name];
    if (handler === undefined) throw new ProtocolError(-32_602, `Unknown tool: ${params.name}`);
    return handler(params.arguments ?? {}, context);
  });
}

function serveResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri, mimeType: 'application/json', text: data }] };
    }
    const { mimeType, text: body, blob } = resources[uri] ?? {};
    if (body !== undefined) return { contents: [{ uri, mimeType, text: body }] };
    if (blob !== undefined) return { contents: [{ uri, mimeType, blob }] };
    throw new ProtocolError(-32_602, `Resource not found: ${uri}`, { uri });
  });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts] }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, context) => {
    const say = (value: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: value } });
    switch (name) {
      case 'test_simple_prompt':
        return { messages: [say('This is a simple prompt for testing.')] };
      case 'test_prompt_with_arguments':
        return { messages: [say(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`)] };
      case 'test_prompt_with_embedded_resource': {
        const resource = { uri: args['resourceUri'] ?? '', mimeType: 'text/plain', text: 'Embedded resource content' };
        return { messages: [{ role: 'user', content: { type: 'resource', resource } }, say('Process the resource.')] };
      }
      case 'test_prompt_with_image':
        return { messages: [{ role: 'user', content: image }, say('Analyze the image.')] };
      case 'test_input_required_result_prompt': {
        const answer = answered(context, 'user_context', 'context');
        if (answer !== undefined) return { messages: [say(`Context: ${answer}`)] };
        return inputRequired({ inputRequests: { user_context: question('What is the context?', 'context') } });
      }
      default:
        throw new ProtocolError(-32_602, `Unknown prompt: ${name}`);
    }
  });
}
