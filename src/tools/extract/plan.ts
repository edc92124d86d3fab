import { ToolError } from '../../errors.ts';
import type { FieldType, WantedField, WantedPart } from '../../page/extract/request.ts';
import { meaningOf, wordsOf } from '../../page/extract/words.ts';
import { isRecord } from '../../util/records.ts';
import { resolved } from './schema-refs.ts';

/** A field to extract, and where its value goes. */
export interface PlannedField extends WantedField {
  readonly path: readonly string[];
  readonly valueType: 'string' | 'number' | 'integer' | 'boolean';
  /** The only values that it may have. */
  readonly choices?: readonly string[];
}

export interface PlannedPart extends WantedPart {
  /** The property that takes the items; absent if they are the whole result. */
  readonly name?: string;
  readonly fields: readonly PlannedField[];
}

const mostFields = 50;
const deepest = 4;

/** Fields with selectors: `{ title: "h2", url: "a@href", tags: [".tag"] }`. */
export function planOfFields(
  fields: Readonly<Record<string, unknown>>,
  items: string | undefined,
): readonly PlannedPart[] {
  const planned = selectedFields(fields, []);
  check(planned);
  return [{ fields: planned, isOne: false, ...(items === undefined ? {} : { items }) }];
}

function selectedFields(fields: Readonly<Record<string, unknown>>, above: readonly string[]): readonly PlannedField[] {
  return Object.entries(fields).flatMap(([name, given]) => {
    const path = [...above, name];
    if (typeof given === 'string') return [selectedField(path, given, {})];
    if (Array.isArray(given) && given.length === 1 && typeof given[0] === 'string') {
      return [selectedField(path, given[0], { isList: true })];
    }
    if (isRecord(given) && ('selector' in given || 'attribute' in given || 'attr' in given)) {
      const { selector = '', attribute = given['attr'], type, list, all = list } = given;
      return [
        selectedField(path, String(selector), {
          isList: all === true || type === 'array',
          ...(typeof attribute === 'string' ? { attribute } : {}),
          ...(type === undefined ? {} : { type }),
        }),
      ];
    }
    if (isRecord(given) && above.length < deepest) return selectedFields(given, path);
    const problem = `fields.${path.join('.')} must be a CSS selector, "selector@attribute", or a list of one selector for all matches.`;
    return refuse(problem);
  });
}

interface SelectedOptions {
  readonly isList?: boolean;
  readonly attribute?: string;
  readonly type?: unknown;
}

function selectedField(path: readonly string[], given: string, options: SelectedOptions): PlannedField {
  const [, before = given, attribute] = /^(.*)@([\w:-]+)$/s.exec(given) ?? [];
  const selector = before.trim();
  const isItself = selector === '' || selector === '.' || selector === ':scope';
  const { isList = false, type } = options;
  const valueType = type === 'number' || type === 'integer' || type === 'boolean' ? type : 'string';
  const read = options.attribute ?? attribute;
  return {
    key: path.join('.'),
    path,
    words: [],
    type: 'text',
    valueType,
    isList,
    selector: isItself ? '' : selector,
    ...(read === undefined ? {} : { attribute: read }),
  };
}

/** The parts of a JSON schema: an object, a list of objects, or an object with lists of objects. */
export function planOfSchema(
  schema: Readonly<Record<string, unknown>>,
  items: string | undefined,
): readonly PlannedPart[] {
  const top = resolved(schema, schema);
  const given = items === undefined ? {} : { items };
  const element = top['type'] === 'array' ? resolved(top['items'], schema) : undefined;
  const object = element ?? top;
  const properties = isRecord(object['properties']) ? object['properties'] : undefined;
  if (properties === undefined)
    return refuse('schema must describe an object or a list of objects, with "properties".');
  if (element !== undefined || items !== undefined) {
    const fields = describedFields(properties, schema, []);
    check(fields);
    return [{ fields, isOne: false, ...given }];
  }
  const lists = Object.entries(properties).flatMap(([name, property]): readonly PlannedPart[] => {
    const inner = itemProperties(property, schema);
    return inner === undefined ? [] : [{ name, fields: describedFields(inner, schema, []), isOne: false }];
  });
  const names = new Set(lists.map(({ name }) => name));
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name)));
  const fields = describedFields(own, schema, []);
  check([...fields, ...lists.flatMap((list) => list.fields)]);
  return [...(fields.length === 0 ? [] : [{ fields, isOne: true }]), ...lists];
}

/** The properties of the objects in a list; undefined for anything else. */
function itemProperties(property: unknown, root: unknown): Readonly<Record<string, unknown>> | undefined {
  const list = resolved(property, root);
  const element = list['type'] === 'array' ? resolved(list['items'], root) : {};
  return isRecord(element['properties']) ? element['properties'] : undefined;
}

function describedFields(
  properties: Readonly<Record<string, unknown>>,
  root: unknown,
  above: readonly string[],
): readonly PlannedField[] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const path = [...above, name];
    const property = resolved(typeof given === 'string' ? { type: given } : given, root);
    const { properties: inner } = property;
    if (isRecord(inner) && above.length < deepest) return describedFields(inner, root, path);
    const isList = property['type'] === 'array';
    const value = isList ? resolved(property['items'], root) : property;
    if (isRecord(value['properties'])) {
      return refuse(
        `schema: ${path.join('.')} ${isList ? 'is a list inside of a list of objects' : 'is nested too deeply'}.`,
      );
    }
    return [describedField(path, value, isList)];
  });
}

function describedField(
  path: readonly string[],
  value: Readonly<Record<string, unknown>>,
  isList: boolean,
): PlannedField {
  const { type, format } = value;
  const valueType = type === 'number' || type === 'integer' || type === 'boolean' ? type : 'string';
  const own = wordsOf(path.at(-1) ?? '');
  // `price.amount` is an amount of a price: the parent says more than the name alone.
  const words = [...path.slice(0, -1).flatMap(wordsOf), ...own];
  const choices = Array.isArray(value['enum']) ? value['enum'].map(String) : undefined;
  return {
    key: path.join('.'),
    path,
    words,
    type: typeOf(valueType, typeof format === 'string' ? format : '', words),
    valueType,
    isList,
    ...(choices === undefined ? {} : { choices }),
  };
}

function typeOf(valueType: PlannedField['valueType'], format: string, words: readonly string[]): FieldType {
  if (valueType === 'boolean') return 'boolean';
  if (valueType !== 'string') return 'number';
  const means = words.map(meaningOf);
  if (means.includes('image')) return 'image';
  if (/^ur[il]/.test(format) || means.at(-1) === 'url') return 'link';
  if (format.startsWith('date') || means.at(-1) === 'date') return 'date';
  return 'text';
}

function check(fields: readonly PlannedField[]): void {
  if (fields.length === 0) refuse('There are no fields to extract.');
  if (fields.length > mostFields) refuse(`There are ${fields.length} fields; at most ${mostFields} are allowed.`);
}

function refuse(problem: string): never {
  throw new ToolError('INVALID_ARGUMENT', { problems: [problem], accepted: ['fields', 'schema', 'items', 'kind'] });
}
