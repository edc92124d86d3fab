import type { DispatchDeps } from '../call/dispatch.ts';
import type { Tool } from '../call/tool.ts';
import type { Config } from '../config/schema/schema.ts';
import { chooseTools } from '../policy/tools.ts';

/** The tools that can be called. */
export type ToolTable = Pick<DispatchDeps, 'tools' | 'later' | 'listed'>;

export interface OfferedTools {
  /** The tools of the list. */
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
  readonly table: ToolTable;
}

export function offeredTools(
  own: readonly Tool[],
  vocabularies: readonly Tool[] | undefined,
  config: Config,
): OfferedTools {
  const { tools, unlisted, warnings } = chooseTools(own, vocabularies ?? [], config);
  const callable = new Map([...tools, ...unlisted].map((tool) => [tool.name, tool]));
  const later = async (name: string): Promise<Tool | undefined> => {
    if (vocabularies !== undefined) return undefined;
    const loaded = await import('../tools/vocabularies/index.ts');
    return chooseTools(own, loaded.vocabularies, config).unlisted.find((tool) => tool.name === name);
  };
  return { tools, warnings, table: { tools: callable, later, listed: tools.map(({ name }) => name) } };
}
