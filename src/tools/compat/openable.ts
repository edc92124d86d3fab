import { ToolError } from '../../errors.ts';
import { checkedUrl, isFileUrl } from '../../policy/urls.ts';

/** Refuses addresses that are never opened; files are refused by Playwright's tools, in their own words. */
export function openableOrThrow(url: unknown, opensFiles: boolean): void {
  if (typeof url !== 'string' || isFileUrl(url)) return;
  try {
    checkedUrl(url, undefined, opensFiles);
  } catch (error) {
    if (!(error instanceof ToolError) || !['SCHEME_BLOCKED', 'URL_BLOCKED'].includes(error.code)) return;
    if (error.code === 'URL_BLOCKED' || !URL.canParse(url)) throw error;
    const { protocol } = new URL(url);
    if (protocol === 'about:') return;
    throw new ToolError('FORBIDDEN', {
      reason: `Access to "${protocol}" protocol is blocked. Attempted URL: "${url}"`,
    });
  }
}
