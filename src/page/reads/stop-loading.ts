/** Ends requests of the document that have no answer. */
export function stopLoading(): void {
  stop();
}
