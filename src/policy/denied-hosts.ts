import { AddressSet } from './addresses.ts';

const metadataHost = 'metadata.google.internal';
/** Link-local networks and the metadata services of clouds, which hand out credentials. */
const deniedAddresses = new AddressSet([
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
]);

/** The rule that no option changes. */
export const alwaysDenied = 'link-local and cloud metadata addresses are always denied';

/** Whether a host, as a parsed URL spells it, is always denied. */
export function isDeniedHost(hostname: string): boolean {
  const host = plainHost(hostname);
  return host === metadataHost || deniedAddresses.has(host);
}

/** Lower case, without brackets and a trailing dot. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replaceAll(/^\[|\]$/g, '');
}
