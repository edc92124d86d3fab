/** Whether a version is newer than another; versions that are not numbers compare as equal. */
export function isNewer(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) =>
    /^\d+\.\d+\.\d+$/.test(text) ? text.split('.').map(Number) : [],
  );
  if (ours === undefined || theirs === undefined || ours.length !== theirs.length) return false;
  const place = ours.findIndex((part, index) => part !== theirs[index]);
  return place !== -1 && (ours[place] ?? 0) > (theirs[place] ?? 0);
}
