/** Values of `toolsets`; each tool declares the toolsets it is in. */
export const toolsetNames = ['core', 'viewpoint', 'design', 'sessions', 'basic', 'playwright', 'all'] as const;
