/** The stores did not answer in time or are not connected. What was sent may or may not have been done. */
export class StoresUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The stores of the cluster do not answer: ${reason}`, options);
    this.name = 'StoresUnavailable';
  }
}
