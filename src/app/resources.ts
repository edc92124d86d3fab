import type { Config } from '../config/schema/schema.ts';
import type { ResourceService } from '../mcp/serve-resources.ts';
import { ResourceChanges } from '../resources/changes.ts';
import type { ResourceDeps, Resources } from '../resources/resources.ts';
import { ArtifactStore } from '../session/files/artifacts.ts';
import type { Clock } from '../session/store.ts';

/** The files of all sessions, and who is notified of changes to them and to pages. */
export interface WatchedFiles extends Disposable {
  readonly artifacts: ArtifactStore;
  readonly changes: ResourceChanges;
}

export function watchedFiles(config: Config, clock: Clock): WatchedFiles {
  const { maxSize, maxCount, maxAge } = config.artifacts;
  const changes = new ResourceChanges(clock);
  const artifacts = new ArtifactStore({
    limits: { maxBytes: maxSize, maxCount, maxAgeMs: maxAge },
    now: Date.now,
    after: (ms, run) => clock.after(ms, run),
    onChange: (owner, files) => changes.filesChanged(owner, files),
  });
  return {
    artifacts,
    changes,
    [Symbol.dispose]: () => {
      artifacts[Symbol.dispose]();
      changes[Symbol.dispose]();
    },
  };
}

/** The resources, loaded on first use: most clients never list them. */
export function resourcesOf(
  { artifacts, changes }: WatchedFiles,
  deps: Omit<ResourceDeps, 'artifacts'>,
): ResourceService {
  let loading: Promise<Resources> | undefined;
  const load = async (): Promise<Resources> => {
    const loaded = await import('../resources/resources.ts');
    return new loaded.Resources({ ...deps, artifacts });
  };
  return { changes, load: async () => (loading ??= load()) };
}
