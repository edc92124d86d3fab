#!/usr/bin/env node
// Nothing but node: is imported before the version is known to be good enough to import the rest.
import module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`pagehelm needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  if ('enableCompileCache' in module) (await import('./cli/compile-cache.ts')).keepCompiledCode();
  const { main } = await import('./cli/main.ts');
  await main(process.argv.slice(2));
}
