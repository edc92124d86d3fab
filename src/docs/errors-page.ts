import { render } from '../call/answer/render.ts';
import { ToolError, errorCatalogue, isRetryable, withToolNames } from '../errors.ts';
import { code, fenced, quote, table } from './markdown.ts';

const example = new ToolError('STALE_REF', { ref: 'e12', was: 'button "Save"' });

function introduction(): string {
  const { content, structuredContent } = render(
    { error: example.view, sessionId: '…', result: [], code: [], modals: [], events: [], images: [] },
    { structured: true, images: 'with text' },
  );
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return `# Errors

A failed tool call returns a result with \`isError: true\`. Its text says what went wrong and what to do next:

${fenced(text)}
\`structuredContent\` carries the same information for programs:

${fenced(JSON.stringify(structuredContent, undefined, 2), 'json')}
\`error.kind\` is the most specific name and the one in the text. \`error.code\` and \`errorCode\` are the names used by two
other specifications; several kinds share one code. \`retryable\` means that the same call may succeed later unchanged.
\`sessionId\` is present if the session was resolved. Names in braces below are placeholders; \`details\` has their values.

A request that does not reach a tool is answered with a JSON-RPC error instead:

| Code | Reason |
| --- | --- |
| -32700 | The message is not valid JSON. |
| -32600 | The message is valid JSON but not a valid request. |
| -32601 | Unknown method or tool; \`data.suggestion\` is the closest tool name. |
`;
}

/** The page `docs/errors.md`. */
export function errorsPage(): string {
  const rows = Object.entries(errorCatalogue);
  const summary = table(
    ['`error.kind`', '`error.code`', '`errorCode`', 'Retryable'],
    rows.map(([kind, { code: name, errorCode = name }]) => [
      `[${kind}](#${kind.toLowerCase()})`,
      code(name),
      code(errorCode),
      isRetryable(name) ? 'yes' : 'no',
    ]),
  );
  const sections = rows.map(
    ([kind, row]) => `### ${kind}\n\n${quote(sentence(row.message))}\n\n${withToolNames(row.hints, (tool) => tool)}\n`,
  );
  return [introduction(), '## Codes\n', summary, '## Messages and hints\n', ...sections].join('\n');
}

/** The message with placeholders in place of the details. */
function sentence(message: (details: never) => string): string {
  const details = new Proxy({}, { get: (_, name) => placeholder(`{${String(name)}}`) });
  return String(Reflect.apply(message, undefined, [details]));
}

/** Prints as `name` when a message uses it as a string, a number or a list. */
function placeholder(name: string): object {
  return Object.assign([name], { toJSON: () => name });
}
