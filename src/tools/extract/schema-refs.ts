import { isRecord } from '../../util/records.ts';

const deepest = 10;

/** A schema without references, alternatives and null: schema generators write optional fields with these. */
export function resolved(given: unknown, root: unknown, depth = 0): Readonly<Record<string, unknown>> {
  if (!isRecord(given) || depth > deepest) return {};
  const { $ref: reference } = given;
  if (typeof reference === 'string') return resolved(at(reference, root), root, depth + 1);
  const alternatives = given['anyOf'] ?? given['oneOf'] ?? given['allOf'];
  if (Array.isArray(alternatives)) {
    const all: readonly unknown[] = alternatives;
    const first = all.map((each) => resolved(each, root, depth + 1)).find((each) => each['type'] !== 'null');
    return { ...given, ...first };
  }
  const { type } = given;
  if (!Array.isArray(type)) return given;
  const types: readonly unknown[] = type;
  return { ...given, type: types.find((each) => each !== 'null') };
}

/** The part of the schema that a reference such as `#/$defs/Product` names. */
function at(reference: string, root: unknown): unknown {
  const keys = reference.startsWith('#/') ? reference.slice(2).split('/') : [];
  return keys.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}
