import { skillStub } from '../../cli/skill/skill-text.ts';
import { bundleManifest } from './bundle-manifest.ts';
import { marketplaceJson, pluginFolder, pluginJson, pluginServers } from './claude-plugin.ts';
import { clientsPage } from './clients-page.ts';
import { chartFiles } from './cluster/chart.ts';
import { clusterCompose } from './cluster/compose.ts';
import { haproxyConfig } from './cluster/haproxy.ts';
import { composeFile, dockerfile } from './docker.ts';
import { json } from './project.ts';
import type { PackageFile, Project } from './project.ts';
import { seccompProfile } from './seccomp.ts';
import { serverJson } from './server-json.ts';

/** Every file that is generated from package.json and the tables of options and clients. */
export function packageFiles(project: Project): readonly PackageFile[] {
  return [
    { path: 'server.json', text: json(serverJson(project)) },
    { path: 'packaging/mcpb/manifest.json', text: json(bundleManifest(project)) },
    { path: '.claude-plugin/marketplace.json', text: json(marketplaceJson(project)) },
    { path: `${pluginFolder}/.claude-plugin/plugin.json`, text: json(pluginJson(project)) },
    { path: `${pluginFolder}/.mcp.json`, text: json(pluginServers(project)) },
    { path: `${pluginFolder}/skills/pagehelm/SKILL.md`, text: skillStub },
    { path: 'packaging/docker/Dockerfile', text: dockerfile(project) },
    { path: 'packaging/docker/compose.yaml', text: composeFile(project) },
    { path: 'packaging/docker/seccomp.json', text: json(seccompProfile()) },
    { path: 'packaging/compose/cluster.yaml', text: clusterCompose(project) },
    { path: 'packaging/compose/haproxy.cfg', text: haproxyConfig() },
    ...chartFiles(project),
    { path: 'docs/clients.md', text: clientsPage(project) },
  ];
}
