import type { ApiKey } from '../config/schema/keys.ts';
import type { CommandEndpoint } from './commands.ts';
import type { NetworkDeps, NetworkEndpoint } from './network.ts';

/** What an app serves besides one connection. */
export interface Endpoints {
  /** What the network transports serve to the holders of these keys; called before a browser starts. */
  network(keys?: readonly ApiKey[]): Promise<NetworkEndpoint>;
  /** What the commands of a daemon use; texts refer to tools by the given names. */
  commands(nameOf: (tool: string) => string | undefined): Promise<CommandEndpoint>;
}

/** The parts of an app that only some servers need, loaded when they are. */
export function endpointsOf(parts: Omit<NetworkDeps, 'vocabularies'>): Endpoints {
  return {
    network: async (keys = []) => {
      parts.rules.replace(keys);
      const { networkEndpoint } = await import('./network.ts');
      return networkEndpoint({ ...parts, ...(await import('../tools/vocabularies/index.ts')) });
    },
    commands: async (nameOf) => {
      const { commandEndpoint } = await import('./commands.ts');
      return commandEndpoint({ ...parts, nameOf, ...(await import('../tools/vocabularies/index.ts')) });
    },
  };
}
