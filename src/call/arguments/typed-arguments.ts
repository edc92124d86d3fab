/** Arguments that may be text for a password field. */
const typed = new Set(['text', 'value', 'values', 'promptText']);
export const hidden = '[REDACTED]';

/** Arguments without passwords; if it is doubtful what was typed, without anything that was typed. */
export function withoutTyped(value: unknown, isDoubtful: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTyped(item, isDoubtful));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isHidden = key === 'password' || (isDoubtful && typed.has(key));
      return [key, isHidden ? hidden : withoutTyped(item, isDoubtful)];
    }),
  );
}
