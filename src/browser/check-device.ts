import { ConfigError } from '../errors.ts';
import { unknownDevice } from './context-options.ts';
import { PlaywrightLoader } from './playwright.ts';

/** Stops the start if Playwright knows no such device. A Playwright that does not load is told by the first call. */
export async function checkDevice(name: string): Promise<void> {
  const loaded = await new PlaywrightLoader(async () => undefined).load().catch(() => undefined);
  if (loaded === undefined || Object.hasOwn(loaded.devices, name)) return;
  throw new ConfigError([`--device: ${unknownDevice(name, loaded.devices)}`]);
}
