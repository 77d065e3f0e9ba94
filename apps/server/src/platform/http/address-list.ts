import { BlockList, isIPv6 } from 'node:net';

/**
 * Answers an address in the form used for comparisons: a socket for both families shows an IPv4 address as `::ffff:…`.
 */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Tests addresses against a list that limits who may connect; an empty list allows all. */
export const allowedBy = (entries: readonly string[]): ((address: string) => boolean) =>
  entries.length === 0 ? () => true : addressList(entries);

/** Tests whether an address is in a list of addresses and networks, such as 192.0.2.1 and 2001:db8::/32. */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [ip = '', bits] = entry.trim().split('/');
    const family = isIPv6(ip) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(ip, family);
    else list.addSubnet(ip, Number(bits), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}
