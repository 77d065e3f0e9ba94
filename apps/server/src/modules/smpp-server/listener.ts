import { listenFaultLine } from '@heliograph/installation/ports';
import { StartError } from '@heliograph/installation/start-error';
import { type ServerOptions, type SessionHandler, type SmppServer, SocketLimits, startServer } from '@heliograph/smpp';
import type { ConnectedConfig } from '#platform/config/config';
import { addressList } from '#platform/http/address-list';
import type { Logger } from '#platform/log';
import { certificateOf, followCertificate } from './certificate.ts';

/** Maximum open sockets, in all and from one address, on both ports together. */
const MOST_SOCKETS = 5_000;
const MOST_OF_ADDRESS = 200;
/** Maximum unacknowledged receipts and replies to one bind. */
const WINDOW = 10_000;

/** Open ports of the SMPP server. */
export interface Listening {
  /** Port of SMPP_SERVER_PORT, and whether it uses TLS. */
  readonly port: number;
  readonly tls: boolean;
  /** Port of SMPP_SERVER_TLS_PORT; undefined if that is unset. */
  readonly tlsPort: number | undefined;
  stop(): Promise<void>;
}

/**
 * Listens for customers' programs, on a plain port, a port with TLS, or both, and follows changes of the certificate.
 * Throws a StartError if a port is taken or the certificate cannot be used.
 */
export async function listen<Context>(
  config: ConnectedConfig,
  handler: SessionHandler<Context>,
  log: Logger,
): Promise<Listening> {
  const { HOST: host, SMPP_SERVER_PROXIES: proxies, SMPP_SERVER_TLS_PORT: besides } = config;
  const tls = certificateOf(config);
  const limits = new SocketLimits(MOST_SOCKETS, MOST_OF_ADDRESS);
  const open: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(open.map((each) => each.stop()));
  };
  const start = async (portSetting: 'SMPP_SERVER_PORT' | 'SMPP_SERVER_TLS_PORT', encrypted: boolean) => {
    const port = config[portSetting]!;
    const options: ServerOptions = {
      host,
      port,
      tls: encrypted ? tls : undefined,
      limits,
      window: WINDOW,
      ...(proxies.length > 0 && {
        isProxy: addressList(proxies),
        onProxyFault: (reason, address) => log.info({ address, reason }, 'proxy connection refused'),
      }),
      onHandshakeFailed: ({ message }, address) => log.info({ address, reason: message }, 'TLS handshake failed'),
    };
    const smsc: SmppServer<Context> = await startServer<Context>(options, handler).catch((error) => {
      throw startErrorOf(error, { host, port, portSetting });
    });
    open.push(smsc);
    if (encrypted && tls) open.push(followCertificate(config, tls, smsc, log));
    return smsc.port;
  };
  try {
    const encrypted = tls !== undefined && besides === undefined;
    const port = await start('SMPP_SERVER_PORT', encrypted);
    const tlsPort = besides === undefined ? undefined : await start('SMPP_SERVER_TLS_PORT', true);
    return { port, tls: encrypted, tlsPort, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startErrorOf(error: NodeJS.ErrnoException, place: { host: string; port: number; portSetting: string }) {
  const { code, message } = error;
  // Errors about an unusable certificate have no such code.
  if (code?.startsWith('E') && !code.startsWith('ERR_')) return new StartError(listenFaultLine(code, place));
  return new StartError(`The SMPP server cannot listen on ${place.host}:${place.port}: ${message}.`);
}
