import { ConfigError } from '../errors.ts';
import { unknownDevice } from './context-options.ts';
import { PlaywrightLoader } from './playwright.ts';

/** Stops the start if Playwright does not know the device. If Playwright does not load, the first call reports it. */
export async function checkDevice(name: string): Promise<void> {
  const loaded = await new PlaywrightLoader(async () => undefined).load().catch(() => undefined);
  if (loaded === undefined || Object.hasOwn(loaded.devices, name)) return;
  throw new ConfigError([`--device: ${unknownDevice(name, loaded.devices)}`]);
}
