import { repositoryUrl } from './project.ts';
import type { Project } from './project.ts';
import { offeredOptions } from './offered-options.ts';

/** The manifest of the bundle (`.mcpb`) that Claude Desktop installs, with the options of its dialog. */
export function bundleManifest(project: Project): object {
  const { name, version, description, license, keywords, engines } = project;
  const options = offeredOptions();
  return {
    manifest_version: '0.4',
    name,
    version,
    description,
    author: { name, url: repositoryUrl(project) },
    repository: { type: 'git', url: repositoryUrl(project) },
    documentation: `${repositoryUrl(project)}/blob/v${version}/docs/clients.md`,
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: 'dist/bin.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/bin.js'],
        env: Object.fromEntries(options.map(({ variable, key }) => [variable, `\${user_config.${key}}`])),
      },
    },
    // Tools and prompts depend on the options.
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
    user_config: Object.fromEntries(
      options.map(({ key, title, description: text, type, initial, choices }) => [
        key,
        {
          type,
          title,
          description: choices.length === 0 ? text : `${text} One of ${choices.join(', ')}.`,
          required: false,
          default: initial,
        },
      ]),
    ),
  };
}
