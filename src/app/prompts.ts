import type { PromptDeps } from '../mcp/prompts.ts';
import type { Secrets } from '../policy/secrets.ts';
import type { PromptLibrary } from '../prompts/library.ts';

/** The prompts, loaded on first use: most clients never list them. */
export function promptsWith(secrets: Secrets): Pick<PromptDeps, 'prompts' | 'redact' | 'isSecretName'> {
  return {
    prompts: loadPrompts,
    redact: (text) => secrets.redact(text),
    isSecretName: (name) => secrets.lookUp(name) !== undefined,
  };
}

async function loadPrompts(): Promise<PromptLibrary> {
  const [{ PromptLibrary }, { prompts }] = await Promise.all([
    import('../prompts/library.ts'),
    import('../prompts/catalogue.ts'),
  ]);
  return new PromptLibrary(prompts);
}
