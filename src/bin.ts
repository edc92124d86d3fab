#!/usr/bin/env node
// Nothing but node: is imported before the version is known to be good enough to import the rest.
import module from 'node:module';

declare const PAGEHELM_VERSION: string;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`pagehelm needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  // Commands of the daemon are sent to it; a client loads nothing else.
  const [first = '', second] = process.argv.slice(2);
  const isLocal =
    (first === 'help' && second === undefined) ||
    /^(?:serve|call|doctor|install|install-browser|hold-browser|ps|stop|top|dashboard|show|init|skill|completion|version|)$/.test(
      first,
    ) ||
    (first.startsWith('-') && !/^(?:-s|-o|--(?:session|output|json|json-schema|raw|keep-going))(?:=|$)/.test(first));
  if (!isLocal) {
    const { runClient } = await import('./cli/client/run.ts');
    process.exitCode = await runClient(process.argv.slice(2), PAGEHELM_VERSION);
  } else {
    if ('enableCompileCache' in module) (await import('./cli/compile-cache.ts')).keepCompiledCode();
    const { main } = await import('./cli/main.ts');
    await main(process.argv.slice(2));
  }
}
