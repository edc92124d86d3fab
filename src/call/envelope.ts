import * as z from 'zod';
import type { Config } from '../config/schema/schema.ts';
import { ToolError } from '../errors.ts';

/** What every tool takes besides its own arguments. */
export interface Envelope {
  readonly sessionId: string | undefined;
  /** A tab of the session, by its id or its place in the list; the current one without it. */
  readonly tab: string | number | undefined;
  /** What the answer may cost. */
  readonly maxTokens: number;
  readonly snapshotMode: Config['snapshot']['mode'];
  /** What was not taken as given. */
  readonly notes: readonly string[];
}

const shape = z.object({
  sessionId: z.string().optional(),
  tab: z.union([z.string(), z.number()]).optional(),
  maxTokens: z.coerce.number().optional(),
  snapshotMode: z.enum(['auto', 'full', 'diff', 'file', 'none']).optional(),
});

/** Names that are taken off a call's arguments before the tool sees them; `_meta` is the protocol's. */
export const envelopeKeys: ReadonlySet<string> = new Set(['_meta', ...Object.keys(shape.shape)]);

/** A smaller answer could not even say what it is about; a larger one fills a conversation. */
const tokenLimits = { least: 200, most: 20_000 };

export function readEnvelope(args: unknown, settings: Config['snapshot']): Envelope {
  const parsed = shape.safeParse(typeof args === 'object' && args !== null ? withoutNulls(args) : {});
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `Argument "${issue.path.join('.')}": ${issue.message}.`);
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: Object.keys(shape.shape) });
  }
  const { sessionId, tab, maxTokens, snapshotMode } = parsed.data;
  const wanted = maxTokens ?? settings.maxTokens;
  const most = Math.max(tokenLimits.most, settings.maxTokens);
  return {
    sessionId,
    // A place may be written as text; ids begin with a letter.
    tab: typeof tab === 'string' && /^\d+$/.test(tab) ? Number(tab) : tab,
    maxTokens: Math.min(Math.max(wanted, tokenLimits.least), most),
    snapshotMode: snapshotMode ?? settings.mode,
    notes: wanted > most ? [`maxTokens is at most ${most}; the answer keeps to that.`] : [],
  };
}

function withoutNulls(args: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}
