import { createServer as createPlain, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTls, type TlsOptions } from 'node:tls';
import { Session } from './session.ts';
import type { SessionHandler, SessionOptions } from './session-options.ts';
import { STATUS } from './status.ts';

export interface ServerOptions extends SessionOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** 0 takes a free port. */
  port: number;
  /** TLS from the first octet, 1.2 at least; `requestCert` and `ca` ask customers for a certificate. */
  tls?: TlsOptions | undefined;
  /** A customer whose TLS or certificate was refused; its socket is closed. */
  onHandshakeFailed?: ((error: Error, address: string | undefined) => void) | undefined;
  /** Connections at once, above which new ones are closed unheard. Default 1,000. */
  maxConnections?: number;
  /** The same for one remote address. Default 100. */
  maxPerAddress?: number;
}

const TLS = { minVersion: 'TLSv1.2' } as const;

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** A listening SMSC. */
export interface SmppServer<Context> {
  readonly port: number;
  readonly sessions: ReadonlySet<Session<Context>>;
  /**
   * Shows another certificate from the next handshake on; sessions stay as they are. Throws where certificate and key do
   * not fit each other, and goes on with the one before. Whether customers must show one of theirs does not change.
   */
  renewTls(tls: Pick<TlsOptions, 'cert' | 'key' | 'ca'>): void;
  /** Listens no longer, unbinds every session (see Session.unbind) and resolves when all are closed. */
  stop(): Promise<void>;
}

/** Listens as an SMSC; one handler serves all sessions. Rejects when the port cannot be taken. */
export function startServer<Context>(
  options: ServerOptions,
  handler: SessionHandler<Context>,
): Promise<SmppServer<Context>> {
  const { tls, maxConnections = 1_000, maxPerAddress = 100 } = options;
  const sessions = new Set<Session<Context>>();
  const perAddress = new Map<string, number>();
  /** Sockets whose TLS is not agreed on yet. */
  const handshaking = new Map<string, Socket>();
  let open = 0;
  const counted: SessionHandler<Context> = {
    onBind: (bind, session) => (handler.onBind ? handler.onBind(bind, session) : session.refuseBind(STATUS.RBINDFAIL)),
    onBound: (session) => handler.onBound?.(session),
    onResponses: (outcomes, session) => handler.onResponses?.(outcomes, session),
    onRequests: (requests, session, frames) => handler.onRequests?.(requests, session, frames),
    onReady: (session) => handler.onReady?.(session),
    onEnding: (session) => handler.onEnding?.(session),
    onFault: (fault, session) => handler.onFault?.(fault, session),
    onClose(closing, session) {
      sessions.delete(session);
      handler.onClose?.(closing, session);
    },
  };

  const accept = (socket: Socket): void => {
    handshaking.delete(nameOf(socket));
    sessions.add(new Session<Context>(socket, 'smsc', options, counted));
  };
  const shaking =
    tls && createTls({ ...TLS, allowHalfOpen: true, handshakeTimeout: options.bindMs ?? 10_000, ...tls }, accept);
  shaking?.on('tlsClientError', (error, socket) => {
    options.onHandshakeFailed?.(error, socket.remoteAddress);
    socket.destroy();
  });
  // Sockets are counted from their first packet: one that never ends its handshake takes a place like any other.
  const server: Server = createPlain({ allowHalfOpen: true }, (socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (perAddress.get(address) ?? 0) + 1;
    if (++open > maxConnections || count > maxPerAddress) {
      open--;
      socket.destroy();
      return;
    }
    perAddress.set(address, count);
    const name = nameOf(socket);
    socket.once('close', () => {
      open--;
      handshaking.delete(name);
      const left = perAddress.get(address)! - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    if (!shaking) return accept(socket);
    handshaking.set(name, socket);
    socket.on('error', () => undefined);
    shaking.emit('connection', socket);
  });

  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of handshaking.values()) socket.destroy();
    await Promise.all([...sessions].map((session) => session.unbind()));
    await closed;
  };

  const renewTls: SmppServer<Context>['renewTls'] = (renewed) => {
    const context = { ...TLS, ...tls, ...renewed };
    // The server would be left without any by one that does not fit.
    createSecureContext(context);
    shaking?.setSecureContext(context);
  };

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : 0, sessions, renewTls, stop });
    });
  });
}
