/** One form of resource URI. */
export interface ResourceForm {
  readonly kind: string;
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  /** Absent if it depends on the file. */
  readonly mimeType?: string;
  /** What `metadata` has. */
  readonly metadata?: string;
  /** The resource is offered if one of these tools is; always, if there are none. */
  readonly shownBy?: readonly string[];
}

const json = 'application/json';
const elementTools = ['browser_snapshot', 'browser_find', 'find_element', 'find_elements'];
const requestTools = ['browser_network_requests', 'get_request_log'];

/** Every form of resource that the server has. Templates, documentation and reads follow this table. */
export const resourceForms: readonly ResourceForm[] = [
  {
    kind: 'session',
    uriTemplate: 'playwright:///session/{sessionId}',
    name: 'Session',
    description: 'A browser session: its name, lifetime and pages.',
    mimeType: json,
    metadata: '`name`, `isActive`, `createdAt`, `expiresAt?`, `pageCount`, `pages`',
  },
  {
    kind: 'page',
    uriTemplate: 'playwright:///page/{sessionId}',
    name: 'Pages of a session',
    description: 'The open pages of a session.',
    mimeType: json,
  },
  {
    kind: 'page',
    uriTemplate: 'playwright:///page/{sessionId}/{pageId}',
    name: 'Page',
    description: 'An open page. Subscribers are notified of navigation and load.',
    mimeType: json,
    metadata: '`url`, `title`, `viewport {width, height}`, `createdAt`',
  },
  {
    kind: 'element',
    uriTemplate: 'playwright:///element/{sessionId}/{pageId}/{elementId}',
    name: 'Element',
    description: 'An element of a page, by the ref of a snapshot.',
    mimeType: json,
    metadata: '`selector`, `tagName`, `attributes`, `boundingBox? {x, y, width, height}`',
    shownBy: elementTools,
  },
  {
    kind: 'element',
    uriTemplate: 'playwright:///element/{sessionId}/{pageId}{?selector}',
    name: 'Elements',
    description: 'The elements of a page that match a selector, at most 50.',
    mimeType: json,
    shownBy: elementTools,
  },
  {
    kind: 'snapshot',
    uriTemplate: 'playwright:///snapshot/{sessionId}/{pageId}',
    name: 'Snapshot',
    description: 'The page as text, with refs.',
    mimeType: 'text/yaml',
    shownBy: ['browser_snapshot'],
  },
  {
    kind: 'network-log',
    uriTemplate: 'playwright:///network-log/{sessionId}/{pageId}',
    name: 'Network log',
    description: 'The requests of a page.',
    mimeType: json,
    metadata: '`requestCount`, `responseCount`, `errorCount`',
    shownBy: requestTools,
  },
  {
    kind: 'console-log',
    uriTemplate: 'playwright:///console-log/{sessionId}/{pageId}',
    name: 'Console log',
    description: 'The console messages and uncaught errors of a page.',
    mimeType: json,
    metadata: '`messageCount`, `errorCount`, `warningCount`',
    shownBy: ['browser_console_messages'],
  },
  {
    kind: 'screenshot',
    uriTemplate: 'playwright:///screenshot/{sessionId}',
    name: 'Screenshots of a session',
    description: 'The screenshots of a session. The files of every other kind are listed in the same way.',
    mimeType: json,
  },
  {
    kind: 'screenshot',
    uriTemplate: 'playwright:///screenshot/{sessionId}/{pageId}/{timestamp}{?offset,length}',
    name: 'Screenshot',
    description: 'A screenshot that was saved.',
    metadata: '`width`, `height`, `fullPage`, `capturedAt`',
  },
  file('snapshot', 'Saved snapshot', 'A snapshot that was saved to a file.', 'text/yaml'),
  file('network-log', 'Saved requests', 'A list of requests that was saved to a file.', 'text/plain'),
  file('console-log', 'Saved messages', 'Console messages that were saved to a file.', 'text/plain'),
  file('download', 'Download', 'A file that a page downloaded.'),
  file('pdf', 'PDF', 'A page that was saved as PDF.', 'application/pdf'),
  file('file', 'File', 'Another file that a tool wrote: the result of a script, or the body of a response.'),
  sessionFile('storage-state', 'Storage state', 'Cookies and storage of a session that were saved.', json),
  {
    ...sessionFile(
      'trace',
      'Trace',
      'A recording of a session, for the trace viewer of Playwright.',
      'application/zip',
    ),
    shownBy: ['browser_stop_tracing'],
  },
];

function file(kind: string, name: string, description: string, mimeType?: string): ResourceForm {
  const uriTemplate = `playwright:///${kind}/{sessionId}/{pageId}/{timestamp}{?offset,length}`;
  return {
    kind,
    uriTemplate,
    name,
    description,
    metadata: '`capturedAt`',
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

function sessionFile(kind: string, name: string, description: string, mimeType: string): ResourceForm {
  const uriTemplate = `playwright:///${kind}/{sessionId}/{timestamp}{?offset,length}`;
  return { kind, uriTemplate, name, description, mimeType, metadata: '`capturedAt`' };
}

/** Whether the tools that a client is offered allow a resource. */
export function isOffered({ shownBy }: Pick<ResourceForm, 'shownBy'>, offers: (tool: string) => boolean): boolean {
  return shownBy === undefined || shownBy.some((tool) => offers(tool));
}

/** The form of a live resource. */
export function liveForm(kind: string): ResourceForm | undefined {
  return resourceForms.find((form) => form.uriTemplate === `playwright:///${kind}/{sessionId}/{pageId}`);
}
