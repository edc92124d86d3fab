import { Script as VmScript } from 'node:vm';
import { ToolError } from '../../../errors.ts';

/** With more candidates for the start of the last expression than this, only those near the end are tried. */
const mostPlaces = 500;

/**
 * The source of a function that runs a script: a function, an expression, or statements, whose value is that of a `return`
 * or of the last expression, as in a console. The script is compiled here, but never run.
 */
export function functionSource(script: string): string {
  if (script.trim() === '') {
    throw new ToolError('INVALID_ARGUMENT', { problems: ['Argument "function" is empty.'], accepted: ['function'] });
  }
  const expression = [script, withoutEnd(script)].find(isExpression);
  if (expression !== undefined) {
    return `(...args) => { const given = (${expression}\n); return typeof given === 'function' ? given(...args) : given; }`;
  }
  const body = bodyOf(script);
  if (isBody(body)) return `async function (...args) { ${body}\n}`;
  throw new ToolError('EVALUATION_FAILED', { reason: syntaxError(`(${script}\n)`) ?? 'it is not a script' });
}

/** The statements of a script; the last one is a `return` if it is an expression. */
export function bodyOf(script: string): string {
  const source = withoutEnd(script);
  // The last expression starts at the first position from which the rest is one expression.
  for (const place of [0, ...placesIn(source).slice(-mostPlaces)]) {
    const body = `${source.slice(0, place)}\nreturn (${source.slice(place)}\n);`;
    if (isBody(body)) return body;
  }
  return script;
}

export function isExpression(source: string): boolean {
  return syntaxError(`(${source}\n)`) === undefined;
}

/** Positions after a semicolon, a line break or a brace. */
function placesIn(source: string): readonly number[] {
  return Array.from(source.matchAll(/[;\n}]/g), ({ index }) => index + 1);
}

/** A script without the semicolons and comment lines at its end. */
export function withoutEnd(script: string): string {
  let source = script.trim();
  for (;;) {
    const shorter = source.replace(/;$|\n[ \t]*\/\/[^\n]*$/, '').trimEnd();
    if (shorter === source) return source;
    source = shorter;
  }
}

function isBody(body: string): boolean {
  return syntaxError(`(async function () { ${body}\n})`) === undefined;
}

function syntaxError(source: string): string | undefined {
  try {
    return new VmScript(source) instanceof VmScript ? undefined : 'it is not a script';
  } catch (error) {
    return String(error);
  }
}
