import { dialogRowMs } from '../timing.ts';

/** Dialogs in a row that the caller answers: equal ones, and any. */
const mostEqual = 5;
const mostInRow = 20;
/** The script is stopped each time this many dialogs were dismissed. */
const dismissedPerStop = 20;

/** Detects a page that opens dialogs in a loop. From then on its dialogs are dismissed, until it navigates. */
export class DialogStorm {
  #isOn = false;
  #inRow = 0;
  #equal = 0;
  #last = '';
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Dismissed since the storm began, and since the last report. */
  #dismissed = 0;
  #unreported = 0;

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Dialogs that were dismissed since the storm began. */
  get count(): number {
    return this.#dismissed;
  }

  /** Counts a dialog that has opened; true if it is to be dismissed. */
  opened(description: string): boolean {
    const isInRow = performance.now() - this.#answeredAt < dialogRowMs;
    this.#inRow = isInRow ? this.#inRow + 1 : 1;
    this.#equal = isInRow && description === this.#last ? this.#equal + 1 : 1;
    this.#last = description;
    this.#isOn ||= this.#inRow > mostInRow || this.#equal > mostEqual;
    return this.#isOn;
  }

  /** Dismisses dialogs from now on, until the page navigates. */
  begin(): void {
    this.#isOn = true;
  }

  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** Counts a dismissed dialog; true if the script that opens them should be stopped. */
  dismissed(): boolean {
    this.#unreported++;
    return ++this.#dismissed % dismissedPerStop === 0;
  }

  /** The page has come to rest: the next dialog begins a new row. */
  rest(): void {
    this.#answeredAt = Number.NEGATIVE_INFINITY;
  }

  /** A new document may open dialogs again. */
  end(): void {
    this.#isOn = false;
    this.#dismissed = 0;
    this.rest();
  }

  /** The dismissed dialogs as a sentence; each is reported once. */
  take(): string | undefined {
    const count = this.#unreported;
    if (count === 0) return undefined;
    this.#unreported = 0;
    const [dialogs, were] = count === 1 ? ['1 dialog', 'was'] : [`${count} dialogs`, 'were'];
    const next = this.#isOn ? ' Further ones are dismissed until the page navigates.' : '';
    return `The page kept opening dialogs; ${dialogs} ${were} dismissed, the last one ${this.#last}.${next}`;
  }
}
