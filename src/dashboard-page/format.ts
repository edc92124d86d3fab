const kilo = 1000;
const mega = 1024 * 1024;

export function duration(ms: number): string {
  if (ms < kilo) return `${Math.round(ms)} ms`;
  const seconds = ms / kilo;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

/** `9:41`. */
export function clockLeft(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / kilo));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / mega)} MB`;
}

export function count(value: number): string {
  return value < 10 * kilo ? String(value) : `${Math.round(value / kilo)}k`;
}

export function clock(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour12: false });
}

/** The arguments of a call in one line. */
export function summary(args: unknown): string {
  const entries = Object.entries(Object(args)).filter(([, value]) => value !== undefined);
  return entries
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
