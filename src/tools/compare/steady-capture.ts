import { locateAttached } from '../../session/act/missing.ts';
import { captureScreenshot } from '../../session/capture/screenshot.ts';
import type { Located, Target } from '../../session/snapshot/target.ts';
import { actionWait } from '../lib/timeouts.ts';
import { readArea } from './areas.ts';
import type { CompareCall } from './run-compare.ts';

export interface Capture {
  readonly located?: Located | undefined;
  /** The first screenshot, as a PNG file. */
  first(): Promise<Buffer>;
  /** A screenshot that is equal to the one before it. */
  steady(): Promise<Buffer>;
}

/** Screenshots that are taken until two in a row are equal. */
const mostAttempts = 5;

/** Takes screenshots for a comparison: without animations, and with the masks of the call. */
export async function steadyCapture(call: CompareCall, target: Target | undefined): Promise<Capture> {
  const { tab, args, settings, signal, response } = call;
  const timeout = args.timeout ?? settings.session.defaultTimeout;
  const wait = actionWait(settings, args.timeout);
  const located = target && (await locateAttached(tab, target, await tab.observe(signal), { ...wait, signal }));
  const masks = await Promise.all((args.mask ?? []).map(async (given) => readArea(given, call)));
  const shoot = async (): Promise<Buffer> => {
    const { data, isWithoutFonts } = await captureScreenshot(tab, {
      located,
      fullPage: args.fullPage === true,
      type: 'png',
      scale: 'css',
      isStill: true,
      masked: masks.flatMap(({ locator }) => (locator === undefined ? [] : [locator])),
      timeout,
      visibleMs: args.timeout ?? Math.min(timeout, settings.timeouts.action),
      waitsFully: wait.waitsFully,
      signal,
    });
    hasFonts = isWithoutFonts !== true;
    return data;
  };
  let hasFonts = true;
  let last: Buffer | undefined;
  const first = async (): Promise<Buffer> => (last ??= await shoot());
  const steady = async (): Promise<Buffer> => {
    let before = await first();
    for (let attempt = 1; attempt < mostAttempts; attempt++) {
      const next = await shoot();
      if (next.equals(before)) {
        if (!hasFonts) response.note('Taken before all fonts of the page had loaded.');
        return next;
      }
      before = next;
    }
    response.note(
      `The page looked different in each of ${mostAttempts} screenshots; ignore or mask the parts that change.`,
    );
    return before;
  };
  return { located, first, steady };
}
