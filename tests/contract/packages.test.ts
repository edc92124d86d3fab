import { readFileSync } from 'node:fs';
import { validateManifest } from '@anthropic-ai/mcpb';
import { describe, expect, test, vi } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../src/config/load.ts';
import { packageFiles } from '../../src/docs/packages/files.ts';
import { cursorLink, installLinks, vsCodeLink } from '../../src/docs/packages/install-links.ts';
import { offeredOptions } from '../../src/docs/packages/offered-options.ts';
import { withSection } from '../../src/docs/markdown.ts';
import { root } from '../built.ts';

const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');
const project = z
  .looseObject({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.string(),
    mcpName: z.string(),
    keywords: z.array(z.string()),
    engines: z.object({ node: z.string() }),
    repository: z.looseObject({ url: z.string() }),
  })
  .parse(JSON.parse(read('package.json')));
const files = packageFiles(project);
const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? '';

test.each(files)('$path is generated from package.json and the tables of options and clients', async (file) => {
  await expect(file.text).toMatchFileSnapshot(`../../${file.path}`);
});

test('the install links in README.md are generated', async () => {
  await expect(withSection(read('README.md'), 'install', installLinks())).toMatchFileSnapshot('../../README.md');
});

test('the lock file has the version of package.json', () => {
  const { version } = JSON.parse(read('package-lock.json'));
  expect(version).toBe(project.version);
});

describe('server.json', () => {
  const input = z.looseObject({
    name: z.string().regex(/^PAGEHELM_[A-Z_]+$/),
    description: z.string().min(1),
    format: z.enum(['string', 'number', 'boolean', 'filepath']),
    isRequired: z.boolean(),
    choices: z.array(z.string()).optional(),
  });
  const entry = {
    runtimeHint: z.enum(['npx', 'docker']).optional(),
    runtimeArguments: z
      .array(z.strictObject({ type: z.literal('positional'), value: z.string().startsWith('-') }))
      .optional(),
    transport: z.strictObject({ type: z.literal('stdio') }),
    environmentVariables: z.array(input).optional(),
  };
  const exactVersion = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  const release = new RegExp(String.raw`^https://github\.com/[\w-]+/[\w-]+/releases/download/v[\d.]+/[\w.-]*\.mcpb$`);

  /** What the registry requires of the fields that are used here: its schema of 2025-12-11 and its rules for each type of package. */
  const registryRules = z.strictObject({
    $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: exactVersion.max(255),
    repository: z.strictObject({ url: z.url({ protocol: /^https$/ }), source: z.literal('github') }),
    packages: z.array(
      z.discriminatedUnion('registryType', [
        z.strictObject({ ...entry, registryType: z.literal('npm'), identifier: z.string(), version: exactVersion }),
        // The version of an image is its tag; a second one is refused.
        z.strictObject({
          ...entry,
          registryType: z.literal('oci'),
          identifier: z.string().regex(/^ghcr\.io\/[a-z-]+\/[a-z-]+:[\d.]+$/),
        }),
        // Without the hash it would be refused: scripts/bundle.mjs adds it.
        z.strictObject({ ...entry, registryType: z.literal('mcpb'), identifier: z.string().regex(release) }),
      ]),
    ),
  });

  test('has what the registry requires', () => {
    const server = registryRules.parse(JSON.parse(textOf('server.json')));
    expect(server.name).toBe(project.mcpName);
    expect(server.packages.map(({ registryType }) => registryType)).toEqual(['npm', 'oci', 'mcpb']);
  });

  test('belongs to the image by its label', () => {
    expect(textOf('packaging/docker/Dockerfile')).toContain(
      `LABEL io.modelcontextprotocol.server.name="${project.mcpName}"`,
    );
  });
});

describe('the options of the dialog', () => {
  test('are variables that the server reads, and their initial values are valid', () => {
    const env = Object.fromEntries(offeredOptions().map(({ variable, initial }) => [variable, String(initial)]));
    const { config, warnings } = loadConfig({ argv: [], env, cwd: '/' });
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({ readOnly: false, browser: { headless: false, type: 'chromium' } });
    expect(config.security).not.toHaveProperty('allowedDomains', expect.anything());
  });

  test('make a manifest that @anthropic-ai/mcpb accepts', () => {
    const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      expect(validateManifest(`${root}packaging/mcpb/manifest.json`)).toBe(true);
    } finally {
      lines.mockRestore();
    }
  });
});

describe('the install links', () => {
  test('contain the server', () => {
    const server = { command: 'npx', args: ['-y', 'pagehelm'] };
    const vsCode = new URL(vsCodeLink()).searchParams;
    expect([vsCode.get('name'), JSON.parse(vsCode.get('config') ?? '')]).toEqual(['pagehelm', server]);
    const cursor = new URL(cursorLink()).searchParams;
    const config = Buffer.from(cursor.get('config') ?? '', 'base64').toString();
    expect([cursor.get('name'), JSON.parse(config)]).toEqual(['pagehelm', server]);
  });
});

describe('the files for Docker', () => {
  const compose = parseYaml(textOf('packaging/docker/compose.yaml'));
  const profile = JSON.parse(textOf('packaging/docker/seccomp.json'));
  const names = z.array(z.string()).parse(profile.syscalls[0].names);

  test('run the server with the sandbox, without rights, on the loopback address', () => {
    expect(compose.services.pagehelm).toMatchObject({
      ports: ['127.0.0.1:8931:8931'],
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true', 'seccomp=./seccomp.json'],
      environment: { PAGEHELM_SANDBOX: 'true' },
    });
    const argv = compose.services.pagehelm.command;
    const env = { PAGEHELM_API_KEY: 'x'.repeat(32), PAGEHELM_SANDBOX: 'true' };
    expect(loadConfig({ argv, env, cwd: '/' }).config.server).toMatchObject({ port: 8931, host: '0.0.0.0' });
    const dockerfile = textOf('packaging/docker/Dockerfile');
    expect(dockerfile).toMatch(/^USER 10001:10001$/m);
    const variables = [...dockerfile.matchAll(/PAGEHELM_\w+(?==)/g)].map(([name]) => name);
    expect(variables).toEqual(['PAGEHELM_HEADLESS', 'PAGEHELM_OUTPUT_DIR']);
  });

  test('allow what the sandbox of Chromium needs and nothing that only administrators need', () => {
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
    expect(names).toEqual([...new Set(names)].sort());
    for (const name of ['clone', 'unshare', 'chroot', 'seccomp', 'setresuid', 'setgroups']) {
      expect(names).toContain(name);
    }
    const dangerous =
      'mount umount2 pivot_root setns ptrace process_vm_readv bpf perf_event_open init_module kexec_load io_uring_setup userfaultfd keyctl add_key open_by_handle_at reboot swapon settimeofday';
    expect(dangerous.split(' ').filter((name) => names.includes(name))).toEqual([]);
  });
});
