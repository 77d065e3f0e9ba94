import { isIPv6 } from 'node:net';
import { plainAddress } from './address-list.ts';

const GROUPS = 8;

/**
 * Answers the address for which a client is counted: an IPv4 address itself, or for IPv6 the /64 that one customer has.
 */
export function addressGroup(ip: string): string {
  const plain = plainAddress(ip);
  if (!isIPv6(plain)) return plain;
  const [before = [], after = []] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, GROUPS / 2);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
