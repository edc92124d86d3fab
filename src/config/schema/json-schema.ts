import * as z from 'zod';
import { schemaKey } from '../sources/file.ts';
import { listOptions } from '../options.ts';
import { getPath, isLoose, setPath } from '../paths.ts';
import type { Loose } from '../paths.ts';
import { configSchema } from './schema.ts';

/** Keys of a node that editors use; the others are internal metadata. */
const editorKeys = new Set([
  '$schema',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'enum',
  'default',
  'description',
  'minimum',
  'maximum',
  'minLength',
  'anyOf',
  'minItems',
]);

/** The JSON Schema of the configuration file, for editors. */
export function configJsonSchema(): Loose {
  const schema: Loose = {
    ...z.toJSONSchema(configSchema, { io: 'input', override: ({ jsonSchema }) => keepEditorKeys(jsonSchema) }),
  };
  for (const { path, meta } of listOptions()) {
    if (meta.notInFile === true && isLoose(schema['properties'])) delete schema['properties'][path];
    for (const alias of meta.aliases ?? []) addAlias(schema, alias, path);
  }
  setPath(schema, `properties.${schemaKey}`, { type: 'string', description: 'Where this schema is found' });
  return { ...schema, title: 'Configuration of pagehelm' };
}

function keepEditorKeys(node: Loose): void {
  if (node['pending'] === true) node['description'] = `${String(node['description'])} (not in effect yet)`;
  if (isLoose(node['default']) && isLoose(node['properties'])) delete node['default'];
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum'];
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum'];
  for (const key of Object.keys(node)) if (!editorKeys.has(key)) delete node[key];
}

/** Aliases inside free-form objects need no entry: any key is allowed there. */
function addAlias(schema: Loose, alias: string, path: string): void {
  const keys = alias.split('.');
  const last = keys.pop() ?? alias;
  const parent = getPath(schema, [...keys.flatMap((key) => ['properties', key]), 'properties'].join('.'));
  if (!isLoose(parent)) return;
  const target = getPath(
    schema,
    path
      .split('.')
      .flatMap((key) => ['properties', key])
      .join('.'),
  );
  parent[last] = { ...(isLoose(target) ? target : {}), description: `Another name of ${path}` };
}
