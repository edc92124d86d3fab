/** Words to avoid, as regular expressions without anchors, and what to write instead. */
const everywhere: readonly (readonly [word: string, advice: string])[] = [
  ['told', '"reported"'],
  ['anew', '"again" or re-'],
  ['for ever', '"indefinitely"'],
  ['held up', '"blocked"'],
  ['holds? (?:it|them|the page|a page|a call|a click) up', '"block"'],
  ['in vain', '"without result"'],
  ['nobody|no one', 'the passive, or name the actor'],
  ['whoever', '"anyone who", or name the actor'],
  ["somebody|someone else(?:’s|'s)?", '"external" or name the actor'],
  ['of (?:its|our|their) own making', '"custom" or "own"'],
  ['of its own accord', '"by itself"'],
  ['short way', '"fast path"'],
  ['glances?', '"inline snapshot"'],
  ['grasp(?:s|ed)?', '"direct action"'],
  ['darkroom', '"re-encode"'],
  ['restless(?:ness)?', '"reload loop"'],
  ['stillness', '"freeze"'],
  ['tidier|littered', '"garbage collection"'],
  ['keeper', '"persistence"'],
  ['purse', '"budget"'],
  ['stowaway', 'an explicit field'],
  ['strays', '"unknown keys"'],
  ['deaf to', 'the CSS property'],
  ['likes', '"similar items"'],
  ['dear', '"expensive"'],
  ['gives? (?:it|them|that) up', '"abort"'],
  ['ourselves|themselves', 'rephrase'],
  ['lest|hence|thereby|therein|thereof|wherein', 'rephrase'],
  ['makes? (?:itself|oneself) known', '"announce"'],
  ['so far as|inasmuch', '"as far as"'],
];

/** Words with a legitimate technical meaning in code, which prose for users should still avoid. */
const inProse: readonly (readonly [word: string, advice: string])[] = [
  ['window', '"viewport"'],
  ['pictures?', '"screenshot" or "image"'],
  ['asks? for', '"requests"'],
  ['eyes', '"snapshot source"'],
  ['hearing', '"listeners"'],
  ['complaint', '"error"'],
];

interface Term {
  readonly pattern: RegExp;
  readonly advice: string;
}

const compiled = (terms: typeof everywhere): readonly Term[] =>
  terms.map(([word, advice]) => ({ pattern: new RegExp(String.raw`\b(?:${word})\b`, 'gi'), advice }));

const commentTerms = compiled(everywhere);
const proseTerms = compiled([...everywhere, ...inProse]);

function problemsWith(text: string, terms: readonly Term[]): readonly string[] {
  return terms.flatMap(({ pattern, advice }) => {
    const found = new Set(Array.from(text.matchAll(pattern), ([word]) => word));
    return Array.from(found, (word) => `"${word}": use ${advice}`);
  });
}

/** Words in a text for users that the glossary replaces. Code in backticks is not checked. */
export function problemsInProse(text: string): readonly string[] {
  return problemsWith(text.replaceAll(/`[^`\n]+`/g, '``'), proseTerms);
}

/** Words in the comments of a TypeScript source that the glossary replaces, with their lines. */
export function problemsInComments(source: string): readonly string[] {
  return source.split('\n').flatMap((line, index) => {
    const comment = /^\s*\/?\*+(.*)|(?:^|\s)\/\/ (.*)/.exec(line);
    const text = comment?.[1] ?? comment?.[2];
    return text === undefined ? [] : problemsWith(text, commentTerms).map((problem) => `${index + 1}: ${problem}`);
  });
}

/** The first argument of `test…(`, `describe…(` and, for tables, of the call after them. */
const title = /(?:\b(?:test|describe)\w*(?:\.\w+)*\(|\)\()\s*(['"`])((?:(?!\1).)*)\1/g;

/** Words in the titles of tests that the glossary replaces. */
export function problemsInTitles(source: string): readonly string[] {
  return Array.from(source.matchAll(title), ([, , text = '']) => text).flatMap((text) =>
    problemsWith(text, proseTerms).map((problem) => `${text}: ${problem}`),
  );
}
