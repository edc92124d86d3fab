import { bundleName, imageName, repositoryUrl } from './project.ts';
import type { Project } from './project.ts';
import { offeredOptions } from './offered-options.ts';

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** The registry accepts at most 100 characters. */
const description = 'A browser for AI agents: open pages, read them as short text, click and type.';

/** The entry for the MCP registry. The release adds the hash of the bundle, which the registry requires. */
export function serverJson(project: Project): object {
  const { name, version, mcpName } = project;
  const environmentVariables = offeredOptions().map(({ variable, description: text, type, choices }) => ({
    name: variable,
    description: text,
    format: type === 'directory' ? 'filepath' : type,
    isRequired: false,
    ...(choices.length === 0 ? {} : { choices }),
  }));
  const transport = { type: 'stdio' };
  return {
    $schema: schema,
    name: mcpName,
    title: name,
    description,
    version,
    repository: { url: repositoryUrl(project), source: 'github' },
    packages: [
      { registryType: 'npm', identifier: name, version, runtimeHint: 'npx', transport, environmentVariables },
      {
        registryType: 'oci',
        identifier: `${imageName(project)}:${version}`,
        runtimeHint: 'docker',
        runtimeArguments: ['--init', '--shm-size=1g'].map((value) => ({ type: 'positional', value })),
        transport,
        // The image has a browser of one kind, without a display, and a folder for its files.
        environmentVariables: environmentVariables.filter(({ name: variable }) => /DOMAINS|READ_ONLY/.test(variable)),
      },
      {
        registryType: 'mcpb',
        identifier: `${repositoryUrl(project)}/releases/download/v${version}/${bundleName(project)}`,
        transport,
      },
    ],
  };
}
