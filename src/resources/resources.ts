import type { CallOrigin, SessionBinding } from '../call/binding.ts';
import { toToolError } from '../browser/failure.ts';
import type { Config } from '../config/schema/schema.ts';
import { ToolError } from '../errors.ts';
import type { Secrets } from '../policy/secrets.ts';
import { redactParameters, typedIn } from '../policy/typed-secrets.ts';
import type { Artifact, ArtifactStore } from '../session/files/artifacts.ts';
import { artifactKinds } from '../session/files/artifacts.ts';
import type { Session } from '../session/session.ts';
import type { DriverSessions, SessionStore } from '../session/store.ts';
import { mapTexts } from '../util/map-texts.ts';
import { formatUri, parseUri } from '../util/resource-uri.ts';
import type { ResourceUri } from '../util/resource-uri.ts';
import { raceSignal } from '../util/signals.ts';
import { cut } from '../util/text.ts';
import { BadResourceRequest, ResourceNotFound } from './entry.ts';
import type { ResourceContent, ResourceEntry } from './entry.ts';
import { bodyOf, contentOf, rangeOf, readArtifact } from './file-content.ts';
import type { FileBody } from './file-content.ts';
import { isOffered, liveForm, resourceForms } from './kinds.ts';
import type { ResourceForm } from './kinds.ts';
import { liveKinds } from './live-kinds.ts';
import {
  liveEntry,
  pageEntry,
  readConsoleLog,
  readElement,
  readMatches,
  readNetworkLog,
  readPage,
  readSnapshot,
} from './live.ts';
import type { LiveRead } from './live.ts';

export interface ResourceDeps {
  readonly store: SessionStore;
  readonly binding: SessionBinding;
  readonly artifacts: ArtifactStore;
  readonly secrets: Secrets;
  readonly config: Config;
}

/** A client: whose resources it has, and the tools it is offered. */
export interface ResourceClient {
  readonly origin: CallOrigin;
  readonly offers: (tool: string) => boolean;
}

export interface ResourcePage {
  readonly resources: readonly ResourceEntry[];
  readonly nextCursor?: string;
}

const pageSize = 100;
const json = 'application/json';
const longestShown = 200;
/** Errors that mean that the resource does not exist (any more). */
const absent = new Set(['SESSION_NOT_FOUND', 'SESSION_EXPIRED', 'TAB_NOT_FOUND', 'REF_NOT_FOUND', 'STALE_REF']);

/** What a driver's sessions hold, as resources: pages, logs and files. */
export class Resources {
  readonly #deps: ResourceDeps;

  constructor(deps: ResourceDeps) {
    this.#deps = deps;
  }

  /** One page of the driver's resources, sorted by URI. */
  list(client: ResourceClient, cursor: string | undefined): ResourcePage {
    const after = cursor === undefined ? '' : readCursor(cursor);
    const rest = this.#entries(client)
      .filter(({ uri }) => uri > after)
      .toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
    const shown = rest.slice(0, pageSize).map((entry) => this.#shown(client, entry));
    const last = rest[pageSize - 1];
    return {
      resources: shown,
      ...(rest.length > pageSize && last !== undefined ? { nextCursor: cursorOf(last) } : {}),
    };
  }

  templates({ offers }: ResourceClient): readonly ResourceForm[] {
    return resourceForms.filter((form) => isOffered(form, offers));
  }

  /** Throws `ResourceNotFound` for everything that is not a resource of the driver. */
  async read(client: ResourceClient, uri: string, signal: AbortSignal): Promise<ResourceContent> {
    const parsed = parseUri(uri);
    if (parsed === undefined) throw notFound(uri);
    const artifact = this.#artifactOf(client, parsed);
    if (artifact !== undefined) return this.#readFile(uri, artifact, parsed);
    const { path } = parsed;
    const files = this.#filesOf(client, parsed);
    if (files !== undefined) return this.#json(client, uri, { content: files.map(fileEntry) });
    const session = this.#sessionOf(client, path[0]);
    if (session === undefined) throw notFound(uri);
    if (parsed.kind === 'session' && path.length === 1)
      return this.#json(client, uri, this.#sessionEntry(client, session));
    if (path.length === 1 && parsed.kind === 'page') {
      return this.#json(client, uri, {
        content: session.tabs.map((tab) => this.#shown(client, pageEntry(session, tab))),
      });
    }
    return this.#readLive(client, session, uri, parsed, signal);
  }

  /** Whether the URI names a resource of the driver. */
  has(client: ResourceClient, uri: string): boolean {
    const parsed = parseUri(uri);
    if (parsed === undefined) return false;
    if (this.#artifactOf(client, parsed) !== undefined || this.#filesOf(client, parsed) !== undefined) return true;
    const { kind, path, query } = parsed;
    const session = this.#sessionOf(client, path[0]);
    if (session === undefined || query.size > 0) return false;
    if (path.length === 1) return kind === 'session' || kind === 'page';
    const form = liveForm(kind);
    const isPage = path.length === 2 && session.tabs.some(({ id }) => id === path[1]);
    return isPage && form !== undefined && isOffered(form, client.offers);
  }

  /** The file of a URI, for transports that send it without the protocol; undefined if there is none. */
  async file(client: Pick<ResourceClient, 'origin'>, uri: string): Promise<FileBody | undefined> {
    const parsed = parseUri(uri);
    const artifact = parsed === undefined || parsed.query.size > 0 ? undefined : this.#artifactOf(client, parsed);
    return artifact === undefined ? undefined : bodyOf(this.#deps.artifacts, artifact, this.#deps.secrets);
  }

  #sessions(origin: CallOrigin): DriverSessions {
    return this.#deps.binding.sessionsOf(origin);
  }

  /** By id or name; never creates one. */
  #sessionOf({ origin }: Pick<ResourceClient, 'origin'>, key: string | undefined): Session | undefined {
    return this.#sessions(origin)
      .list()
      .find(({ id, name }) => id === key || name === key);
  }

  /** The file of a URI, also after the end of its session. */
  #artifactOf(client: Pick<ResourceClient, 'origin'>, { kind, path }: ResourceUri): Artifact | undefined {
    const [key = '', ...rest] = path;
    const session = this.#sessionOf(client, key)?.uriId ?? key;
    return this.#deps.artifacts.find(client.origin.driver, { kind, path: [session, ...rest] });
  }

  /** The files of one kind, if the URI names their list. After the end of the session, only if there are some. */
  #filesOf(client: ResourceClient, { kind, path, query }: ResourceUri): readonly Artifact[] | undefined {
    const [key = ''] = path;
    if (path.length > 1 || query.size > 0 || !isArtifactKind(kind)) return undefined;
    const session = this.#sessionOf(client, key)?.uriId;
    const files = this.#deps.artifacts
      .list(client.origin.driver)
      .filter((file) => file.kind === kind && file.session === (session ?? key));
    return session === undefined && files.length === 0 ? undefined : files;
  }

  #entries(client: ResourceClient): readonly ResourceEntry[] {
    const { origin, offers } = client;
    const live = liveKinds.filter((kind) => isOffered(liveForm(kind) ?? {}, offers));
    const sessions = this.#sessions(origin).list();
    return [
      ...sessions.map((session) => this.#sessionEntry(client, session)),
      ...sessions.flatMap((session) =>
        session.tabs.flatMap((tab) =>
          live.map((kind) => (kind === 'page' ? pageEntry(session, tab) : liveEntry(kind, session, tab))),
        ),
      ),
      ...this.#deps.artifacts.list(origin.driver).map(fileEntry),
    ];
  }

  #sessionEntry({ origin }: ResourceClient, session: Session): ResourceEntry {
    const sessions = this.#sessions(origin);
    const { createdAt, leftMs } = sessions.life(session);
    return {
      uri: formatUri('session', [session.uriId]),
      name: session.name,
      description: 'A browser session',
      mimeType: json,
      metadata: {
        name: session.name,
        isActive: sessions.isActive(session),
        createdAt: createdAt.getTime(),
        ...(leftMs === undefined ? {} : { expiresAt: Math.round(Date.now() + leftMs) }),
        pageCount: session.dormant?.tabs.length ?? session.tabs.length,
        pages: session.tabs.map(({ id }) => formatUri('page', [session.uriId, id])),
      },
    };
  }

  async #readFile(uri: string, artifact: Artifact, parsed: ResourceUri): Promise<ResourceContent> {
    checkKeys(parsed, ['offset', 'length']);
    const { artifacts, secrets } = this.#deps;
    const content = await readArtifact(artifacts, artifact, rangeOf(parsed), secrets);
    if (content === undefined) throw notFound(uri);
    return { uri, ...content, _meta: { ...untrusted, ...content._meta } };
  }

  async #readLive(
    client: ResourceClient,
    session: Session,
    uri: string,
    parsed: ResourceUri,
    signal: AbortSignal,
  ): Promise<ResourceContent> {
    const reader = readerOf(parsed);
    const tab = session.tabs.find(({ id }) => id === parsed.path[1]);
    if (reader === undefined || tab === undefined || !isOffered(reader.form, client.offers)) throw notFound(uri);
    checkKeys(parsed, reader.keys);
    const redact = (text: string): string => this.#redact(client, text);
    const read = await this.#inQueue(
      { session, tab, redact, selector: parsed.query.get('selector') },
      uri,
      signal,
      reader.read,
    );
    if (typeof read !== 'string') return this.#json(client, uri, read);
    const text = Buffer.from(redact(read));
    return { uri, mimeType: reader.form.mimeType ?? json, ...contentOf(text, true, rangeOf(parsed), untrusted) };
  }

  /** Runs as a call does: after pending calls, until the deadline of a call. */
  async #inQueue<T>(
    { session, tab, redact, selector }: Pick<LiveRead, 'session' | 'tab' | 'redact'> & { selector: string | undefined },
    uri: string,
    given: AbortSignal,
    run: (read: LiveRead) => Promise<T> | T,
  ): Promise<T> {
    const { config, store } = this.#deps;
    const { timeouts } = config;
    const deadline = AbortSignal.timeout(timeouts.call);
    const signal = AbortSignal.any([given, deadline]);
    try {
      return await session.exclusive(signal, async () => {
        // It may have been closed while the read waited.
        if (!session.tabs.includes(tab)) throw notFound(uri);
        return raceSignal(Promise.resolve(run({ session, tab, timeouts, redact, signal })), signal);
      });
    } catch (error) {
      if (error instanceof ResourceNotFound) throw error;
      if (deadline.aborted && !given.aborted) throw new ToolError('TIMEOUT', { what: 'The read', ms: timeouts.call });
      const aim = selector === undefined ? {} : { selector };
      const known = toToolError(error, { what: 'The read', browserLost: session.isLost, ...aim });
      if (absent.has(known.code)) throw notFound(uri);
      throw known;
    } finally {
      store.touch(session);
    }
  }

  /** Redacts secrets, and typed passwords in URLs, as answers of tools do. */
  #redact({ origin }: ResourceClient, text: string): string {
    return redactParameters(this.#deps.secrets.redact(text), typedIn(this.#sessions(origin).list()));
  }

  #json(client: ResourceClient, uri: string, value: object): ResourceContent {
    const text = JSON.stringify(mapTexts(value, (each) => this.#redact(client, each)));
    return { uri, mimeType: json, text, _meta: untrusted };
  }

  #shown(client: ResourceClient, entry: ResourceEntry): ResourceEntry {
    // Only texts are replaced; the shape stays.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const shown = mapTexts(entry, (text) => this.#redact(client, text)) as ResourceEntry;
    return shown.metadata === undefined ? shown : { ...shown, _meta: { metadata: shown.metadata } };
  }
}

/** The content comes from web pages: it is data, not instructions. */
const untrusted = { untrusted: true } as const;

interface Reader {
  readonly form: ResourceForm;
  /** Keys that its query may have. */
  readonly keys: readonly string[];
  /** Text, or data for JSON. */
  readonly read: (read: LiveRead) => Promise<object | string> | object | string;
}

function readerOf({ kind, path, query }: ResourceUri): Reader | undefined {
  const [, , ref] = path;
  const selector = query.get('selector');
  if (kind === 'element') {
    const form = resourceForms.find((each) => each.kind === kind);
    if (form === undefined || (ref === undefined) === (selector === undefined)) return undefined;
    return {
      form,
      keys: ref === undefined ? ['selector'] : [],
      read: async (read) => (ref === undefined ? readMatches(read, selector ?? '') : readElement(read, ref)),
    };
  }
  const form = ref === undefined ? liveForm(kind) : undefined;
  if (form === undefined) return undefined;
  const reads: Readonly<Record<string, Pick<Reader, 'read' | 'keys'>>> = {
    page: { keys: [], read: readPage },
    'network-log': { keys: [], read: readNetworkLog },
    'console-log': { keys: [], read: readConsoleLog },
    snapshot: { keys: ['offset', 'length'], read: readSnapshot },
  };
  const own = reads[kind];
  return own === undefined ? undefined : { form, ...own };
}

function checkKeys({ query }: ResourceUri, keys: readonly string[]): void {
  const other = [...query.keys()].find((key) => !keys.includes(key));
  if (other === undefined) return;
  const known = keys.length === 0 ? 'This resource takes none.' : `Known are: ${keys.join(', ')}.`;
  throw new BadResourceRequest(`Unknown query parameter ${JSON.stringify(cut(other, 50))}. ${known}`);
}

function fileEntry({ uri, name, kind, mimeType, size, metadata, createdAt }: Artifact): ResourceEntry {
  const { description = '' } = resourceForms.findLast((form) => form.kind === kind) ?? {};
  return { uri, name, description, mimeType, size, metadata: { ...metadata, capturedAt: createdAt } };
}

function isArtifactKind(kind: string): boolean {
  return artifactKinds.some((each) => each === kind);
}

function notFound(uri: string): ResourceNotFound {
  return new ResourceNotFound(uri.slice(0, longestShown));
}

/** Opaque to clients: the last URI of the page. */
function cursorOf({ uri }: ResourceEntry): string {
  return Buffer.from(uri).toString('base64url');
}

function readCursor(cursor: string): string {
  const uri = cursor.length > 1000 ? '' : Buffer.from(cursor, 'base64url').toString();
  if (parseUri(uri) === undefined) throw new BadResourceRequest('Invalid cursor');
  return uri;
}
