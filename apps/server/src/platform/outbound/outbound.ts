import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectedConfig } from '../config/config.ts';
import { addressList } from '../http/address-list.ts';

/** Reason why we do not connect to a target that a tenant named. */
export type TargetFault = 'unknown_host' | 'address_not_allowed' | 'port_not_allowed';

/** Target that may not be connected to, or does not exist. */
export class TargetError extends Error {
  readonly code: TargetFault;
  constructor(code: TargetFault) {
    super(code);
    this.code = code;
  }
}

/** IPv4 networks that are never public addresses (IANA special-purpose registry, RFC 6890), and multicast. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/**
 * IPv6 networks with public addresses: only 2000::/3, without the parts below, which carry or represent other
 * addresses.
 */
const PUBLIC_6 = ['2000::/3'];
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Ports of the web that tenants' addresses may use. */
export const WEB_PORTS: readonly number[] = [80, 443, 8080, 8443];

/** Answers the target of an http or https address, an IPv6 address without its brackets. */
export const hostOf = ({ hostname, port, protocol }: URL): { host: string; port: number } => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1'),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
});

const isNotPublic = addressList([...NOT_PUBLIC, ...NOT_PUBLIC_6]);
const isOfPublic6 = addressList(PUBLIC_6);

/** Whether an address is a public one. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !isNotPublic(address);
  return family === 6 && isOfPublic6(address) && !isNotPublic(address);
}

type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>;

const resolveAll: Resolve = (host) => lookup(host, { all: true });

/**
 * Resolves a host that a tenant named, once, and answers the address to connect to; it is never resolved a second time.
 * Every address must be public and the port one of `ports`, or lie in PRIVATE_TARGETS, for which any port is good.
 * Throws TargetError.
 */
export async function allowedAddress(
  config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
  target: { host: string; port: number; ports: readonly number[] },
  resolve: Resolve = resolveAll,
): Promise<string> {
  const found = await resolve(target.host).catch(() => []);
  const [first] = found;
  if (!first) throw new TargetError('unknown_host');
  const isNamed = addressList(config.PRIVATE_TARGETS);
  if (found.every(({ address }) => isNamed(address))) return first.address;
  if (!found.every(({ address }) => isNamed(address) || isPublicAddress(address)))
    throw new TargetError('address_not_allowed');
  if (!target.ports.includes(target.port)) throw new TargetError('port_not_allowed');
  return first.address;
}

/** Settings that say where carriers may be. */
export type CarrierConfig = Pick<ConnectedConfig, 'PRIVATE_CARRIERS'>;

/** Tests whether a carrier may be at an address: a public one, or one of PRIVATE_CARRIERS; any if that is unset. */
export function carrierAddresses({ PRIVATE_CARRIERS: named }: CarrierConfig): (address: string) => boolean {
  if (named === undefined) return () => true;
  const isNamed = addressList(named);
  return (address) => isNamed(address) || isPublicAddress(address);
}

/**
 * Answers how a link's host is resolved: once for each connection, to addresses that are all allowed. The connection
 * uses an address that was checked, so a name that changes in between leads nowhere else.
 */
export function carrierLookup(config: CarrierConfig, resolve: Resolve = resolveAll) {
  const isAllowed = carrierAddresses(config);
  const refuse = (address: string) => (isAllowed(address) ? undefined : new TargetError('address_not_allowed'));
  const look: LookupFunction = (host, options, answer) => {
    void resolve(host).then(
      (found) => {
        const wanted = options.family ? found.filter(({ family }) => family === Number(options.family)) : [...found];
        const fault = found.map(({ address }) => refuse(address)).find((each) => each !== undefined);
        if (fault || !wanted[0]) answer(fault ?? new TargetError('unknown_host'), '', 0);
        else if (options.all) answer(null, wanted);
        else answer(null, wanted[0].address, wanted[0].family);
      },
      (error) => answer(error, '', 0),
    );
  };
  return { lookup: look, refuse };
}
