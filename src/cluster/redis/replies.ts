/** Lists of a script's reply; anything else is an empty one. */
export function listOf(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}

/** A text or number of a script's reply, as text. */
export function textOf(reply: unknown): string {
  return Buffer.isBuffer(reply) || typeof reply === 'number' || typeof reply === 'string' ? String(reply) : '';
}

export function numberOf(reply: unknown): number {
  return Number(textOf(reply));
}

/** Names and values in turn, as scripts return them. */
export function pairsOf(reply: unknown): readonly (readonly [string, unknown])[] {
  const list = listOf(reply);
  return Array.from(
    { length: Math.floor(list.length / 2) },
    (_, at) => [textOf(list[2 * at]), list[2 * at + 1]] as const,
  );
}
