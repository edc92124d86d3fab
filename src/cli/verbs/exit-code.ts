import type { ErrorView } from '../../errors.ts';

const exitCodes: readonly (readonly [code: number, kinds: RegExp])[] = [
  [2, /^(?:MISSING_PARAMETER|INVALID_ARGUMENT|BAD_FORMAT|BAD_NAME|INVALID_URL|INVALID_SELECTOR)$/],
  [3, /^(?:NO_BROWSER|BROWSER_NOT_FOUND|BROWSER_INSTALL_FAILED|BROWSER_LAUNCH_FAILED|BROWSER_NOT_REACHED)$/],
  [4, /^HUMAN_IN_CONTROL$/],
  [124, /^(?:TIMEOUT|NAVIGATION_TIMEOUT)$/],
];

/** The exit code of a failed step: what a script can do about it. */
export function exitCodeOf({ kind, code }: Pick<ErrorView, 'kind' | 'code'>): number {
  const known = exitCodes.find(([, kinds]) => kinds.test(kind));
  if (known !== undefined) return known[0];
  if (code === 'FORBIDDEN') return 5;
  return code === 'TIMEOUT' ? 124 : 1;
}
