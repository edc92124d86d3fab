import type { DispatchDeps } from '../call/dispatch.ts';
import type { Tool } from '../call/tool.ts';
import type { Config } from '../config/schema/schema.ts';
import type { ToolNameOf } from '../errors.ts';
import { chooseTools } from '../policy/tools.ts';

/** The tools that can be called. */
export type ToolTable = Pick<DispatchDeps, 'tools' | 'later' | 'listed' | 'nameOf'>;

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
  const listed = tools.map(({ name }) => name);
  return { tools, warnings, table: { tools: callable, later, listed, nameOf: toolNames(tools, unlisted) } };
}

/** A listed name comes before an unlisted one, and a tool's own name before an alias. */
export function toolNames(tools: readonly Tool[], unlisted: readonly Tool[]): ToolNameOf {
  const byTool = new Map<string, string>();
  for (const { name, does } of [...tools, ...unlisted]) if (!byTool.has(does)) byTool.set(does, name);
  for (const { name, does } of tools) if (name === does) byTool.set(does, name);
  return (tool) => byTool.get(tool);
}
