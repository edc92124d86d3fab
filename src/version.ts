declare const PAGEHELM_VERSION: string | undefined;

/** Written into the bundle by the build. */
export const version: string = typeof PAGEHELM_VERSION === 'string' ? PAGEHELM_VERSION : '0.0.0-source';
