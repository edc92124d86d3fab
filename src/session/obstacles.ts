import type { Named, WhyNot } from '../page/protocol.ts';

/** Why an element cannot be acted on, in words; undefined when nothing stands in the way. */
export function obstacleText(why: WhyNot | undefined): string | undefined {
  switch (why?.is) {
    case undefined:
    case 'none':
      return undefined;
    case 'gone':
      return 'it is no longer on the page.';
    case 'disabled':
      return 'it is disabled.';
    case 'hidden':
      return 'it is not visible.';
    case 'read-only':
      return 'it is read-only.';
    case 'outside':
      return 'it is outside of the viewport and cannot be scrolled into it.';
    case 'covered':
      return coveredText(why);
  }
}

function coveredText({ by, ways = [] }: WhyNot): string {
  if (by === undefined) return 'it is covered by another element.';
  const inside = ways.length === 0 ? '' : ` In it: ${ways.map(label).join(', ')}.`;
  return `it is covered by ${label(by)}.${inside}`;
}

function label({ ref, role, name }: Named): string {
  return `${role}${name === '' ? '' : ` ${JSON.stringify(name.slice(0, 80))}`} [ref=${ref}]`;
}
