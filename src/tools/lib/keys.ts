/** Keys as browsers name them; looked up case-insensitively. */
const names =
  'Enter Escape Tab Backspace Delete Insert Space Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight ' +
  'Control Shift Alt Meta ControlOrMeta F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12';
/** Aliases from keyboards and other programs. */
const otherNames: Readonly<Record<string, string>> = {
  return: 'Enter',
  esc: 'Escape',
  del: 'Delete',
  ins: 'Insert',
  spacebar: 'Space',
  pgup: 'PageUp',
  pgdn: 'PageDown',
  pgdown: 'PageDown',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  ctrl: 'Control',
  option: 'Alt',
  cmd: 'Meta',
  command: 'Meta',
  win: 'Meta',
  windows: 'Meta',
  super: 'Meta',
};
const known = new Map([
  ...names.split(' ').map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(otherNames),
]);

/** The other names that Playwright knows. */
const furtherNames =
  /^(?:Key[A-Z]|Digit\d|Numpad(?:\d|Divide|Multiply|Subtract|Add|Decimal|Enter)|Back(?:quote|slash)|Minus|Equal|Bracket(?:Left|Right)|(?:Caps|Scroll|Num)Lock|Semicolon|Quote|Comma|Period|Slash|(?:Shift|Control|Meta|Alt)(?:Left|Right)|AltGraph|ContextMenu|PrintScreen|Pause|Clear|AudioVolume(?:Mute|Down|Up)|MediaTrack(?:Next|Previous)|MediaPlayPause)$/;

/** Whether each part of a combination, in the browser's names, is a key or a character. */
export function areKeys(combination: string): boolean {
  return keysOf(combination).every(
    (key) => known.get(key.toLowerCase()) === key || furtherNames.test(key) || isCharacter(key),
  );
}

/** A key or a combination, in the browser's names: `ctrl+esc` is `Control+Escape`. */
export function keyNamed(given: string): string {
  return keysOf(given)
    .map((part) => known.get(part.trim().toLowerCase()) ?? (part.trim() || part))
    .join('+');
}

/** The keys of a combination. A plus separates two keys, unless it is itself a key. */
export function keysOf(combination: string): readonly string[] {
  return combination.split(/(?<=[^+]|\+\+)\+(?=.)/);
}

/** Whether it is a single character, which some keyboards have. */
export function isCharacter(given: string): boolean {
  return /^\P{C}/u.test(given) && [...new Intl.Segmenter().segment(given)].length === 1;
}
