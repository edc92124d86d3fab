import type { DispatchDeps } from '../call/dispatch.ts';
import type { Tool } from '../call/tool.ts';
import type { Config } from '../config/schema/schema.ts';
import type { ToolNameOf } from '../errors.ts';
import { chooseTools } from '../policy/tools.ts';
import { playwrightNames, withPlaywrightAnswers } from '../tools/compat/playwright-answers.ts';
import { tools as ownTools } from '../tools/index.ts';

/** The tools that can be called. */
export type ToolTable = Pick<DispatchDeps, 'tools' | 'later' | 'listed' | 'nameOf'>;

export interface OfferedTools {
  /** The tools of the list. */
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
  readonly table: ToolTable;
}

/** Our tools, and those that a program adds. */
export function withOwnTools(added: readonly Tool[] = []): readonly Tool[] {
  return [...ownTools, ...added];
}

export function offeredTools(
  own: readonly Tool[],
  vocabularies: readonly Tool[] | undefined,
  config: Config,
): OfferedTools {
  const chosen = chooseTools(own, vocabularies ?? [], config);
  // Playwright's own tool would run the code of callers in this process.
  const isOfPlaywright = ({ name, runsServerCode }: Tool): boolean => playwrightNames.has(name) && !runsServerCode;
  const answering = (tool: Tool): Tool =>
    config.compat === 'playwright' && isOfPlaywright(tool) ? withPlaywrightAnswers(tool) : tool;
  const tools = chosen.tools.map(answering);
  const warnings = [...chosen.warnings, ...codeWarnings(tools, config)];
  const unlisted = chosen.unlisted.map(answering);
  const callable = new Map([...tools, ...unlisted].map((tool) => [tool.name, tool]));
  const later = async (name: string): Promise<Tool | undefined> => {
    if (vocabularies !== undefined) return undefined;
    const loaded = await import('../tools/vocabularies/index.ts');
    return chooseTools(own, loaded.vocabularies, config).unlisted.find((tool) => tool.name === name);
  };
  const listed = tools.map(({ name }) => name);
  return { tools, warnings, table: { tools: callable, later, listed, nameOf: toolNames(tools, unlisted) } };
}

/** Compatibility includes this tool, so that an operator may not know that callers can run code. */
function codeWarnings(tools: readonly Tool[], { compat }: Config): readonly string[] {
  const runner = tools.find(({ runsServerCode }) => runsServerCode);
  if (compat !== 'playwright' || runner === undefined) return [];
  return [`${runner.name} lets callers run Playwright code, in a restricted process; --no-server-code removes it`];
}

/** A listed name comes before an unlisted one, and a tool's own name before an alias. */
export function toolNames(tools: readonly Tool[], unlisted: readonly Tool[]): ToolNameOf {
  const byTool = new Map<string, string>();
  for (const { name, does } of [...tools, ...unlisted]) if (!byTool.has(does)) byTool.set(does, name);
  for (const { name, does } of tools) if (name === does) byTool.set(does, name);
  return (tool) => byTool.get(tool);
}
