/** An object whose values are not known yet. */
export type Loose = Record<string, unknown>;

export function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path, if it exists. */
export function getPath(source: unknown, path: string): unknown {
  let value = source;
  for (const key of path.split('.')) {
    if (!isLoose(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** Sets a value at a dotted path; creates missing objects. */
export function setPath(target: Loose, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? path;
  let place = target;
  for (const key of keys) {
    const found = Object.hasOwn(place, key) ? place[key] : undefined;
    const next: Loose = isLoose(found) ? found : {};
    place[key] = next;
    place = next;
  }
  place[last] = value;
}

/** Removes the value at a dotted path, and objects that become empty. */
export function removePath(target: Loose, path: string): void {
  const dot = path.lastIndexOf('.');
  if (dot === -1) {
    delete target[path];
    return;
  }
  const parentPath = path.slice(0, dot);
  const parent = getPath(target, parentPath);
  if (!isLoose(parent)) return;
  delete parent[path.slice(dot + 1)];
  if (Object.keys(parent).length === 0) removePath(target, parentPath);
}
