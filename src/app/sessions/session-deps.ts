import { tmpdir } from 'node:os';
import type { BrowserHost } from '../../browser/host.ts';
import { isNetworkDriver } from '../../call/binding.ts';
import type { Config } from '../../config/schema/schema.ts';
import type { EventBus } from '../../events/bus.ts';
import type { Logger } from '../../log.ts';
import type { Secrets } from '../../policy/secrets.ts';
import { loadAgentSource } from '../../session/agent/agent-source.ts';
import type { FilePlace } from '../../session/files/session-files.ts';
import { Workspace } from '../../session/files/workspace.ts';
import { contextPreparer, initPages } from '../../session/navigation/init-pages.ts';
import type { Session, SessionIdentity } from '../../session/session.ts';
import { defaultName } from '../../session/store.ts';
import { backendFor } from '../compat.ts';
import type { KeyRules } from '../key-rules.ts';
import type { WatchedFiles } from '../resources.ts';
import { sessionListener } from './session-events.ts';

/** Every session has a folder for files with generated names, except the default session of a local caller. */
function placeFor({ id, name, owner }: SessionIdentity): FilePlace {
  const isRemote = isNetworkDriver(owner);
  return isRemote || name !== defaultName ? { folder: `${name}-${id.slice(0, 8)}`, isRemote } : { isRemote };
}

export interface SessionParts {
  readonly host: BrowserHost;
  readonly log: Logger;
  readonly cwd: string;
  readonly secrets: Secrets;
  readonly rules: KeyRules;
  readonly files: WatchedFiles;
  readonly events: EventBus;
  readonly dismissesDialogs: boolean;
}

export function sessionDeps(
  config: Config,
  { host, log, cwd, secrets, rules, files, events, dismissesDialogs }: SessionParts,
): ConstructorParameters<typeof Session>[1] {
  const { outputDir, screenshotDir, outputMaxSize: maxBytes, timeouts, browser } = config;
  const { maxDownloadSize } = config.security;
  const backend = backendFor(config, cwd);
  return {
    host,
    log,
    timeouts: { action: timeouts.action, navigation: timeouts.navigation },
    queueLimit: config.session.queueLimit,
    maxTabs: config.session.maxTabs,
    tabs: {
      format: config.snapshot.format,
      testIdAttribute: config.testIdAttribute,
      times: { settle: timeouts.settle, load: timeouts.load, navigation: timeouts.navigation },
      dismissesDialogs,
      watchesOnly: backend !== undefined,
    },
    backend,
    rules,
    workspace: new Workspace({
      cwd,
      paths: config.filePaths,
      isUnrestricted: config.allowUnrestrictedFileAccess,
      // The specification of these tools saves screenshots anywhere.
      ...(config.toolsets.includes('basic') ? { temporaryDir: tmpdir() } : {}),
      ...(config.allowHiddenFiles ? { uploadsHidden: true } : {}),
      ...(config.uploadRoot === undefined ? {} : { uploadRoot: config.uploadRoot }),
      redact: (text) => secrets.redact(text),
      redactName: (name) => secrets.redactName(name),
      ...(outputDir === undefined ? {} : { outputDir }),
      ...(screenshotDir === undefined ? {} : { screenshotDir }),
      ...(browser.downloadPath === undefined ? {} : { downloadDir: browser.downloadPath }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    }),
    artifacts: files.artifacts,
    changes: sessionListener(files.changes, events),
    placeFor,
    downloads: { fileBytes: maxDownloadSize, sessionBytes: 5 * maxDownloadSize, waitMs: timeouts.load },
    prepareContext: contextPreparer(
      loadAgentSource,
      browser.initScript,
      backend === undefined ? { timeouts } : undefined,
      cwd,
    ),
    preparePage: initPages(browser.initPage, cwd),
  };
}
