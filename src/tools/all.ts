import { capabilityTools } from './capabilities.ts';
import { tools } from './index.ts';
import { vocabularyTools } from './vocabularies/tools.ts';

/** Every tool, without its aliases, in the order of the documentation. */
export const allTools = [...tools, ...vocabularyTools, ...capabilityTools];

type AnyTool = (typeof allTools)[number];
export type ToolName = AnyTool['name'];
/** The arguments of a tool, for typed callers. */
export type ToolArgs<N extends ToolName> = NonNullable<Extract<AnyTool, { name: N }>['~input']>;
