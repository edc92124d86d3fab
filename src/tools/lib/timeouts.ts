import type { ToolSettings } from '../../call/tool.ts';

/** How long an action may wait for its element. */
export interface ActionWait {
  readonly timeout: number;
  /** The timeout was given, in the call or by the operator: it is waited for in full, even if the page is at rest. */
  readonly waitsFully: boolean;
}

export function actionWait(settings: Pick<ToolSettings, 'timeouts'>, given: number | undefined): ActionWait {
  const { action, failFast } = settings.timeouts;
  return { timeout: given ?? action, waitsFully: given !== undefined || !failFast };
}

/** How long to wait for a condition: as long as the operator lets an action wait, if that was configured. */
export function conditionTimeout(
  { timeouts, session }: Pick<ToolSettings, 'timeouts' | 'session'>,
  given: number | undefined,
): number {
  return given ?? (timeouts.failFast ? session.defaultTimeout : timeouts.action);
}
