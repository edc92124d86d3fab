/** The live resources of every page; each has the same identifier. */
export const liveKinds = ['page', 'snapshot', 'network-log', 'console-log'] as const;
