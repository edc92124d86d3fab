import * as z from 'zod';

interface Unwrapped {
  /** The type inside of optional, nullable and default wrappers. */
  readonly inner: z.core.$ZodType;
  readonly defaultValue: unknown;
  /** The value may be left out. */
  readonly isOptional: boolean;
}

/** Reads what the wrappers of a schema say, without parsing a value. */
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
