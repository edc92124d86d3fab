import { code, table } from './markdown.ts';

/** One row of the layer table; see tests/contract/layers.ts. */
interface Layer {
  readonly imports: readonly string[];
  readonly values?: readonly string[];
  readonly types?: readonly string[];
}

/** The layer table of docs/architecture.md. */
export function layerTable(layers: Readonly<Record<string, Layer>>): string {
  const list = (names: readonly string[]): string => names.map(code).join(', ');
  const rows = Object.entries(layers).map(([name, { imports, values = [], types = [] }]) => [
    code(name),
    imports.length === 0 ? '—' : list(imports),
    [
      ...(values.length === 0 ? [] : [list(values)]),
      ...(types.length === 0 ? [] : [`${list(types)} (types only)`]),
    ].join(', '),
  ]);
  return table(['Layer', 'May import', 'Packages'], rows);
}

/** The exceptions to the layer table, with their reasons. */
export function exceptionTable(
  exceptions: readonly { readonly from: string; readonly to: string; readonly why: string }[],
): string {
  const rows = exceptions.map(({ from, to, why }) => [
    code(from),
    to === '' ? 'a computed module name' : code(to),
    why,
  ]);
  return table(['File', 'Imports', 'Reason'], rows);
}

/** Folders named in the first column of the folder table: `src/a/` and, in rows below it, `src/a/b/`. */
export function listedFolders(page: string): readonly string[] {
  return [...page.matchAll(/^\| `src\/([^`]+)\/` \|/gm)].map(([, folder = '']) => folder);
}
