import * as z from 'zod';

/** What a process of the cluster is started with. */
export const programOptions = z.object({
  role: z.enum(['gateway', 'worker']),
  /** The same after a restart. */
  name: z.string(),
  port: z.number(),
  /** Where gateways reach a worker. */
  address: z.string().optional(),
  redis: z.string(),
  leaseMs: z.number(),
  clusterKey: z.string(),
  drivers: z.array(z.string()),
  /** Counts the effects. */
  sink: z.string(),
  /** A fault that the checker must find. */
  broken: z.enum(['epochs', 'keeper']).optional(),
  isLogged: z.boolean(),
});

export type ProgramOptions = z.output<typeof programOptions>;
export type Broken = ProgramOptions['broken'];

export function keyOf(driver: string): string {
  return `key-of-${driver}`;
}
