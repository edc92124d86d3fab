import * as z from 'zod';
import { isHidden, requiredKeys } from '../call/arguments/arguments.ts';
import { effects } from '../call/tool.ts';
import type { Tool } from '../call/tool.ts';
import { typeName, unwrap } from '../config/unwrap.ts';

/** A tool as `tools/list` shows it. */
export interface ToolEntry {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: Readonly<Record<string, string | boolean>>;
}

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Schema {
  readonly [key: string]: unknown;
}

export function describeTool(tool: Tool): ToolEntry {
  const { properties, required } = objectSchema(tool.input);
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
    annotations: { title: tool.title, ...statedHints(tool.effect) },
  };
}

/** The values that the protocol assumes for hints that are left out. */
const assumedHints: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  openWorldHint: true,
};

/** The hints that differ from what clients assume: every listed word costs tokens in every conversation. */
function statedHints(effect: Tool['effect']): Readonly<Record<string, boolean>> {
  return Object.fromEntries(Object.entries(effects[effect]).filter(([hint, value]) => value !== assumedHints[hint]));
}

/** The schema of an object: its advertised fields, and which of them are required. */
function objectSchema(object: z.ZodObject): {
  readonly properties: Record<string, Schema>;
  readonly required: string[];
} {
  const properties: Record<string, Schema> = {};
  for (const [name, field] of Object.entries(object.shape)) {
    if (isHidden(field) || !(field instanceof z.ZodType)) continue;
    properties[name] = { ...typeSchema(field), ...defaultOf(field), ...described(field) };
  }
  return { properties, required: requiredKeys(object) };
}

/**
 * Uses only the keywords that every client understands: type, properties, required, items, enum, description. zod's own
 * conversion emits more, and loading it takes a noticeable part of the start-up time.
 */
function typeSchema(outer: z.core.$ZodType): Schema {
  const field = unwrap(outer).inner;
  const type = typeName(field);
  if (type === 'string' || type === 'number' || type === 'boolean') return { type };
  // A preprocessed field is advertised with its output type.
  if (field instanceof z.ZodPipe) return typeSchema(field.def.out);
  if (field instanceof z.ZodEnum) return { type: 'string', enum: field.options };
  if (field instanceof z.ZodArray) return { type: 'array', items: typeSchema(field.element) };
  if (field instanceof z.ZodObject) {
    const { properties, required } = objectSchema(field);
    return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  }
  if (type === 'unknown') return {};
  return { type: type === 'record' ? 'object' : 'string' };
}

/** The default value; only vocabularies of other specifications advertise it. */
function defaultOf(field: z.core.$ZodType): Schema {
  const declared = field instanceof z.ZodType ? field.meta()?.['default'] : undefined;
  const value = unwrap(field).defaultValue ?? declared;
  return value === undefined ? {} : { default: value };
}

function described(field: z.ZodType): Schema {
  return field.description === undefined ? {} : { description: field.description };
}
