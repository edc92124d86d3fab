import { errorCatalogue, isRetryable } from '../errors.ts';
import { code, quote, table } from './markdown.ts';

const introduction = `# Errors

A failure of a tool is a result with \`isError: true\`. Its text says what went wrong and what to do next:

\`\`\`
### Error
[STALE_REF] The element of ref "e12" (button "Save") may no longer exist: the page has changed since it was shown.
Take a new browser_snapshot and use a ref from it.
\`\`\`

Its \`structuredContent\` says the same to programs:

\`\`\`json
{
  "success": false,
  "errorCode": "ELEMENT_NOT_FOUND",
  "message": "…",
  "sessionId": "…",
  "details": { "ref": "e12" },
  "error": {
    "code": "ELEMENT_NOT_FOUND",
    "kind": "STALE_REF",
    "message": "…",
    "details": { "ref": "e12" },
    "retryable": false,
    "suggestion": "Take a new browser_snapshot and use a ref from it."
  }
}
\`\`\`

\`error.kind\` is the most exact name, and the one in the text. \`error.code\` and \`errorCode\` are the names that other
servers’ clients know: several kinds share one. \`retryable\` means that the same call may succeed later unchanged.
\`sessionId\` is there when the call had found its session. Names in braces below stand for values, which \`details\` has too.

Requests that reach no tool are answered with a JSON-RPC error instead:

| code | when |
| --- | --- |
| -32700 | the message is not JSON |
| -32600 | it is JSON, but not a message of the protocol |
| -32601 | there is no such method, or no such tool; \`data.suggestion\` names the nearest tool |
`;

/** The page `docs/errors.md`. */
export function errorsPage(): string {
  const rows = Object.entries(errorCatalogue);
  const summary = table(
    ['`error.kind`', '`error.code`', '`errorCode`', 'retryable'],
    rows.map(([kind, { code: name, errorCode = name }]) => [
      `[${kind}](#${kind.toLowerCase()})`,
      code(name),
      code(errorCode),
      isRetryable(name) ? 'yes' : 'no',
    ]),
  );
  const sections = rows.map(([kind, row]) => `### ${kind}\n\n${quote(sentence(row.message))}\n\n${row.hint}\n`);
  return [introduction, '## All errors\n', summary, '## What they say\n', ...sections].join('\n');
}

/** An error's sentence with the names of its details in the place of their values. */
function sentence(message: (details: never) => string): string {
  const details = new Proxy({}, { get: (_, name) => placeholder(`{${String(name)}}`) });
  return String(Reflect.apply(message, undefined, [details]));
}

/** Reads as its name, whether a sentence takes it for a text, a number or a list. */
function placeholder(name: string): object {
  return Object.assign([name], { toJSON: () => name });
}
