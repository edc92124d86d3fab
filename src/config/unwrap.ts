import type * as z from 'zod';

interface Unwrapped {
  /** The type inside optional, nullable and default wrappers. */
  readonly inner: z.core.$ZodType;
  readonly defaultValue: unknown;
  /** The value is optional. */
  readonly isOptional: boolean;
}

type Wrapper = z.ZodDefault | z.ZodOptional | z.ZodPrefault | z.ZodNullable;

/** Reads the wrappers of a schema without parsing a value. */
export function unwrap(schema: z.core.$ZodType): Unwrapped {
  let inner = schema;
  let defaultValue: unknown;
  let isOptional = false;
  while (isWrapper(inner)) {
    const { def }: Wrapper = inner;
    if (def.type === 'default') defaultValue = def.defaultValue;
    isOptional ||= def.type !== 'nullable';
    inner = def.innerType;
  }
  return { inner, defaultValue, isOptional };
}

/** The name of a type. Unlike `instanceof`, which looks up a set in zod's classes, it adds nothing to the start-up time. */
export function typeName(schema: z.core.$ZodType): z.core.$ZodTypeDef['type'] {
  // zod's interface for code that reads schemas.
  // oxlint-disable-next-line eslint/no-underscore-dangle
  return schema._zod.def.type;
}

function isWrapper(schema: z.core.$ZodType): schema is Wrapper {
  const type = typeName(schema);
  return type === 'default' || type === 'optional' || type === 'prefault' || type === 'nullable';
}
