import { nearest } from '../../util/nearest.ts';
import { variableName } from '../options.ts';
import type { Option } from '../options.ts';
import type { Layer, Setting } from './setting.ts';
import { settingsOfTexts } from './text-value.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The first prefix wins if both are set. */
export const variablePrefixes = ['PAGEHELM_', 'PLAYWRIGHT_MCP_'] as const;
const [ownPrefix] = variablePrefixes;

/** Reads options from environment variables. An empty variable counts as unset. */
export function readEnvironment(env: Environment, options: readonly Option[]): Layer {
  const settings = options.flatMap((option) => settingsOf(option, env, options));
  return { settings, problems: [], warnings: strangers(env, options) };
}

function settingsOf(option: Option, env: Environment, options: readonly Option[]): readonly Setting[] {
  for (const prefix of variablePrefixes) {
    for (const name of variableNames(option)) {
      const text = env[`${prefix}${name}`];
      if (text === undefined || text.trim() === '') continue;
      return settingsOfTexts(option, [text.trim()], `${prefix}${name}`, options);
    }
  }
  return [];
}

/** The variable names of an option without prefix, the main one first. */
export function variableNames({ meta }: Option): readonly string[] {
  return [...(meta.flag === undefined ? [] : [variableName(meta.flag)]), ...(meta.variables ?? [])];
}

/** Warns about misspelt variables with this server's prefix only. */
function strangers(env: Environment, options: readonly Option[]): readonly string[] {
  const known = new Set(options.flatMap(variableNames));
  return Object.keys(env)
    .filter((name) => name.startsWith(ownPrefix) && !known.has(name.slice(ownPrefix.length)))
    .map((name) => {
      const meant = nearest(name.slice(ownPrefix.length), known);
      return `Unknown variable ${name} is ignored.${meant === undefined ? '' : ` Did you mean ${ownPrefix}${meant}?`}`;
    });
}
