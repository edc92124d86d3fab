import type { SessionBinding } from '../call/binding.ts';
import type { CompletionDeps } from '../mcp/completions.ts';
import type { Secrets } from '../policy/secrets.ts';
import { redactParameters, typedIn } from '../policy/typed-secrets.ts';
import type { PromptLibrary } from '../prompts/library.ts';

/** The prompts, loaded on first use: most clients never list them. */
export function promptsWith(
  secrets: Secrets,
  binding: SessionBinding,
): Pick<CompletionDeps, 'prompts' | 'redact' | 'redactFor' | 'isSecretName'> {
  return {
    prompts: loadPrompts,
    redact: (text) => secrets.redact(text),
    redactFor: (origin) => {
      const typed = typedIn(binding.sessionsOf(origin).list());
      return (text) => redactParameters(secrets.redact(text), typed);
    },
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
