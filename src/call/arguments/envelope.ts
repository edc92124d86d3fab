import * as z from 'zod';
import type { Config } from '../../config/schema/schema.ts';
import { ToolError } from '../../errors.ts';

/** Arguments that every tool takes. */
export interface Envelope {
  readonly sessionId: string | undefined;
  /** A tab of the session, by id or index; default: the current one. */
  readonly tab: string | number | undefined;
  /** Token limit of the answer. */
  readonly maxTokens: number;
  readonly snapshotMode: Config['snapshot']['mode'];
  readonly detail: Config['snapshot']['detail'];
  /** Remarks about adjusted values. */
  readonly notes: readonly string[];
}

const shape = z.object({
  sessionId: z.string().optional(),
  tab: z.union([z.string(), z.number()]).optional(),
  maxTokens: z.coerce.number().optional(),
  snapshotMode: z.enum(['auto', 'full', 'diff', 'file', 'none']).optional(),
  detail: z.enum(['terse', 'normal', 'full']).optional(),
});

/** Arguments that do not reach the tool; `_meta` belongs to the protocol. */
export const envelopeKeys: ReadonlySet<string> = new Set(['_meta', ...Object.keys(shape.shape)]);

/** A smaller answer could not name its subject; a larger one fills the model's context. */
const tokenLimits = { least: 200, most: 20_000 };

export function readEnvelope(args: unknown, settings: Config['snapshot']): Envelope {
  const parsed = shape.safeParse(typeof args === 'object' && args !== null ? withoutNulls(args) : {});
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `Argument "${issue.path.join('.')}": ${issue.message}.`);
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: Object.keys(shape.shape) });
  }
  const { sessionId, tab, maxTokens, snapshotMode, detail } = parsed.data;
  const wanted = maxTokens ?? settings.maxTokens;
  const most = Math.max(tokenLimits.most, settings.maxTokens);
  return {
    sessionId,
    // An index may be written as a string; ids begin with a letter.
    tab: typeof tab === 'string' && /^\d+$/.test(tab) ? Number(tab) : tab,
    maxTokens: Math.min(Math.max(wanted, tokenLimits.least), most),
    snapshotMode: snapshotMode ?? settings.mode,
    detail: detail ?? settings.detail,
    notes: wanted > most ? [`maxTokens is at most ${most}; that limit was used.`] : [],
  };
}

function withoutNulls(args: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}
