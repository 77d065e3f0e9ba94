import { isIPv6 } from 'node:net';
import { plainAddress } from './address-list.ts';

const GROUPS = 8;

/** The address that is counted for a client's: an IPv4 address itself, of IPv6 the /64 that one customer has. */
export function addressGroup(ip: string): string {
  const plain = plainAddress(ip);
  if (!isIPv6(plain)) return plain;
  const [before = [], after = []] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, GROUPS / 2);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
