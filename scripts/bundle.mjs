// @ts-check
// Packs build/<name>-<version>.mcpb from the build, and build/server.json with its hash for the MCP registry.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (/** @type {string[]} */ ...names) => join(root, ...names);
const staged = at('build', 'mcpb');
const { name, version, license } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const output = at('build', `${name}-${version}.mcpb`);

rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });
cpSync(at('packaging', 'mcpb', 'manifest.json'), join(staged, 'manifest.json'));
for (const file of ['LICENSE', 'THIRD_PARTY_NOTICES']) cpSync(at(file), join(staged, file));
// Types are for programs that use the library.
cpSync(at('dist'), join(staged, 'dist'), { recursive: true, filter: (path) => path !== at('dist', 'types') });
cpSync(at('node_modules', 'playwright-core'), join(staged, 'node_modules', 'playwright-core'), { recursive: true });
writeFileSync(join(staged, 'package.json'), JSON.stringify({ name, version, license, type: 'module' }));

rmSync(output, { force: true });
if (!(await packExtension({ extensionPath: staged, outputPath: output, silent: true }))) process.exit(1);
rmSync(staged, { recursive: true, force: true });

const server = JSON.parse(readFileSync(at('server.json'), 'utf8'));
const fileSha256 = createHash('sha256').update(readFileSync(output)).digest('hex');
for (const entry of server.packages) if (entry.registryType === 'mcpb') entry.fileSha256 = fileSha256;
writeFileSync(at('build', 'server.json'), `${JSON.stringify(server, undefined, 2)}\n`);
process.stdout.write(`${output}\n`);
