import type { DispatchDeps } from '../call/dispatch.ts';
import type { Tool } from '../call/tool.ts';
import type { Config } from '../config/schema/schema.ts';
import { chooseTools, isUnderstood } from '../policy/tools.ts';
import type { Vocabularies } from '../policy/tools.ts';

export interface OfferedTools {
  /** The tools of the list. */
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
  /** The tools that can be called. */
  readonly table: Pick<DispatchDeps, 'tools' | 'later' | 'listed'>;
}

export function offeredTools(
  own: readonly Tool[],
  config: Config,
  vocabularies: Vocabularies<Tool> | undefined,
): OfferedTools {
  const { tools, unlisted, warnings } = chooseTools(own, config, vocabularies);
  const callable = new Map([...tools, ...unlisted].map((tool) => [tool.name, tool]));
  const later = async (name: string): Promise<Tool | undefined> => {
    if (vocabularies !== undefined || !isUnderstood(name)) return undefined;
    const words = await import('../tools/vocabularies/index.ts');
    return chooseTools(own, config, words.vocabularies).unlisted.find((tool) => tool.name === name);
  };
  return { tools, warnings, table: { tools: callable, later, listed: tools.map(({ name }) => name) } };
}
