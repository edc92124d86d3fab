import { isRecord } from '../util/records.ts';
import { cut } from '../util/text.ts';

/** Arguments that are part of the title of a call: what it is aimed at, and never what it types. */
const titleArguments = ['url', 'element', 'ref', 'target', 'selector', 'key', 'action'] as const;

/** The title of a call in a trace. */
export function titleOf({ name, args }: { readonly name: string; readonly args: unknown }): string {
  const values = titleArguments.map((key) => (isRecord(args) ? args[key] : undefined));
  return [name, ...values.filter((value) => typeof value === 'string').map((value) => cut(value, 100))].join(' ');
}
