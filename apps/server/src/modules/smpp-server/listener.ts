import { listenFaultLine } from '@heliograph/installation/ports';
import { StartError } from '@heliograph/installation/start-error';
import { type ServerOptions, type SessionHandler, type SmppServer, startServer } from '@heliograph/smpp';
import type { ConnectedConfig } from '#platform/config/config';
import { addressList } from '#platform/http/address-list';
import type { Logger } from '#platform/log';
import { certificateOf, followCertificate } from './certificate.ts';

/** Maximum open sockets, in all and from one address. */
const MOST_SOCKETS = 5_000;
const MOST_OF_ADDRESS = 200;
/** Maximum unacknowledged receipts and replies to one bind. */
const WINDOW = 10_000;

/**
 * Listens for customers' programs, and follows changes of the certificate. Throws a StartError if the port is taken or
 * the certificate cannot be used.
 */
export async function listen<Context>(
  config: ConnectedConfig,
  handler: SessionHandler<Context>,
  log: Logger,
): Promise<SmppServer<Context>> {
  const { HOST: host, SMPP_SERVER_PORT: port, SMPP_SERVER_PROXIES: proxies } = config;
  const tls = certificateOf(config);
  const options: ServerOptions = {
    host,
    port,
    tls,
    maxConnections: MOST_SOCKETS,
    maxPerAddress: MOST_OF_ADDRESS,
    window: WINDOW,
    ...(proxies.length > 0 && {
      isProxy: addressList(proxies),
      onProxyFault: (reason, address) => log.info({ address, reason }, 'proxy connection refused'),
    }),
    onHandshakeFailed: ({ message }, address) => log.info({ address, reason: message }, 'TLS handshake failed'),
  };
  try {
    const smsc = await startServer<Context>(options, handler);
    if (!tls) return smsc;
    const following = followCertificate(config, tls, smsc, log);
    return { ...smsc, stop: () => Promise.all([following.stop(), smsc.stop()]).then(() => undefined) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Errors about an unusable certificate have no such code.
    if (code?.startsWith('E') && !code.startsWith('ERR_'))
      throw new StartError(listenFaultLine(code, { host, port, portSetting: 'SMPP_SERVER_PORT' }));
    throw new StartError(`The SMPP server cannot listen on ${host}:${port}: ${(error as Error).message}.`);
  }
}
