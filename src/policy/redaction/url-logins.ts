/** Snapshots leave out the scheme of a link that is the scheme of the page. */
const login = /(\b[a-z][a-z\d+.-]*:(?:\/|\\\/){2}|(?<![\w:/\\])\/\/(?=[^\s/?#"'<>\\]*:))[^\s/?#"'<>\\]*@/gi;

/** The text without user names and passwords in URLs. */
export function withoutLogins(text: string): string {
  return text.includes('@') ? text.replace(login, '$1[REDACTED]@') : text;
}
