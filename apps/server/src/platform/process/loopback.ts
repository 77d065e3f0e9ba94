import { isIP } from 'node:net';

/** Returns a host without the brackets that addresses of IPv6 have in a URL. */
const plain = (host: string): string => host.toLowerCase().replace(/^\[|\]$/g, '');

/** Tells whether a host of a URL is an IP address. */
export const isAddress = (host: string): boolean => isIP(plain(host)) !== 0;

/** Tells whether only this machine reaches a host. */
export function isLoopback(host: string): boolean {
  const name = plain(host);
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost');
  return name === '::1' || /^(::ffff:)?127\./.test(name);
}
