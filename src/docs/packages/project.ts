/** What package.json says about the project. */
export interface Project {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly mcpName: string;
  readonly keywords: readonly string[];
  readonly engines: { readonly node: string };
  readonly repository: { readonly url: string };
}

/** A file that is generated for a client, a registry or a package format. */
export interface PackageFile {
  readonly path: string;
  readonly text: string;
}

/** The address of the repository for people, without the form that npm wants. */
export function repositoryUrl({ repository }: Project): string {
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** `owner/name` of the repository. */
export function repositoryPath(project: Project): string {
  return new URL(repositoryUrl(project)).pathname.slice(1);
}

/** The image of a version, without its tag. */
export function imageName(project: Project): string {
  return `ghcr.io/${repositoryPath(project)}`;
}

/** The file name of the bundle for Claude Desktop. */
export function bundleName({ name, version }: Project): string {
  return `${name}-${version}.mcpb`;
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
