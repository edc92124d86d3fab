import { listOptions, variableName } from '../../config/options.ts';
import type { Option } from '../../config/options.ts';

/** An option that a person can set in the dialog of a client. */
export interface OfferedOption {
  readonly variable: string;
  /** Key in the manifest of a bundle. */
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'boolean' | 'string' | 'directory';
  /** What the dialog shows at first; an empty text leaves the option unset. */
  readonly initial: boolean | string;
  readonly choices: readonly string[];
}

/** The few options worth a dialog, by their path in the configuration. Everything else is a flag or a variable. */
const offered: Readonly<Record<string, { readonly title: string; readonly type?: 'directory' }>> = {
  'browser.headless': { title: 'Hide the browser' },
  'browser.type': { title: 'Browser' },
  'security.allowedDomains': { title: 'Allowed domains' },
  'security.blockedDomains': { title: 'Blocked domains' },
  readOnly: { title: 'Read only' },
  outputDir: { title: 'Output directory', type: 'directory' },
};

export function offeredOptions(): readonly OfferedOption[] {
  const options = new Map(listOptions().map((option) => [option.path, option]));
  return Object.entries(offered).map(([path, { title, type }]) => {
    const option = options.get(path);
    if (option?.meta.flag === undefined) throw new Error(`There is no flag for the option ${path}.`);
    return describe(option, option.meta.flag, title, type);
  });
}

function describe(option: Option, flag: string, title: string, type: 'directory' | undefined): OfferedOption {
  const { kind, choices, description, defaultValue } = option;
  const isBoolean = kind === 'boolean';
  const separated = kind === 'list' ? '. Separate several with commas' : '';
  return {
    variable: `PAGEHELM_${variableName(flag)}`,
    key: flag.replaceAll('-', '_'),
    title,
    description: `${description.split('; the flag')[0]}${separated}.`,
    type: isBoolean ? 'boolean' : (type ?? 'string'),
    initial: isBoolean ? defaultValue === true : type === 'directory' ? '${HOME}/Downloads' : '',
    choices,
  };
}
