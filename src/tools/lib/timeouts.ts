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
