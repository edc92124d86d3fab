import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '../errors.ts';
import { errorCode } from '../util/error-code.ts';
import { readEnvironment } from './sources/environment.ts';
import type { Environment } from './sources/environment.ts';
import { readConfigText } from './sources/file.ts';
import { readFlags } from './sources/flags.ts';
import { listOptions } from './options.ts';
import type { Option } from './options.ts';
import { dependentDefaults, keepStdoutClean, withoutEffect } from './option-rules.ts';
import { profileWarnings } from './security-profile.ts';
import { removePath, setPath } from './paths.ts';
import type { Loose } from './paths.ts';
import { configSchema } from './schema/schema.ts';
import type { Config } from './schema/schema.ts';
import { pendingWarning, problemOf, sourceOf } from './sources/setting.ts';
import type { Layer, Setting } from './sources/setting.ts';

export interface ConfigSources {
  /** The command line without the program: `process.argv.slice(2)`. */
  readonly argv: readonly string[];
  readonly env: Environment;
  /** The base of relative paths. */
  readonly cwd: string;
  readonly readFile?: (path: string) => string;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
  readonly help: boolean;
  readonly version: boolean;
  /** Positional arguments. */
  readonly rest: readonly string[];
  /** Paths of the options that were set explicitly. */
  readonly given: ReadonlySet<string>;
}

/** By default zod compiles a parser, which takes longer than the one parse it is used for. */
const parseOnce = { jitless: true };

type ReadText = (path: string) => { readonly text: string } | { readonly reason: string };

/** Defaults < file < environment < flags. Throws one ConfigError with all problems. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const options = listOptions();
  const flags = readFlags(sources.argv, options);
  const { help, version, rest } = flags;
  if (help || version) {
    // Help works even if the configuration is invalid.
    return { config: configSchema.parse({}, parseOnce), warnings: [], help, version, rest, given: new Set() };
  }
  const readText = textReader(sources);
  const environment = readEnvironment(sources.env, options);
  const file = readFileLayer([...environment.settings, ...flags.settings], options, readText, sources.cwd);
  const layers = [file, environment, flags];
  const settings = mergeLayers(layers);
  const problems = layers.flatMap((layer) => [...layer.problems, ...valueProblems(layer)]);
  const resolved = problems.length > 0 ? { problems } : resolveConfig(settings, options, readText, sources.env);
  if ('problems' in resolved) throw new ConfigError(resolved.problems);
  const pending = [...settings.values()].flatMap((setting) => pendingWarning(setting) ?? []);
  const idle = withoutEffect(resolved.config, [...settings.values()]).map(
    ({ setting, why }) => `${sourceOf(setting)} has no effect ${why}.`,
  );
  const { config, warnings } = keepStdoutClean(resolved.config);
  const byPath = new Map([...settings].map(([option, { value }]) => [option.path, value]));
  const unguarded = profileWarnings((path) => byPath.get(path));
  return {
    config,
    warnings: [...layers.flatMap((layer) => layer.warnings), ...new Set(pending), ...idle, ...warnings, ...unguarded],
    help,
    version,
    rest,
    given: new Set([...settings.keys()].map((option) => option.path)),
  };
}

function textReader({ cwd, readFile = (path) => readFileSync(path, 'utf8') }: ConfigSources): ReadText {
  return (path) => {
    try {
      return { text: readFile(resolve(cwd, path)) };
    } catch (error) {
      return { reason: readFailure(error) };
    }
  };
}

function readFailure(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read';
  if (code === 'EISDIR') return 'it is a directory';
  return error instanceof Error ? error.message : String(error);
}

/** Reads the configuration file, if one is named. */
function readFileLayer(
  settings: readonly Setting[],
  options: readonly Option[],
  readText: ReadText,
  cwd: string,
): Layer {
  const path = settings.findLast(({ option }) => option.path === 'configFile')?.value;
  if (typeof path !== 'string') return { settings: [], problems: [], warnings: [] };
  const read = readText(path);
  if ('text' in read) {
    const layer = readConfigText(path, read.text, options);
    return { ...layer, settings: layer.settings.map((setting) => besideFile(setting, dirname(resolve(cwd, path)))) };
  }
  return { settings: [], problems: [`${path}: the configuration file cannot be read: ${read.reason}.`], warnings: [] };
}

function besideFile(setting: Setting, folder: string): Setting {
  const { option, value } = setting;
  if (option.meta.besideFile !== true || !Array.isArray(value)) return setting;
  return { ...setting, value: value.map((path: unknown) => (typeof path === 'string' ? resolve(folder, path) : path)) };
}

function valueProblems({ settings }: Layer): readonly string[] {
  return settings.flatMap((setting) => problemOf(setting) ?? []);
}

function mergeLayers(layers: readonly Layer[]): ReadonlyMap<Option, Setting> {
  const merged = new Map<Option, Setting>();
  for (const setting of layers.flatMap((layer) => layer.settings)) {
    if (setting.value === undefined) merged.delete(setting.option);
    else merged.set(setting.option, setting);
  }
  return merged;
}

/** The language of the Playwright package that starts the server, as its launchers name it. */
function languageDefault({ PW_LANG_NAME: name }: Environment): Loose {
  return ['python', 'java', 'csharp'].includes(name ?? '') ? { codegen: name } : {};
}

type Resolved = { readonly config: Config } | { readonly problems: readonly string[] };

function resolveConfig(
  settings: ReadonlyMap<Option, Setting>,
  options: readonly Option[],
  readText: ReadText,
  env: Environment,
): Resolved {
  const byPath = new Map([...settings].map(([option, setting]) => [option.path, setting]));
  const content: Loose = { ...languageDefault(env) };
  for (const { applies, values, copies = {} } of dependentDefaults) {
    if (!applies((path) => byPath.get(path)?.value)) continue;
    for (const [path, value] of Object.entries(values)) setPath(content, path, value);
    for (const [path, from] of Object.entries(copies)) setPath(content, path, byPath.get(from)?.value);
  }
  for (const [path, { value }] of byPath) setPath(content, path, value);
  // A bypass list or a login without a proxy is a warning, not an error.
  if (!byPath.has('browser.proxy.server')) removePath(content, 'browser.proxy');
  const problems = addFileContents(byPath, content, readText);
  const parsed = configSchema.safeParse(content, parseOnce);
  if (parsed.success && problems.length === 0) return { config: parsed.data };
  const issues = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const name = path.join('.');
    const setting = byPath.get(name);
    const option = options.find((candidate) => candidate.path === name);
    if (setting === undefined && option !== undefined) return `${missing(option)} is needed too.`;
    return `${setting === undefined ? name : sourceOf(setting)}: ${message}.`;
  });
  return { problems: [...problems, ...issues] };
}

function missing({ path, meta }: Option): string {
  return meta.flag === undefined ? path : `--${meta.flag} (${path})`;
}

/** Reads options that name a file with values of another option. Explicit values win. */
function addFileContents(byPath: ReadonlyMap<string, Setting>, content: Loose, readText: ReadText): readonly string[] {
  const problems: string[] = [];
  const read = (setting: Setting | undefined, path: unknown = setting?.value): string | undefined => {
    if (setting === undefined) return undefined;
    const result = readText(String(path));
    if ('text' in result) return result.text;
    problems.push(`${sourceOf(setting)}: ${String(path)} cannot be read: ${result.reason}.`);
    return undefined;
  };
  const secrets = read(byPath.get('secretsFile'));
  if (secrets !== undefined) {
    const inPlace = byPath.get('secrets')?.value;
    setPath(content, 'secrets', { ...parseEnv(secrets), ...(typeof inPlace === 'object' ? inPlace : {}) });
  }
  // The listener reads it again when it changes; a missing file is reported here.
  read(byPath.get('apiKeyFile'));
  // Scripts are read when a browser starts; report a missing one now.
  for (const setting of [byPath.get('browser.initScript'), byPath.get('browser.initPage')]) {
    if (Array.isArray(setting?.value)) setting.value.forEach((path: unknown) => read(setting, path));
  }
  return problems;
}
