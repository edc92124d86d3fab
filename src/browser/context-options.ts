import type { BrowserContextOptions, LaunchOptions } from 'playwright-core';
import { proxyRoute } from '../config/proxy.ts';
import type { Config } from '../config/schema/schema.ts';
import { ToolError } from '../errors.ts';
import { nearest } from '../util/nearest.ts';
import type { PlaywrightModule } from './playwright.ts';

const defaultViewport = { width: 1280, height: 720 };
/** The device that `--mobile` emulates, by browser type. */
const mobileDevices = { chromium: 'Pixel 10', firefox: 'Pixel 10', webkit: 'iPhone 17' };

/** The options of every context. */
export function contextOptions(
  browser: Config['browser'],
  headless: boolean,
  devices: PlaywrightModule['devices'],
): BrowserContextOptions {
  const device = browser.device ?? (browser.mobile ? mobileDevices[browser.type] : undefined);
  return {
    // In headed mode the window determines the viewport; headless mode needs a size.
    viewport: headless ? defaultViewport : null,
    ...(device === undefined ? {} : configuredDevice(device, devices)),
    ...(browser.proxy === undefined ? browser.contextOptions : withoutProxy(browser.contextOptions)),
    ...(browser.viewport === undefined ? {} : { viewport: browser.viewport }),
    ...(browser.userAgent === undefined ? {} : { userAgent: browser.userAgent }),
    ...(browser.ignoreHttpsErrors ? { ignoreHTTPSErrors: true } : {}),
    ...(browser.storageState === undefined ? {} : { storageState: browser.storageState }),
    ...(browser.grantPermissions.length === 0 ? {} : { permissions: [...browser.grantPermissions] }),
    ...(browser.blockServiceWorkers ? { serviceWorkers: 'block' as const } : {}),
  };
}

/** The proxy of the server wins over one of the context. */
function withoutProxy({ proxy: _proxy, ...options }: Config['browser']['contextOptions']): BrowserContextOptions {
  return options;
}

/** Launch options from the configuration; the launcher sets those that control the process. */
export function launchOptions({ proxy, ...browser }: Config['browser']): LaunchOptions {
  return proxy === undefined ? browser.launchOptions : { ...browser.launchOptions, proxy: proxyRoute(proxy) };
}

/** The device that a caller requests. */
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
