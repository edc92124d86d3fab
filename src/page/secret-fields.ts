/** Fields whose values nobody is to be shown, as a selector. */
export const secretFields =
  'input[type=password],input[autocomplete^=cc-],input[autocomplete=one-time-code],' +
  'input[autocomplete=current-password],input[autocomplete=new-password]';
