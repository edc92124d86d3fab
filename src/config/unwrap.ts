import * as z from 'zod';

interface Unwrapped {
  /** The type inside optional, nullable and default wrappers. */
  readonly inner: z.core.$ZodType;
  readonly defaultValue: unknown;
  /** The value is optional. */
  readonly isOptional: boolean;
}

/** Reads the wrappers of a schema without parsing a value. */
export function unwrap(schema: z.core.$ZodType): Unwrapped {
  let inner = schema;
  let defaultValue: unknown;
  let isOptional = false;
  for (;;) {
    if (inner instanceof z.ZodDefault) defaultValue = inner.def.defaultValue;
    else if (!(inner instanceof z.ZodOptional || inner instanceof z.ZodPrefault || inner instanceof z.ZodNullable))
      break;
    isOptional ||= !(inner instanceof z.ZodNullable);
    inner = inner.def.innerType;
  }
  return { inner, defaultValue, isOptional };
}
