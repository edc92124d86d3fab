/** Another process runs under the name of this worker. */
export class Superseded extends Error {
  constructor(name: string, address: string) {
    super(`another process runs as worker ${JSON.stringify(name)}, at ${address}`);
    this.name = 'Superseded';
  }
}
