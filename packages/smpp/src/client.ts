import { connect as connectPlain, isIP, type LookupFunction, Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls';
import { Session } from './session.ts';
import type { BindCredentials, SessionHandler, SessionOptions } from './session-options.ts';

export interface ClientOptions extends SessionOptions {
  host: string;
  port: number;
  bind: BindCredentials;
  /** TLS from the first octet, 1.2 at least; `ca`, `cert`, `key`, `servername` as in node:tls. The name is checked. */
  tls?: TlsOptions | undefined;
  /**
   * Resolves the host, as that of node:net does, and may refuse what it finds; the answered address is connected to.
   * Default: the system's.
   */
  lookup?: LookupFunction | undefined;
  /** Error that keeps an address from being connected to; it is asked of a host that is an address. */
  refuse?: ((address: string) => Error | undefined) | undefined;
}

/** Connects as an ESME and binds. One session, no reconnect; every end is reported by onClose. */
export function openSession<Context>(options: ClientOptions, handler: SessionHandler<Context>): Session<Context> {
  const { tls } = options;
  const socket = connect(options);
  const session = new Session<Context>(socket, 'esme', options, handler);
  socket.once(tls ? 'secureConnect' : 'connect', () => {
    if (session.state === 'connecting') session.startBind(options.bind);
  });
  return session;
}

/** Opens the socket. A host that is an address is never looked up, so it is asked about here. */
function connect({ host, port, tls, lookup, refuse }: ClientOptions): Socket {
  const refused = isIP(host) !== 0 && refuse?.(host);
  if (refused) return new Socket().destroy(refused);
  // A carrier that closes its side first still gets the answers it waits for.
  const both = { host, port, allowHalfOpen: true, ...(lookup && { lookup }) };
  return tls ? connectTls({ minVersion: 'TLSv1.2', servername: host, ...tls, ...both }) : connectPlain(both);
}
