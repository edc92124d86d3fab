/** A placement that is not announced again for this long is free. */
export const defaultLeaseMs = 10_000;

/** How long calls and events are kept, so that a client can repeat a call or resume a stream. */
export const keptMs = 10 * 60_000;

/** Longer answers are not kept: a repeated call then learns only that it ran. */
export const longestAnswer = 64 * 1024;

/** Events of one connection. The oldest go first. */
export const mostEvents = 1000;
export const mostEventBytes = 4 * 1024 * 1024;
