import * as z from 'zod';
import { mayBeAbsent } from '../../call/arguments.ts';
import { envelopeKeys } from '../../call/envelope.ts';
import type { AnswerForm } from '../../call/report.ts';
import type { SentenceError, Tool, Toolset } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { targetKeys } from '../lib/argument-shapes.ts';
import { isRecord } from '../../util/records.ts';

interface AliasSpec<N extends string, I extends z.ZodRawShape> {
  readonly name: N;
  /** The tool that does the work. */
  readonly tool: Tool;
  readonly title?: string;
  readonly description: string;
  /** Toolsets in which it can be called although they do not list it. */
  readonly callableIn?: readonly Toolset[];
  /** The advertised arguments: those of the vocabulary's own specification, no more and no less. */
  readonly input: I;
  /** Arguments that have another name in the tool, and that name; the tool's own synonyms need not be repeated. */
  readonly renamed?: Readonly<Partial<Record<keyof I & string, string>>>;
  /** Arguments that the tool gets unless the caller gives them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
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

/**
 * A further name for a tool, from another specification: how it is listed, what its arguments are called, and how the
 * answer is written. It has no behaviour of its own, and accepts whatever the tool accepts.
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
  return {
    ...tool,
    name: spec.name,
    title: spec.title ?? tool.title,
    description: spec.description,
    toolsets: [toolset],
    callableIn: spec.callableIn ?? [],
    capability: undefined,
    input,
    answer: spec.answer,
    sentenceError: spec.sentenceError ?? tool.sentenceError,
    prepare: (raw) => {
      if (raw !== undefined && raw !== null && !isRecord(raw)) return tool.prepare(raw);
      const args = Object.entries(raw ?? {}).filter(([, value]) => value !== null && value !== undefined);
      const given = new Set(args.map(([key]) => meaning(key)));
      const missing = Object.entries(input.shape).filter(
        ([key, field]) => isNeeded(key, field) && !given.has(meaning(key)),
      );
      if (missing.length > 0)
        throw missingArguments(
          missing.map(([key]) => key),
          Object.keys(input.shape),
        );
      const left = Object.entries(spec.defaults ?? {}).filter(([key]) => !given.has(meaning(key)));
      return tool.prepare(Object.fromEntries([...left, ...args.map(([key, value]) => [renamed[key] ?? key, value])]));
    },
  };
}

/** A session that is not named is the active one, whatever a specification requires. */
function isNeeded(key: string, field: unknown): boolean {
  return !mayBeAbsent(field) && !envelopeKeys.has(key);
}

function missingArguments(missing: readonly string[], accepted: readonly string[]): ToolError {
  const problems = missing.map((key) => `Missing argument "${key}".`);
  return new ToolError('MISSING_PARAMETER', {
    problems: [...problems, `Accepted arguments: ${accepted.join(', ')}.`],
    accepted,
  });
}
