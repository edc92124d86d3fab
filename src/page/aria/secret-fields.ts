/**
 * Fields whose values nobody is to be shown, as a selector. A list to search is not for passwords: it is only called so to
 * keep browsers from offering what they know.
 */
export const secretFields =
  ':is(input,textarea):is([type=password],[autocomplete^="cc-" i],[autocomplete*=" cc-" i],' +
  '[autocomplete~="one-time-code" i],' +
  ':is([autocomplete~="current-password" i],[autocomplete~="new-password" i]):not([role=combobox]))';
