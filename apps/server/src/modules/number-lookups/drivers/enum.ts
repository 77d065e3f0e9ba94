import { Resolver } from 'node:dns/promises';
import { allowedAddress } from '#platform/outbound/outbound';
import { type Asked, type LookupAnswer, type Source, splitCode } from './answer.ts';

const DNS_PORT = 53;
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Queries under way at the same time. */
const AT_ONCE = 50;

/** Returns the name under which a number is asked: its digits backwards (RFC 6116, 3.2). */
export const enumName = (msisdn: string, zone: string): string => `${[...msisdn].reverse().join('.')}.${zone}`;

/** Returns the codes of a network in a NAPTR record; carriers write them in three ways. */
export function codeIn(text: string): readonly [string, string] | null {
  const [, mnc, mcc] = /mnc[.=]?(\d{2,3})[.;]mcc[.=]?(\d{3})/i.exec(text) ?? [];
  if (mcc && mnc) return splitCode(mcc + shortened(mnc));
  const [, country, network] = /mcc[.=]?(\d{3})[.;]mnc[.=]?(\d{2,3})/i.exec(text) ?? [];
  return country && network ? splitCode(country + shortened(network)) : null;
}

/** Codes in names of 3GPP have three digits; those of two are filled up with a zero. */
const shortened = (mnc: string): string => (mnc.length === 3 && mnc.startsWith('0') ? mnc.slice(1) : mnc);

/** Codes of DNS errors that say that a number is not there, so that it has no answer. */
const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks an ENUM server for numbers by DNS. A number that the zone does not have is unknown. */
export async function askEnum(
  config: Parameters<typeof allowedAddress>[0],
  { server, zone }: Pick<Source, 'server' | 'zone'>,
  numbers: readonly string[],
): Promise<Asked> {
  const [, host = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(server ?? '')?.filter((each) => each) ?? [];
  const to = { host, port: Number(port ?? DNS_PORT), ports: [DNS_PORT] };
  let address: string;
  try {
    address = await allowedAddress(config, to);
  } catch (error) {
    return { answers: new Map(), fault: (error as { code?: string }).code ?? 'unknown_host' };
  }
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  resolver.setServers([`${address.includes(':') ? `[${address}]` : address}:${to.port}`]);
  const answers = new Map<string, LookupAnswer>();
  let fault: string | null = null;
  const ask = async (msisdn: string) => {
    try {
      const records = await resolver.resolveNaptr(enumName(msisdn, zone ?? ''));
      const usable = records
        .filter(({ service }) => /^E2U\+/i.test(service))
        .sort((a, b) => a.order - b.order || a.preference - b.preference);
      const code = usable.map(({ regexp, replacement }) => codeIn(`${regexp} ${replacement}`)).find((each) => each);
      answers.set(msisdn, { code: code ?? null, dead: false });
    } catch (error) {
      const { code = 'unreachable' } = error as { code?: string };
      if (NOT_THERE.has(code)) answers.set(msisdn, { code: null, dead: false });
      else fault ??= code === 'ETIMEOUT' ? 'timeout' : 'unreachable';
    }
  };
  for (let start = 0; start < numbers.length && fault === null; start += AT_ONCE)
    await Promise.all(numbers.slice(start, start + AT_ONCE).map(ask));
  return { answers, fault };
}
