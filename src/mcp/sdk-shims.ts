/**
 * Stands in for the SDK's run-time shims in the bundle: they bring a JSON Schema validator, 300 kB that take a fifth of
 * the start, for answers to elicitations, which this server does not ask for.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server does not ask for input.');
  }
}
