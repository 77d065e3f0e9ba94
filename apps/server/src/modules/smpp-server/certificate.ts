import { readFileSync } from 'node:fs';
import { StartError } from '@heliograph/installation/start-error';
import type { SmppServer } from '@heliograph/smpp';
import type { ConnectedConfig } from '#platform/config/config';
import { repeat } from '#platform/jobs/repeat';
import type { Logger } from '#platform/log';

/**
 * Interval at which the certificate files are read again. Programs that renew certificates replace the files or the
 * link to their folder: both are found.
 */
const LOOK_MS = 2_000;

/**
 * Reads the certificate that the settings name; undefined if the port speaks plain TCP. Throws a StartError if a file
 * cannot be read.
 */
export function certificateOf(config: ConnectedConfig) {
  const { SMPP_SERVER_TLS_CERT: cert, SMPP_SERVER_TLS_KEY: key, SMPP_SERVER_TLS_CLIENT_CA: ca } = config;
  if (!cert || !key) return undefined;
  try {
    return {
      cert: readFileSync(cert),
      key: readFileSync(key),
      ...(ca && { ca: readFileSync(ca), requestCert: true, rejectUnauthorized: true }),
    };
  } catch (error) {
    throw new StartError(`The certificate of the SMPP server cannot be read: ${(error as Error).message}.`, 2);
  }
}

type Certificate = NonNullable<ReturnType<typeof certificateOf>>;

const isSame = (a: Certificate, b: Certificate) =>
  a.cert.equals(b.cert) && a.key.equals(b.key) && (a.ca ? b.ca !== undefined && a.ca.equals(b.ca) : !b.ca);

/**
 * Uses a replaced certificate from the next handshake on; existing binds stay. The previous certificate stays in use
 * while the new certificate and key do not match or cannot be read.
 */
export function followCertificate(
  config: ConnectedConfig,
  first: Certificate,
  smsc: Pick<SmppServer<unknown>, 'renewTls'>,
  log: Logger,
): { stop(): Promise<void> } {
  let shown = first;
  let told: string | undefined;
  const look = async () => {
    const found = certificateOf(config)!;
    if (!isSame(shown, found)) {
      smsc.renewTls(found);
      shown = found;
      log.info('renewed certificate in use');
    }
    told = undefined;
  };
  return repeat(LOOK_MS, look, (error) => {
    const { message } = error as Error;
    // Each fault is logged once, not at every look.
    if (told !== message) log.warn({ reason: message }, 'new certificate not usable; keeping previous');
    told = message;
  });
}
