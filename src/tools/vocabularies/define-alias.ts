import * as z from 'zod';
import { envelopeKeys } from '../../call/envelope.ts';
import type { AnswerForm } from '../../call/report.ts';
import type { Complaint, Tool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { targetKeys } from '../lib/argument-shapes.ts';
import { isRecord } from '../../util/records.ts';

interface WordSpec<N extends string, I extends z.ZodRawShape> {
  readonly name: N;
  /** The tool that does it. */
  readonly tool: Tool;
  readonly title?: string;
  readonly description: string;
  /** What is advertised: the arguments of the vocabulary's own specification, no more and no less. */
  readonly input: I;
  /** Arguments that the tool knows by another name, and that name; its own synonyms need not be repeated. */
  readonly renamed?: Readonly<Partial<Record<keyof I & string, string>>>;
  /** What the tool is told unless the caller says otherwise. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly answer: AnswerForm;
  readonly complaint?: Complaint;
}

type Names = Readonly<Partial<Record<string, string>>>;

const elementNames: ReadonlySet<string> = new Set(targetKeys);

/**
 * A further name for a tool, in the words of another specification: how it is listed, what its arguments are called, and
 * how the answer is written. It does nothing itself, and accepts whatever the tool accepts.
 */
export function defineWord<const N extends string, I extends z.ZodRawShape>(
  spec: WordSpec<N, I>,
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
    input,
    answer: spec.answer,
    complaint: spec.complaint ?? tool.complaint,
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
  return !(field instanceof z.ZodOptional || field instanceof z.ZodDefault) && !envelopeKeys.has(key);
}

function missingArguments(missing: readonly string[], accepted: readonly string[]): ToolError {
  const problems = missing.map((key) => `Missing argument "${key}".`);
  return new ToolError('MISSING_PARAMETER', {
    problems: [...problems, `Accepted arguments: ${accepted.join(', ')}.`],
    accepted,
  });
}
