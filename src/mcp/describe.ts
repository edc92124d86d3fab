import { z } from 'zod';
import { isHidden } from '../call/arguments.ts';
import { effects } from '../call/tool.ts';
import type { Tool } from '../call/tool.ts';

/** A tool as `tools/list` shows it. */
export interface ToolEntry {
  readonly name: string;
  readonly title: string;
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

/** The only keywords every client's model understands. */
const portable = new Set(['type', 'properties', 'required', 'items', 'enum', 'description', 'default']);

export function describeTool(tool: Tool): ToolEntry {
  const { shape } = tool.input;
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(shape)) {
    if (isHidden(field) || !(field instanceof z.ZodType)) continue;
    properties[name] = portableSchema(z.toJSONSchema(field, { io: 'input' }));
    if (!field.isOptional() || field.meta()?.['advertise'] === 'required') required.push(name);
  }
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
    annotations: { title: tool.title, ...effects[tool.effect] },
  };
}

function portableSchema(schema: object): Schema {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!portable.has(key)) continue;
    if (key === 'items' && isObject(value)) result[key] = portableSchema(value);
    else if (key === 'properties' && isObject(value)) {
      const fields = Object.entries(value).filter(([, field]) => !(isObject(field) && 'hidden' in field));
      result[key] = Object.fromEntries(
        fields.map(([name, field]) => [name, isObject(field) ? portableSchema(field) : field]),
      );
    } else result[key] = value;
  }
  return result;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
