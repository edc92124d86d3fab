import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * A set of IP addresses and networks, on Node's BlockList. An IPv6 address that embeds an IPv4 address is in the set if
 * the embedded address is: IPv4-mapped, IPv4-compatible, NAT64, SIIT and 6to4 addresses reach the same host.
 */
export class AddressSet {
  readonly #list = new BlockList();

  constructor(networks: readonly (readonly [address: string, prefix: number])[]) {
    for (const [address, prefix] of networks) this.#add(address, prefix);
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
    for (const embedding of ['::', '64:ff9b::', '::ffff:0:']) {
      this.#list.addSubnet(`${embedding}${address}`, 96 + prefix, 'ipv6');
    }
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
    this.#list.addSubnet(`2002:${groups.join(':')}::`, 16 + prefix, 'ipv6');
  }
}
