import type { Config } from '../config/schema/schema.ts';
import type { PreparedCall, Tool } from './tool.ts';

/** The timeout of a call, if its steps have one: the given one, or that of its kind. 0 is no limit. */
export function timeoutOf(
  { effect, limitMs }: Pick<Tool, 'effect' | 'limitMs'>,
  { timeoutMs }: Pick<PreparedCall, 'timeoutMs'>,
  timeouts: Pick<Config['timeouts'], 'navigation' | 'action'>,
): number | undefined {
  const ofKind = { navigate: timeouts.navigation, input: timeouts.action };
  const timeout = timeoutMs ?? limitMs ?? (effect === 'navigate' || effect === 'input' ? ofKind[effect] : undefined);
  return timeout === 0 ? undefined : timeout;
}
