import * as z from 'zod';
import { mayBeAbsent } from '../../call/arguments/arguments.ts';
import type { AnswerForm } from '../../call/answer/report.ts';
import type { SentenceError, Tool, ToolSettings, Toolset } from '../../call/tool.ts';
import { targetKeys } from '../lib/argument-shapes.ts';
import { isRecord } from '../../util/records.ts';

interface AliasSpec<N extends string, I extends z.ZodRawShape> {
  readonly name: N;
  /** The tool that runs. */
  readonly tool: Tool;
  readonly title?: string;
  readonly description: string;
  /** Toolsets in which it can be called although they do not list it. */
  readonly callableIn?: readonly Toolset[];
  /** The advertised arguments: exactly those of the vocabulary's specification. */
  readonly input: I;
  /** Arguments that have another name in the tool, and that name; the tool's own synonyms need not be repeated. */
  readonly renamed?: Readonly<Partial<Record<keyof I & string, string>>>;
  /** Arguments that the tool gets unless the caller gives them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The settings that the tool reads, if the specification derives them from other options. */
  readonly settings?: (settings: ToolSettings) => ToolSettings;
  readonly answer: AnswerForm;
  readonly sentenceError?: SentenceError;
}

type Names = Readonly<Partial<Record<string, string>>>;

const elementNames: ReadonlySet<string> = new Set(targetKeys);

/** The `defineAlias` of one toolset. */
export function aliasesFor(toolset: Toolset) {
  return <const N extends string, I extends z.ZodRawShape>(spec: AliasSpec<N, I>): Tool<N, z.input<z.ZodObject<I>>> =>
    defineAlias(toolset, spec);
}

/** Navigations take as long as other operations: 30 s, unless the operator sets `session.defaultTimeout`. */
export function withSessionTimeout(settings: ToolSettings): ToolSettings {
  return { ...settings, timeouts: { ...settings.timeouts, navigation: settings.session.defaultTimeout } };
}

/**
 * An alias of a tool, from another specification: how it is listed, the names of its arguments, and the form of its
 * answer. It has no own behavior and accepts every argument of the tool.
 */
function defineAlias<const N extends string, I extends z.ZodRawShape>(
  toolset: Toolset,
  spec: AliasSpec<N, I>,
): Tool<N, z.input<z.ZodObject<I>>> {
  const { '~input': _, ...tool } = spec.tool;
  const input = z.object(spec.input);
  const renamed: Names = spec.renamed ?? {};
  const meaning = (key: string): string =>
    renamed[key] ?? (elementNames.has(key) ? 'element' : (tool.synonyms[key] ?? key));
  const listed = Object.keys(input.shape);
  const required = listed.filter((key) => !mayBeAbsent(input.shape[key]));
  const nameOf = (key: string): string =>
    listed.includes(key) ? key : (listed.find((name) => (renamed[name] ?? tool.synonyms[name]) === key) ?? key);
  return {
    ...tool,
    name: spec.name,
    title: spec.title ?? tool.title,
    description: spec.description,
    toolsets: [toolset],
    callableIn: spec.callableIn ?? [],
    capabilities: [],
    input,
    positional: tool.positional.map(nameOf),
    answer: spec.answer,
    sentenceError: spec.sentenceError ?? tool.sentenceError,
    prepare: (raw) => {
      const names = { listed: input, nameOf, missing: [] };
      if (raw !== undefined && raw !== null && !isRecord(raw)) return tool.prepare(raw, names);
      const args = Object.entries(raw ?? {}).filter(([, value]) => value !== null && value !== undefined);
      const given = new Set(args.map(([key]) => meaning(key)));
      const missing = required.filter((key) => !given.has(meaning(key)));
      const left = Object.entries(spec.defaults ?? {}).filter(([key]) => !given.has(meaning(key)));
      const renamedArgs = args.map(([key, value]) => [renamed[key] ?? key, value]);
      const prepared = tool.prepare(Object.fromEntries([...left, ...renamedArgs]), { ...names, missing });
      const { settings: derived } = spec;
      if (derived === undefined) return prepared;
      return {
        ...prepared,
        run: async (context, session) => prepared.run({ ...context, settings: derived(context.settings) }, session),
      };
    },
  };
}
