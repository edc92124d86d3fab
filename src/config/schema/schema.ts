import * as z from 'zod';
import { configProblems } from '../option-rules.ts';
import { answerShape, fileShape, timeoutShape } from './answers.ts';
import { browserShape } from './browser.ts';
import { clusterShape } from './cluster.ts';
import { loggingShape, securityShape, sessionShape } from './limits.ts';
import { serverShape, toolShape } from './server.ts';

/** Every option, once. Flags, variables, the file, help, docs and the editor's schema are derived from it. */
const optionSchema = z.strictObject({
  ...serverShape,
  ...toolShape,
  ...browserShape,
  ...timeoutShape,
  ...answerShape,
  ...fileShape,
  ...sessionShape,
  ...securityShape,
  ...loggingShape,
  ...clusterShape,
});

export type Config = z.output<typeof optionSchema>;

export const configSchema = optionSchema.superRefine((config, context) => {
  for (const { path, message } of configProblems(config)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
});
