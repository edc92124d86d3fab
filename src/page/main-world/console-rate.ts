/** Messages that a document may write at once, and per second after that; as many as the server accepts. */
const burst = 2000;
const perSecond = 300;

/** Whether a message may be written; `report` for the first of some that may not. */
export type RateVerdict = 'write' | 'report' | 'drop';

/** Counts the console messages of a document. A large message counts as several. */
export function limitRate(now: () => number): (messages: number) => RateVerdict {
  let left = burst;
  let at = now();
  let isDropping = false;
  return (messages) => {
    const gained = ((now() - at) * perSecond) / 1000;
    // Refilled by the second: otherwise single messages of a flood would pass, each with a report of its own.
    if (left >= 1 || gained >= perSecond) {
      left = left + gained > burst ? burst : left + gained;
      at = now();
    }
    if (left >= 1) {
      left -= messages;
      isDropping = false;
      return 'write';
    }
    const verdict = isDropping ? 'drop' : 'report';
    isDropping = true;
    return verdict;
  };
}
