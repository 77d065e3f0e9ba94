import { connect as connectPlain } from 'node:net';
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls';
import { Session } from './session.ts';
import type { BindCredentials, SessionHandler, SessionOptions } from './session-options.ts';

export interface ClientOptions extends SessionOptions {
  host: string;
  port: number;
  bind: BindCredentials;
  /** TLS from the first octet, 1.2 at least; `ca`, `cert`, `key`, `servername` as in node:tls. The name is checked. */
  tls?: TlsOptions | undefined;
}

/** Connects as an ESME and binds. One session, no reconnect; every end is reported by onClose. */
export function openSession<Context>(options: ClientOptions, handler: SessionHandler<Context>): Session<Context> {
  const { host, port, tls } = options;
  // A carrier that closes its side first still gets the answers it waits for.
  const both = { host, port, allowHalfOpen: true };
  const socket = tls ? connectTls({ minVersion: 'TLSv1.2', servername: host, ...tls, ...both }) : connectPlain(both);
  const session = new Session<Context>(socket, 'esme', options, handler);
  socket.once(tls ? 'secureConnect' : 'connect', () => {
    if (session.state === 'connecting') session.startBind(options.bind);
  });
  return session;
}
