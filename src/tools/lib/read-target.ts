import { ToolError } from '../../errors.ts';
import type { Target } from '../../session/snapshot/target.ts';

/** No page has an element called `e1a2b3`: such a text is a ref, even if no snapshot has shown it. */
const shortRef = /^(?:f\d+)?e\d\w*$/;
const qualifiedRef = /^c(\d+)p(\d+)f(\d+)e(\d+)$/;

export function isRef(text: string): boolean {
  return shortRef.test(text) || qualifiedRef.test(text) || /^[\w-]+:(?:f\d+)?e\d\w*$/.test(text);
}

/** The session and tab of a call: refs that name a session or a tab must name these. */
export interface Place {
  readonly name: string;
  readonly tabs: readonly unknown[];
  readonly current: unknown;
}

/** Reads a ref (`e12`, `f1e2`, `name:e12`, `c0p0f0e1`) or returns the text as a selector. */
export function readTarget(text: string, here: Place): Target {
  const given = text;
  const qualified = qualifiedRef.exec(text);
  if (qualified !== null) {
    const [, context = '0', page = '0', frame = '0', element = '0'] = qualified;
    // c0 is the default session; other sessions have no number.
    if ((context === '0') !== (here.name === 'default'))
      throw new ToolError('REF_OF_OTHER_SESSION', { ref: text, session: `c${context}`, here: here.name });
    const tab = here.tabs.indexOf(here.current);
    if (tab >= 0 && Number(page) !== tab) throw new ToolError('REF_OF_OTHER_TAB', { ref: text, tab: page, here: tab });
    return { kind: 'ref', ref: frame === '0' ? `e${element}` : `f${frame}e${element}`, given };
  }
  if (shortRef.test(text)) return { kind: 'ref', ref: text, given };
  const colon = text.indexOf(':');
  if (colon > 0 && shortRef.test(text.slice(colon + 1)) && /^[\w-]+$/.test(text.slice(0, colon))) {
    const session = text.slice(0, colon);
    if (session !== here.name) throw new ToolError('REF_OF_OTHER_SESSION', { ref: text, session, here: here.name });
    return { kind: 'ref', ref: text.slice(colon + 1), given };
  }
  return byRole(text) ?? { kind: 'selector', selector: text, type: 'css', options: {}, given };
}

const roleAndName = /^([a-z]+) ("(?:[^"\\]|\\.)*")$/;

export function isRoleAndName(text: string): boolean {
  return roleAndName.test(text.trim());
}

/** An element as a snapshot writes it: `button "Save"`. In CSS no string can stand there. */
function byRole(given: string): Target | undefined {
  const [, role, name] = roleAndName.exec(given.trim()) ?? [];
  if (role === undefined || name === undefined) return undefined;
  try {
    const options = { name: String(JSON.parse(name)) };
    return { kind: 'selector', selector: role, type: 'role', options, given, prefersExact: true };
  } catch {
    return undefined;
  }
}
