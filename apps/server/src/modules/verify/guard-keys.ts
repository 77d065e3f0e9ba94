import { hash, hkdfSync } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** Kinds of counters. */
export const KINDS = { number: 1, address: 2, device: 3, block: 4 } as const;
export type Kind = keyof typeof KINDS;

/** Hexadecimal digits of a key: 12 octets. What is cut off of the digest keeps others from extending it. */
const KEY_DIGITS = 24;
/** Seconds of a bucket, and buckets of an hour. */
const BUCKET_S = 600;
export const BUCKETS_OF_AN_HOUR = 6;

export const bucketOf = (at: Date): number => Math.floor(at.getTime() / 1_000 / BUCKET_S);

/** Person behind a start, as far as the program has said. */
export interface Person {
  number: string;
  client_ip: string | null;
  device: string | null;
}

/** Counter of a start. Its key is a digest in hexadecimal, also of service and kind, so no two counters share one. */
export interface Counter {
  kind: Kind;
  key: string;
}

/** Makes the counters of starts. */
export class GuardKeys {
  /** One block of SHA-256, so that the digest is a keyed one. */
  readonly #key: string;

  constructor(installation: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', installation, '', 'verification counters', 32)).toString('hex');
  }

  /** Returns the counters of a person at a service. */
  of(serviceId: number, { number, client_ip, device }: Person): Counter[] {
    const counter = (kind: Kind, value: string): Counter => ({
      kind,
      key: hash('sha256', `${this.#key}${serviceId} ${kind} ${value}`, 'hex').slice(0, KEY_DIGITS),
    });
    const counters = [counter('number', number), counter('block', number.slice(0, -2))];
    if (client_ip !== null && client_ip !== '') counters.push(counter('address', networkOf(client_ip)));
    if (device !== null) counters.push(counter('device', device));
    return counters;
  }
}

/** Returns an address of version 4, or the /64 of one of version 6, of which one home has all. */
function networkOf(address: string): string {
  return isIPv4(address) ? address : groupsOf(address).slice(0, 4).join(':');
}

/** Returns the eight groups of an address of version 6, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  return [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  );
}

/** Returns the prefixes whose history is kept: 10,000 numbers in a row, a million, ten million, and all. */
export function prefixesOf(number: string) {
  const without = (digits: number) => number.slice(0, Math.max(1, number.length - digits));
  return { near: without(4), wide: without(6), range: without(7), service: '' };
}

/** Values of a reputation list that name a person: the beginnings of the number, the address, and its networks. */
export function reputationValues({ number, client_ip }: Person): string[] {
  const numbers = Array.from({ length: number.length }, (_, place) => number.slice(0, place + 1));
  if (client_ip === null) return numbers;
  if (!isIPv4(client_ip)) {
    const groups = groupsOf(client_ip);
    return [
      ...numbers,
      ...[3, 4].map((count) => `${groups.slice(0, count).join(':')}::/${count * 16}`),
      groups.join(':'),
    ];
  }
  const parts = client_ip.split('.');
  return [...numbers, client_ip, `${parts.slice(0, 3).join('.')}.0/24`, `${parts.slice(0, 2).join('.')}.0.0/16`];
}

/** Returns a line of a reputation list as it is compared: a number without +, an address or network; undefined for none. */
export function reputationValue(written: string): string | undefined {
  const digits = /^\+?(\d{3,15})$/.exec(written)?.[1];
  if (digits !== undefined) return digits;
  const [, address, size] = /^([\d.]+|[\da-fA-F:]+)(?:\/(\d{1,3}))?$/.exec(written) ?? [];
  if (address === undefined) return undefined;
  if (isIPv4(address)) {
    const parts = address.split('.');
    if (size === undefined || size === '32') return address;
    if (size === '24') return `${parts.slice(0, 3).join('.')}.0/24`;
    return size === '16' ? `${parts.slice(0, 2).join('.')}.0.0/16` : undefined;
  }
  if (!address.includes(':')) return undefined;
  const groups = groupsOf(address);
  if (groups.length !== 8 || groups.some((group) => !/^[\da-f]{1,4}$/.test(group))) return undefined;
  if (size === undefined || size === '128') return groups.join(':');
  const count = size === '64' ? 4 : size === '48' ? 3 : undefined;
  return count && `${groups.slice(0, count).join(':')}::/${size}`;
}
