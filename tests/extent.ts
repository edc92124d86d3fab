/** Set by vitest.long.config.ts: the tables run over every case, the random tests over more documents. */
export const isLongRun = process.env['PAGEHELM_TESTS'] === 'long';

/** Every case in the long run, some of them in the default run. */
export function casesOf<T>(all: readonly T[], isInDefaultRun: (one: T) => boolean): readonly T[] {
  return isLongRun ? all : all.filter(isInDefaultRun);
}

/** Where random documents begin: another seed gives other documents. */
export const firstSeed = Number(process.env['PAGEHELM_SEED'] ?? 1);
