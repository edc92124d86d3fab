import { toToolError } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import type { ErrorView } from '../errors.ts';
import type { Session } from '../session/session.ts';
import type { Code } from '../util/code.ts';
import { collect, markBefore } from './answer/collect.ts';
import type { CollectOptions } from './answer/collect.ts';
import type { Report } from './answer/report.ts';
import { Response } from './answer/response.ts';
import { titleOf } from './call-title.ts';
import type { DispatchDeps } from './dispatch.ts';
import { readEnvelope } from './arguments/envelope.ts';
import { nearestTool } from './tool.ts';
import type { CallContext, Tool } from './tool.ts';

/** How a step ended. */
export interface StepEnd {
  readonly error?: ErrorView;
  /** What the step reported, without the changes of the page. */
  readonly report?: Report;
  /** Lines that only repeat what was asked for: they lead the result. */
  readonly lead: number;
  /** The data of the answer, for later steps. */
  readonly value?: unknown;
  /** Equivalent Playwright code. */
  readonly code?: readonly Code[];
  /** Whether the page may have changed. */
  readonly hasChanged: boolean;
}

/** A call of a tool as a part of another call. Its arguments are valid. */
export interface PreparedStep {
  readonly tool: Pick<Tool, 'name' | 'effect' | 'uploadsFiles'>;
  readonly notes: readonly string[];
  /** Runs in a session whose queue the caller holds. Rejects only if the whole call ends. */
  run(context: CallContext, session: Session, maxTokens: number): Promise<StepEnd>;
}

export type PrepareStep = (name: string, args: unknown) => Promise<PreparedStep>;

type StepDeps = Pick<DispatchDeps, 'tools' | 'later' | 'listed' | 'nameOf' | 'config' | 'secrets' | 'now'> &
  Pick<CollectOptions, 'clearedBy'>;

/** Prepares steps: the same tools, checks and policy as for single calls. */
export function stepsOf(deps: StepDeps): PrepareStep {
  return async (name, args) => {
    const tool = await toolFor(deps, name);
    const envelope = readEnvelope(args, deps.config.snapshot);
    if (envelope.sessionId !== undefined) refuse('All steps run in one session: give sessionId outside of the steps.');
    const prepared = tool.prepare(args);
    const tab = 'tab' in tool.input.shape ? undefined : envelope.tab;
    const title = titleOf({ name: tool.name, args });
    return {
      tool,
      notes: prepared.notes,
      run: async (context, session, maxTokens) => {
        const response = new Response(false);
        const before = markBefore(session);
        const options: CollectOptions = {
          settings: deps.config,
          form: tool.answer === 'data' ? 'data' : 'sections',
          signal: context.signal,
          now: deps.now,
          envelope: { ...envelope, maxTokens: Math.min(envelope.maxTokens, maxTokens) },
          // A step shows no page header; the answer of the whole call does.
          client: undefined,
          clearedBy: deps.clearedBy,
          redact: (text) => deps.secrets.redact(text),
        };
        try {
          return await session.onTab(tab, async () =>
            session.tracing.inGroup(title, async () => {
              await prepared.run({ ...context, response }, session);
              const hasChanged = response.withoutChanges();
              const report = await collect(session, response, before, options);
              const lead = tool.effect === 'read' || tool.answer === 'data' ? 0 : leadOf(response, report);
              const value = report.data ?? response.structured;
              return { report, lead, value, code: response.code, hasChanged };
            }),
          );
        } catch (error) {
          context.signal.throwIfAborted();
          const about = { what: tool.name, ...response.attempted, browserLost: session.isLost };
          return { error: toToolError(error, about).viewFor(deps.nameOf), lead: 0, hasChanged: true };
        }
      },
    };
  };
}

/** The sentences at the beginning of the result. */
function leadOf({ sentences }: Response, { result }: Report): number {
  return sentences.every((line, index) => result[index] === line) ? sentences.length : 0;
}

/** The tool of a step. The common prefix of the names may be left out. */
async function toolFor(deps: StepDeps, name: string): Promise<Tool> {
  const tool = deps.tools.get(`browser_${name}`) ?? deps.tools.get(name) ?? (await deps.later(name));
  if (tool === undefined) {
    const near = nearestTool(name, deps.listed);
    return refuse(`There is no tool ${JSON.stringify(name)}${near === undefined ? '.' : `: did you mean "${near}"?`}`);
  }
  if (tool.effect === 'steps') return refuse(`${tool.name} cannot be a step.`);
  if (tool.scope === 'driver') {
    return refuse(`${tool.name} works on sessions and cannot be a step: call it on its own.`);
  }
  return tool;
}

function refuse(problem: string): never {
  throw new ToolError('INVALID_ARGUMENT', { problems: [problem], accepted: [] });
}
