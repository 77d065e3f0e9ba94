import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '#platform/config/config';
import { asOwnerOf } from './as-owner.ts';
import { bad, type Found, ok, warn } from './finding.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

/** Checks that the certificate of the SMPP server can be read, belongs to its key, and does not expire soon. */
export async function certificate(config: Config, now = Date.now()): Promise<Found | undefined> {
  const { SMPP_SERVER_TLS_CERT, SMPP_SERVER_TLS_KEY } = config;
  if (SMPP_SERVER_TLS_CERT === undefined || SMPP_SERVER_TLS_KEY === undefined) return undefined;
  const read = async <Made>(setting: string, path: string, make: (pem: Buffer) => Made) => {
    try {
      return make(await asOwnerOf(config.DATA_DIR, async () => readFileSync(path)));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return `${setting} ${path} cannot be read: ${code ?? message}.`;
    }
  };
  const shown = await read('SMPP_SERVER_TLS_CERT', SMPP_SERVER_TLS_CERT, (pem) => new X509Certificate(pem));
  const key = await read('SMPP_SERVER_TLS_KEY', SMPP_SERVER_TLS_KEY, (pem) => createPrivateKey(pem));
  for (const fault of [shown, key])
    if (typeof fault === 'string')
      return bad(fault, 'Use a PEM file without a password that the account of the SMPP server can read.');
  const chain = shown as X509Certificate;
  if (!chain.checkPrivateKey(key as Exclude<typeof key, string>))
    return bad(
      'SMPP_SERVER_TLS_KEY is not the key of SMPP_SERVER_TLS_CERT.',
      'Use a certificate and its own key. The running SMPP server continues with its previous ones.',
    );
  const name = chain.subjectAltName ?? chain.subject;
  const days = Math.floor((chain.validToDate.getTime() - now) / DAY_MS);
  if (days < 0)
    return bad(`The certificate of the SMPP server (${name}) has expired.`, 'Renew it. No restart is needed.');
  const detail = `The certificate of the SMPP server (${name}) is valid for ${days} more days.`;
  return days < SOON_DAYS ? warn(detail, 'Find out why it was not renewed. No restart is needed.') : ok(detail);
}
