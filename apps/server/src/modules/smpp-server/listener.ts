import { readFileSync } from 'node:fs';
import { type ServerOptions, type SessionHandler, type SmppServer, startServer } from '@heliograph/smpp';
import type { ConnectedConfig } from '#platform/config';
import type { Logger } from '#platform/log';
import { StartError } from '#platform/start-error';

/** Sockets at once, and from one address. */
const MOST_SOCKETS = 5_000;
const MOST_OF_ADDRESS = 200;
/** Receipts and replies under way to one bind. */
const WINDOW = 10_000;

/** Listens for customers' programs. Throws a StartError where the port or the certificate cannot be had. */
export async function listen<Context>(
  config: ConnectedConfig,
  handler: SessionHandler<Context>,
  log: Logger,
): Promise<SmppServer<Context>> {
  const { HOST: host, SMPP_SERVER_PORT: port } = config;
  const options: ServerOptions = {
    host,
    port,
    tls: certificateOf(config),
    maxConnections: MOST_SOCKETS,
    maxPerAddress: MOST_OF_ADDRESS,
    window: WINDOW,
    onHandshakeFailed: ({ message }, address) => log.info({ address, reason: message }, 'TLS is refused'),
  };
  try {
    return await startServer<Context>(options, handler);
  } catch (error) {
    throw new StartError(`The SMPP server cannot listen on ${host}:${port}: ${(error as Error).message}.`);
  }
}

function certificateOf(config: ConnectedConfig) {
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
