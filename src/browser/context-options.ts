import type { BrowserContextOptions, LaunchOptions } from 'playwright-core';
import { proxyRoute } from '../config/proxy.ts';
import type { Config } from '../config/schema/schema.ts';
import { ToolError } from '../errors.ts';
import { nearest } from '../util/nearest.ts';
import type { PlaywrightModule } from './playwright.ts';

const defaultViewport = { width: 1280, height: 720 };
/** What `--mobile` imitates: what people use whose browser is of this type. */
const mobileDevices = { chromium: 'Pixel 10', firefox: 'Pixel 10', webkit: 'iPhone 17' };

/** What every context of this server starts with. */
export function contextOptions(
  browser: Config['browser'],
  headless: boolean,
  devices: PlaywrightModule['devices'],
): BrowserContextOptions {
  const device = browser.device ?? (browser.mobile ? mobileDevices[browser.type] : undefined);
  return {
    // A window has a size of its own; a page without one needs to be given it.
    viewport: headless ? defaultViewport : null,
    ...(device === undefined ? {} : configuredDevice(device, devices)),
    ...browser.contextOptions,
    ...(browser.viewport === undefined ? {} : { viewport: browser.viewport }),
    ...(browser.userAgent === undefined ? {} : { userAgent: browser.userAgent }),
    ...(browser.ignoreHttpsErrors ? { ignoreHTTPSErrors: true } : {}),
    ...(browser.storageState === undefined ? {} : { storageState: browser.storageState }),
    ...(browser.grantPermissions.length === 0 ? {} : { permissions: [...browser.grantPermissions] }),
    ...(browser.blockServiceWorkers ? { serviceWorkers: 'block' as const } : {}),
  };
}

/** The browser process's own options; those that decide its life are set by the launcher. */
export function launchOptions({ proxy, ...browser }: Config['browser']): LaunchOptions {
  return proxy === undefined ? browser.launchOptions : { ...browser.launchOptions, proxy: proxyRoute(proxy) };
}

/** The device that a caller asks for. */
export function wantedDevice(name: string, devices: PlaywrightModule['devices']): BrowserContextOptions {
  const options = deviceOptions(name, devices);
  if (options !== undefined) return options;
  throw new ToolError('INVALID_ARGUMENT', { problems: [unknownDevice(name, devices)], accepted: ['device'] });
}

function configuredDevice(name: string, devices: PlaywrightModule['devices']): BrowserContextOptions {
  const options = deviceOptions(name, devices);
  if (options !== undefined) return options;
  throw new ToolError('BAD_CONFIGURATION', { problem: unknownDevice(name, devices) });
}

function deviceOptions(name: string, devices: PlaywrightModule['devices']): BrowserContextOptions | undefined {
  const device = Object.hasOwn(devices, name) ? devices[name] : undefined;
  if (device === undefined) return undefined;
  const { defaultBrowserType: _type, ...options } = device;
  return options;
}

export function unknownDevice(name: string, devices: PlaywrightModule['devices']): string {
  const near = nearest(name, Object.keys(devices));
  return `Unknown device ${JSON.stringify(name)}.${near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`}`;
}
