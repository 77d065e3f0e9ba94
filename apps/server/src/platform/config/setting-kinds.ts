import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseDatabaseUrl } from '../database/url.ts';

// Kinds of values that settings have.

const PORT_RANGE = 'a whole number from 0 to 65535 (0 takes any free port)';

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most));

export const port = (description: string, fallback: number) =>
  wholeNumber(0, 65_535)
    .default(fallback)
    .meta({ description, allowed: PORT_RANGE, fallback: String(fallback) });

/** Port of something that is off unless it is set. */
export const optionalPort = (description: string, fallback: string) =>
  wholeNumber(0, 65_535).optional().meta({ description, allowed: PORT_RANGE, fallback });

export const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol));

/** Web address to which paths are added. */
export const baseUrl = url('http:', 'https:').transform((value) => value.replace(/\/+$/, ''));

export const databaseUrl = z.string().refine((value) => parseDatabaseUrl(value) !== undefined);

const hostname = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i);

/** An address to listen on. */
export const host = (description: string) =>
  z
    .string()
    .refine((value) => isIP(value) > 0 || hostname.safeParse(value).success)
    .default('127.0.0.1')
    .meta({ description, allowed: 'an IP address or a host name', fallback: '127.0.0.1' });

export const folder = z.string().transform((path) => resolve(path));

export function isAddressList(value: string): boolean {
  return value.split(',').every((entry) => {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    const version = isIP(address);
    if (version === 0 || rest.length > 0) return false;
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  });
}

/**
 * Function that tells whether the address that is `hop` steps away from us (0 is the nearest) is one of our proxies.
 */
type TrustedHops = (address: string, hop: number) => boolean;

export const trustProxy = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => value === 'true' || value === 'false' || /^[1-9]$/.test(value) || isAddressList(value))
  .transform((value): boolean | string | TrustedHops => {
    if (value === 'true' || value === 'false') return value === 'true';
    if (!/^[1-9]$/.test(value)) return value;
    return (_address, hop) => hop < Number(value);
  });

/** DNS servers: IP addresses with or without a port, separated by commas; an IPv6 address with a port is in brackets. */
export const dnsServers = z
  .string()
  .transform((value) => value.split(',').map((entry) => entry.trim()))
  .refine((entries) =>
    entries.every((entry) => {
      const [, address = entry, port = '53'] = /^\[?([0-9a-f.:]+?)\]?:(\d{1,5})$/i.exec(isIP(entry) ? '' : entry) ?? [];
      return isIP(address) > 0 && Number(port) > 0 && Number(port) <= 65_535;
    }),
  );

/** Addresses and networks, separated by commas. */
export const addressList = z
  .string()
  .refine(isAddressList)
  .transform((value) => value.split(',').map((entry) => entry.trim()));
