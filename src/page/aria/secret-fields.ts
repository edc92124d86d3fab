/**
 * Selector of fields whose values are never shown. A combobox is excluded: it uses such an `autocomplete` value only to
 * turn off the browser's suggestions.
 */
export const secretFields =
  ':is(input,textarea):is([type=password],[autocomplete^="cc-" i],[autocomplete*=" cc-" i],' +
  '[autocomplete~="one-time-code" i],' +
  ':is([autocomplete~="current-password" i],[autocomplete~="new-password" i]):not([role=combobox]))';
