import { ToolError } from '../../errors.ts';
import type { Tab } from '../tab.ts';
import { withApiName } from './api-error.ts';

/** The call that runs. */
export interface RunningCall {
  readonly signal: AbortSignal;
  /** It evaluates a script of the caller, whose errors have no prefix. */
  readonly isScript: boolean;
}

/** Runs an action until its effects are over. Fails with the error of the action as it is. */
export async function settledAction(
  tab: Tab,
  action: () => Promise<unknown>,
  { signal, isScript }: RunningCall,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const run = async (): Promise<void> => {
    try {
      await action();
    } catch (error) {
      failure = { error: isScript ? error : withApiName(error) };
    }
  };
  try {
    await tab.actions.run(run, { signal, failure: { what: 'The action' } });
  } catch (error) {
    // What the action itself says is more exact.
    if (failure === undefined) throw error instanceof ToolError ? new Error(error.message) : error;
  }
  if (failure !== undefined) throw failure.error;
}
