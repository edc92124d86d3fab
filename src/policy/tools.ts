import type { Config } from '../config/schema/schema.ts';
import { nearest } from '../util/nearest.ts';

type Toolset = Config['toolsets'][number];

/** The part of a tool's declaration that decides whether it is offered. */
interface ToolFacts {
  readonly name: string;
  /** The tool that does the work; another one if this is an alias. */
  readonly does: string;
  readonly effect: string;
  readonly toolsets: readonly Toolset[];
  readonly callableIn: readonly Toolset[];
  readonly capabilities: readonly Config['capabilities'][number][];
  readonly uploadsFiles: boolean;
  readonly runsServerCode: boolean;
}

export interface ToolChoice<T> {
  /** Listed tools. */
  readonly tools: readonly T[];
  /** Tools that can be called but are not listed. */
  readonly unlisted: readonly T[];
  readonly warnings: readonly string[];
}

type Choice = Pick<Config, 'toolsets' | 'capabilities' | 'enableTools' | 'disableTools' | 'readOnly' | 'security'>;

/** Capabilities whose tools are loaded with every server. */
const loadedCapabilities = /^(?:vision|pdf|core.*)$/;

/**
 * Whether the vocabularies and the tools of capabilities are needed at start-up: to list their tools, or to check
 * configured names against them.
 */
export function needsVocabularies({ toolsets, capabilities, enableTools, disableTools, security }: Choice): boolean {
  const isOwn = (set: Toolset): boolean => set === 'core' || set === 'viewpoint';
  const isLoaded = toolsets.every(isOwn) && capabilities.every((each) => loadedCapabilities.test(each));
  return security.enableServerCode || !isLoaded || enableTools.length + disableTools.length > 0;
}

/**
 * The tools a server offers: fixed at start-up, sorted by name. If two of the toolsets have the same name, the one named
 * first decides how it is listed.
 */
export function chooseTools<T extends ToolFacts>(
  own: readonly T[],
  vocabularies: readonly T[],
  config: Choice,
): ToolChoice<T> {
  const all = [...own, ...vocabularies];
  const every = unique(all);
  const membersOf = (set: Toolset): readonly T[] =>
    set === 'all' ? every : all.filter(({ toolsets }) => toolsets.includes(set));
  const isEnabled = ({ name, capabilities, runsServerCode }: T): boolean =>
    runsServerCode ||
    config.enableTools.includes(name) ||
    capabilities.some((each) => config.capabilities.includes(each));
  const listed = unique([...config.toolsets.flatMap(membersOf), ...every.filter(isEnabled)]).filter(permitted(config));
  const callable = all.filter(({ callableIn }) => callableIn.some((set) => config.toolsets.includes(set)));
  return {
    tools: listed.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    unlisted: unique([...listed, ...callable.filter(permitted(config))]).slice(listed.length),
    warnings: unknownNames(
      [...config.enableTools, ...config.disableTools],
      every.map((tool) => tool.name),
    ),
  };
}

/** Whether the operator allows a tool. A disabled tool is disabled under its aliases, too. */
function permitted({ disableTools, readOnly, security }: Choice): (tool: ToolFacts) => boolean {
  return ({ name, does, effect, uploadsFiles, runsServerCode }) => {
    if (disableTools.includes(name) || disableTools.includes(does)) return false;
    if (runsServerCode && !security.enableServerCode) return false;
    if (uploadsFiles && !security.enableFileUpload) return false;
    if (effect === 'code' && !security.enableScriptEvaluation) return false;
    // Only tools that are offered can be steps.
    return !readOnly || effect === 'read' || effect === 'navigate' || effect === 'steps';
  };
}

function unique<T extends ToolFacts>(tools: readonly T[]): readonly T[] {
  const names = new Set<string>();
  return tools.filter(({ name }) => !names.has(name) && names.add(name));
}

function unknownNames(given: readonly string[], known: readonly string[]): readonly string[] {
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      return `There is no tool "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`;
    });
}
