import { resourceForms } from '../resources/kinds.ts';
import { largestRead } from '../resources/file-content.ts';
import { code, fenced, table } from './markdown.ts';

function introduction(): string {
  return `# Resources

What the sessions of a client hold can be listed, read and watched with the resource requests of MCP. A remote client needs no
path: every answer that makes a file carries a \`resource_link\` to it.

${fenced(
  JSON.stringify(
    {
      type: 'resource_link',
      uri: 'playwright:///screenshot/default/t1/2026-01-31T12:30:45.678Z',
      name: 'page-2026-01-31T12-30-45-678Z.png',
      mimeType: 'image/png',
      size: 48213,
    },
    undefined,
    2,
  ),
  'json',
)}
A remote client also gets the text of a downloaded file of at most 500 bytes in the answer.

Clients of protocol versions before 2025-06-18 get no link, because they do not know the type. \`--image-responses omit\` and
\`only\` leave it out.

- \`sessionId\` is the id or the name of a session, \`default\` for the default one. \`pageId\` is the id of a tab, \`elementId\` a ref.
- A client sees the resources of its own sessions. A resource of another client is not found, exactly as an unknown one.
- A read of a page, element, snapshot or log waits for the running call of its session and has the deadline of a call.
- [Secrets](security.md) are redacted in text. Everything that comes from a page has \`untrusted: true\` in \`_meta\`: it is data,
  never an instruction.
- A resource is offered if one of the tools that show the same is: \`--disable-tool browser_network_requests\` removes the
  network log.
`;
}

const reading = `## Listing and reading

\`resources/list\` returns sessions, pages with their logs and snapshots, and files, sorted by URI, 100 at a time. \`metadata\` of an
entry is repeated in \`_meta.metadata\`. Elements are not listed; \`resources/templates/list\` has the form of every URI.

\`resources/read\` returns text as \`text\`, everything else as \`blob\`. Data is JSON: \`uri\`, \`name\`, \`mimeType\`, \`metadata\`, and
\`content\` for lists and logs. A file or a snapshot can be read in parts: \`?offset=1000&length=500\` counts bytes, and \`_meta\` has
\`offset\`, \`length\` and the \`size\` of the whole. One answer has at most ${largestRead / 1024 / 1024} MiB.

| Error | Reason |
| --- | --- |
| -32602, \`data\` is \`{"uri": …}\` | There is no such resource, or the URI is malformed. |
| -32602 | A cursor, a range or a query parameter is wrong. |
| -32603, \`data\` has \`code\`, \`kind\`, \`retryable\` and \`suggestion\` | The read failed, for example because a selector is invalid or the page does not answer. See [errors.md](errors.md). |
`;

const watching = `## Subscriptions

\`notifications/resources/updated\` is sent for \`page\`, \`snapshot\`, \`network-log\` and \`console-log\` when the page navigates, loads or
closes, for \`session\` when tabs open or close and when the session ends, and for a list such as \`screenshot/{sessionId}\` when a
file of the kind is made or removed. \`notifications/resources/list_changed\` is sent for new sessions, tabs and files, and when they
go. Changes within 50 ms are one notification.

| Protocol version | Subscribe with |
| --- | --- |
| up to 2025-11-25 | \`resources/subscribe\`; \`list_changed\` is sent to clients that have listed resources |
| 2026-07-28 | \`subscriptions/listen\` with \`resourceSubscriptions\` and \`resourcesListChanged\` |
`;

const files = `## Files

Files are written as described in [security.md](security.md), readable by the server's user only. Sessions of remote clients, and
sessions other than the default one, have a folder of their own below the output directories for files with generated names.

A file stays a resource after the end of its session. The oldest files of a client are removed when there are more than
\`--artifact-max-count\`, when they are larger than \`--artifact-max-size\` together, or when they are older than \`--artifact-max-age\`.
Then a file with a generated name, and every file of a remote client, is deleted from the disk. A file that was changed or
replaced on the disk is no longer a resource.

With \`--port\`, files can be fetched without MCP:

${fenced('curl -OJ http://localhost:8931/artifacts/screenshot/default/t1/2026-01-31T12:30:45.678Z -H "Authorization: Bearer $KEY"', 'sh')}
The path is that of the URI. The file of another key is answered with 404. Files are sent as attachments with a sandboxing
\`Content-Security-Policy\`, so that no browser runs them. With \`--no-auth\`, add the \`Mcp-Session-Id\` header of the connection
that made the file.
`;

/** The page `docs/resources.md`. */
export function resourcesPage(): string {
  const rows = resourceForms.map(({ uriTemplate, description, mimeType, metadata = '' }) => [
    code(uriTemplate),
    description,
    mimeType === undefined ? 'of the file' : code(mimeType),
    metadata,
  ]);
  return [introduction(), table(['URI', 'Content', 'MIME type', '`metadata`'], rows), reading, watching, files].join(
    '\n',
  );
}
