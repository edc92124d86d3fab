/** Words that describe an element without naming it. */
const plainWords = new Set(
  'a an and at button box check checkbox combobox control dropdown element entry field first for form icon image in input item label last link list menu of on option page radio row second select tab text textbox the this to toggle with'.split(
    ' ',
  ),
);

/** Whether a description shares no word with the element's name, but all of its words with the name of another element. */
export function namesAnother(description: string, name: string, names: readonly string[]): boolean {
  const wanted = wordsOf(description).filter((word) => !plainWords.has(word));
  if (wanted.length === 0 || name === '') return false;
  const own = wordsOf(name);
  if (wanted.some((word) => own.includes(word))) return false;
  return names.some((other) => wanted.every((word) => wordsOf(other).includes(word)));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
