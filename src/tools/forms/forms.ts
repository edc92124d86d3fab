import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { Target } from '../../session/snapshot/target.ts';
import { oneLine } from '../../util/text.ts';
import { actOnElement, actOnPage } from '../lib/act.ts';
import { actionWait } from '../lib/timeouts.ts';
import type { Place } from '../lib/read-target.ts';
import { fieldTypes } from './field-kinds.ts';
import { fillField, likelyAction, resultLine } from './fields.ts';
import type { FieldResult } from './fields.ts';
import { choose } from './select-options.ts';
import {
  checkTarget,
  hidden,
  labelOf,
  optionalTarget,
  needsTarget,
  requiredTarget,
  targetShape,
  timeoutShape,
} from '../lib/argument-shapes.ts';

const field = z.object({
  ref: z.string().optional().describe('Ref or selector'),
  name: z.string().optional().describe('Label, if no ref is given'),
  type: z.enum(fieldTypes).optional(),
  value: z
    .preprocess(asText, z.union([z.string(), z.array(z.string())]))
    .meta({ type: 'string', description: 'Text, option, number, path, or true and false' }),
  element: hidden(z.string().optional().describe('What the field is')),
  target: hidden(z.string().optional().describe('A ref or a selector')),
  selector: hidden(z.string().optional().describe('A selector')),
});

export const fillForm = defineTool({
  name: 'browser_fill_form',
  title: 'Fill form',
  description: 'Fill several fields in one call.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  namesSecrets: ['value'],
  input: { fields: z.array(field).describe('Fields to fill'), ...timeoutShape },
  check: ({ fields }) => fields.forEach(checkField),
  run: async (call) => {
    const { tab, args, session, response, settings, secrets } = call;
    const { timeout, waitsFully } = actionWait(settings, args.timeout);
    const mayUpload = settings.security.enableFileUpload && !settings.disableTools.includes('browser_file_upload');
    const results: FieldResult[] = [];
    const aimed = args.fields.map((each) => ({ each, target: fieldTarget(each, session) }));
    const stop = new AbortController();
    const signal = AbortSignal.any([call.signal, stop.signal]);
    const [first] = aimed;
    const shown = first?.target.kind === 'ref' ? tab.refs.get(first.target.ref) : undefined;
    const direct = first === undefined || shown === undefined ? undefined : likelyAction(shown.role, first.each.value);
    const filling = { session, tab, timeout, waitsFully, signal, secrets, mayUpload };
    const outcome = await actOnPage(
      call,
      async (before, prepared) => {
        for (const { each, target } of aimed) {
          const started = results.length === 0 ? { action: direct, result: prepared.direct } : undefined;
          const speculate = aimed.length === 1 ? prepared.speculate : undefined;
          results.push(await fillField({ ...filling, started, speculate, before }, each, target));
        }
      },
      {
        failure: { what: 'Filling the form', timeoutMs: timeout },
        loadMs: settings.timeouts.load,
        isDirect: true,
        target: first?.target,
        wantsKind: true,
        direct,
      },
    );
    // Without this, the remaining fields would be filled when the dialog is answered.
    stop.abort();
    results.push(...aimed.slice(results.length).map(({ each, target }, i) => heldUp(each, target, i === 0)));
    const failed = results.filter((result) => result.problem !== undefined);
    if (failed.length > 0 && outcome.modal === undefined) {
      throw new ToolError('FORM_INCOMPLETE', { fields: results.map(resultLine), failed: failed.length });
    }
    for (const result of results) {
      response.text(resultLine(result));
      if (result.code !== undefined) response.ran(result.code);
    }
  },
});

export const selectOption = defineTool({
  name: 'browser_select_option',
  title: 'Select options',
  description: 'Select one or more options of a dropdown or list.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: { ...targetShape, values: z.array(z.string()).describe('Values or texts'), ...timeoutShape },
  synonyms: { value: 'values' },
  check: needsTarget,
  run: async (call) => {
    const { args, session, response, settings } = call;
    const { timeout, waitsFully } = actionWait(settings, args.timeout);
    const { located } = await actOnElement(call, {
      target: requiredTarget(args, session),
      fast: { do: 'select', values: args.values },
      fallback: async (field, signal) => choose(call.tab, field, args.values, { timeout, signal }),
      failure: { what: 'Selecting', timeoutMs: timeout },
      waitsFully,
      loadMs: settings.timeouts.load,
      isDirect: true,
      isByScript: true,
    });
    const chosen = args.values.map((value) => JSON.stringify(value)).join(', ') || 'nothing';
    response.text(`Selected ${chosen} in ${oneLine(labelOf(args, located.label))}.`);
    response.ran(located.code.call('selectOption', args.values));
  },
});

function fieldTarget(args: z.output<typeof field>, here: Place): Target {
  const name = args.name ?? '';
  return optionalTarget(args, here) ?? { kind: 'selector', selector: name, type: 'label', options: {}, given: name };
}

function checkField(args: z.output<typeof field>): void {
  if (checkTarget(args) !== undefined || args.name !== undefined) return;
  const problems = ['Each field needs a ref, or the name that its label says.'];
  throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['ref', 'name', 'type', 'value'] });
}

/** Converts numbers and booleans to text; a field may take several values. */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : value;
}

/** The result of a field that a dialog kept from being filled, or that opened it. */
function heldUp(args: z.output<typeof field>, target: Target, isCause: boolean): FieldResult {
  const problem = isCause ? 'A dialog opened while it was being filled; check its value.' : 'A dialog opened before.';
  return { label: args.element ?? args.name ?? target.given, value: '', problem };
}
