import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * A set of IP addresses and networks, on Node's BlockList. An IPv6 address that embeds an IPv4 address is in the set if
 * the embedded address is: IPv4-mapped, IPv4-compatible, NAT64 (both prefixes), SIIT and 6to4 addresses reach the same
 * host.
 */
export class AddressSet {
  readonly #list = new BlockList();

  constructor(networks: readonly (readonly [address: string, prefix: number])[]) {
    for (const [address, prefix] of networks) this.#add(address, prefix);
    // The unspecified address, as a destination, is this machine.
    if (this.has('127.0.0.1')) this.#list.addAddress('0.0.0.0', 'ipv4');
    if (this.has('::1')) this.#list.addAddress('::', 'ipv6');
  }

  has(address: string): boolean {
    // A link-local address may carry a zone.
    const [plain = ''] = address.split('%');
    const kind = isIP(plain);
    return kind !== 0 && this.#list.check(plain, kind === 4 ? 'ipv4' : 'ipv6');
  }

  #add(address: string, prefix: number): void {
    if (!isIPv4(address)) {
      this.#list.addSubnet(address, prefix, 'ipv6');
      return;
    }
    // BlockList itself matches IPv4-mapped addresses.
    this.#list.addSubnet(address, prefix, 'ipv4');
    for (const embedding of ['::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:']) {
      this.#list.addSubnet(`${embedding}${address}`, 96 + prefix, 'ipv6');
    }
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
    this.#list.addSubnet(`2002:${groups.join(':')}::`, 16 + prefix, 'ipv6');
  }
}

const loopback: readonly (readonly [string, number])[] = [
  ['127.0.0.0', 8],
  ['0.0.0.0', 8],
  ['::1', 128],
];
const loopbackAddresses = new AddressSet(loopback);
/** Networks that are not part of the public internet: loopback, private use, shared, benchmarking, multicast, reserved. */
const privateAddresses = new AddressSet([
  ...loopback,
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);

/** Whether a host, as a parsed URL spells it, is this machine: browsers resolve localhost names without DNS. */
export function isLoopback(host: string): boolean {
  return isLocalName(host) || loopbackAddresses.has(host);
}

/** Whether an address or a localhost name is not on the public internet. */
export function isPrivate(host: string): boolean {
  return isLocalName(host) || privateAddresses.has(host);
}

function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost$/.test(host);
}
