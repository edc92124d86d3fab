/** Words of `toolsets`; which tools each one holds is said by the tools. */
export const toolsetNames = ['core', 'viewpoint', 'design', 'sessions', 'basic', 'playwright', 'all'] as const;
