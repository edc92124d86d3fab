import * as z from 'zod';
import './option-meta.ts';

export const clusterShape = {
  cluster: z
    .strictObject({
      url: z
        .url({ protocol: /^rediss?$/ })
        .optional()
        .meta({
          flag: 'cluster',
          placeholder: 'url',
          secret: true,
          defaultText: 'one process',
          description: 'Redis or Valkey of a cluster (redis://host:port); see docs/scale.md',
        }),
      role: z.enum(['gateway', 'worker', 'all']).default('all').meta({
        flag: 'role',
        description: 'What this process of a cluster does: accept clients, run sessions, or both',
      }),
      key: z.string().min(16).optional().meta({
        flag: 'cluster-key',
        placeholder: 'key',
        secret: true,
        description: 'Secret that the processes of a cluster share, of at least 16 characters',
      }),
      keyFile: z.string().optional().meta({
        flag: 'cluster-key-file',
        placeholder: 'path',
        description: 'File with the secret that the processes of a cluster share',
      }),
      workerName: z
        .string()
        .regex(/^[\w.-]{1,100}$/)
        .optional()
        .meta({
          flag: 'worker-name',
          placeholder: 'name',
          defaultText: 'host name and port',
          description: 'Name of this worker, the same after a restart',
        }),
      workerAddress: z
        .url({ protocol: /^https?$/ })
        .optional()
        .meta({
          flag: 'worker-address',
          placeholder: 'url',
          defaultText: 'host name and port',
          description: 'Where gateways reach this worker',
        }),
      sleepAfter: z.int().min(0).default(60_000).meta({
        flag: 'sleep-after',
        placeholder: 'ms',
        description:
          'Milliseconds without a call after which a session of a cluster is saved and its browser context closed; 0 means never',
      }),
    })
    .prefault({})
    .meta({ section: 'Cluster' }),
};
