import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { root } from '../built.ts';
import { renderChart } from './helm-template.ts';

export const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

const serviceSchema = z.looseObject({
  networks: z.array(z.string()),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
});

/** The Compose file of a cluster. */
export const { services, networks } = z
  .looseObject({ services: z.record(z.string(), serviceSchema), networks: z.record(z.string(), z.unknown()) })
  .parse(parse(read('packaging/compose/cluster.yaml'), { merge: true }));

export function service(name: string): z.infer<typeof serviceSchema> {
  return serviceSchema.parse(services[name]);
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // The rest depends on the kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [key: string]: any;
}

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

export const chartFolder = 'packaging/helm/pagehelm/';

/** The files of the chart by their path in it. */
export const chartFiles: ReadonlyMap<string, string> = new Map(
  readdirSync(`${root}${chartFolder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.\w+$/.test(path))
    .map((path) => [path.replaceAll('\\', '/'), read(`${chartFolder}${path}`)] as const),
);

/** Values without which the chart is refused. */
export const leastValues = `
redis: { url: "redis://redis:6379" }
clusterKey: a-secret-of-the-cluster
apiKeys: { ann: a-long-random-key }
`;

/** The manifests of the release "rel" in the namespace "agents". */
export function render(values: string): readonly Manifest[] {
  const rendered = renderChart({ name: 'rel', namespace: 'agents', files: chartFiles, values });
  return [...rendered]
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([name, text]) =>
      parseAllDocuments(text).flatMap((document) => {
        expect(document.errors, name).toEqual([]);
        const content: unknown = document.toJS();
        return content === null ? [] : [manifestSchema.parse(content)];
      }),
    );
}

export function named(manifests: readonly Manifest[]): readonly string[] {
  return manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

export function find(manifests: readonly Manifest[], name: string): Manifest {
  const found = manifests.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name);
  if (found === undefined) throw new Error(`There is no ${name}; there are ${named(manifests).join(', ')}`);
  return found;
}
