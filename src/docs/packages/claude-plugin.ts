import { repositoryUrl } from './project.ts';
import type { Project } from './project.ts';

/** Where the plugin is in the repository. */
export const pluginFolder = 'packaging/claude-plugin';

/** The plugin of Claude Code: the MCP server, and the skill for the command line beside it. */
export function pluginJson(project: Project): object {
  const { name, version, description, license, keywords } = project;
  const homepage = repositoryUrl(project);
  return { name, version, description, author: { name }, homepage, repository: homepage, license, keywords };
}

/** The servers of the plugin. */
export function pluginServers({ name, version }: Project): object {
  return { mcpServers: { [name]: { command: 'npx', args: ['-y', `${name}@${version}`] } } };
}

/** Makes the repository a marketplace: `/plugin marketplace add <owner>/<repository>`. */
export function marketplaceJson({ name, description }: Project): object {
  return { name, owner: { name }, plugins: [{ name, source: `./${pluginFolder}`, description, category: 'browser' }] };
}
