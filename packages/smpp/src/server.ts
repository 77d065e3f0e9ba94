import { createServer as createPlain, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTls, type TlsOptions } from 'node:tls';
import { readProxyHeader } from './proxy-header.ts';
import { Session } from './session.ts';
import type { SessionHandler, SessionOptions } from './session-options.ts';
import { SocketLimits } from './socket-limits.ts';
import { STATUS } from './status.ts';

export interface ServerOptions extends SessionOptions {
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** Port to listen on; 0 takes a free one. */
  port: number;
  /** TLS from the first octet, 1.2 at least; `requestCert` and `ca` ask customers for a certificate. */
  tls?: TlsOptions | undefined;
  /** Called when a client's TLS or certificate was refused; its socket is closed. */
  onHandshakeFailed?: ((error: Error, address: string | undefined) => void) | undefined;
  /** Limits of open connections; further ones are closed unread. Default 1,000, and 100 of one remote address. */
  limits?: SocketLimits | undefined;
  /**
   * Answers whether an address is a proxy's. A proxy's connections begin with a PROXY header, which names the client.
   * Default: none is.
   */
  isProxy?: ((address: string) => boolean) | undefined;
  /** Called for a proxy's connection without a valid PROXY header; it is closed. */
  onProxyFault?: ((reason: string, address: string) => void) | undefined;
}

const TLS = { minVersion: 'TLSv1.2' } as const;

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** A listening SMSC. */
export interface SmppServer<Context> {
  readonly port: number;
  readonly sessions: ReadonlySet<Session<Context>>;
  /**
   * Uses another certificate from the next handshake on; sessions stay. Throws if certificate and key do not match, and
   * keeps the previous one. Whether clients must show a certificate does not change.
   */
  renewTls(tls: Pick<TlsOptions, 'cert' | 'key' | 'ca'>): void;
  /** Stops listening, unbinds every session (see Session.unbind) and resolves when all are closed. */
  stop(): Promise<void>;
}

/** Listens as an SMSC; one handler serves all sessions. Rejects if the port cannot be taken. */
export function startServer<Context>(
  options: ServerOptions,
  handler: SessionHandler<Context>,
): Promise<SmppServer<Context>> {
  const { tls, limits = new SocketLimits(1_000, 100) } = options;
  const sessions = new Set<Session<Context>>();
  /** Sockets that have not finished the TLS handshake, or wait for a proxy to name the client. */
  const waiting = new Set<Socket>();
  /** Addresses of clients behind proxies, by the names of their sockets. */
  const behindProxy = new Map<string, string>();
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
    sessions.add(new Session<Context>(socket, 'smsc', options, counted, behindProxy.get(nameOf(socket))));
  };
  const bindMs = options.bindMs ?? 10_000;
  const shaking =
    tls &&
    createTls({ ...TLS, allowHalfOpen: true, handshakeTimeout: bindMs, ...tls }, (socket) => {
      for (const each of waiting) if (nameOf(each) === nameOf(socket)) waiting.delete(each);
      accept(socket);
    });
  shaking?.on('tlsClientError', (error, socket) => {
    options.onHandshakeFailed?.(error, behindProxy.get(nameOf(socket)) ?? socket.remoteAddress);
    socket.destroy();
  });
  const open = (socket: Socket, address: string): void => {
    if (!limits.takeFrom(address, socket)) socket.destroy();
    else if (shaking) {
      waiting.add(socket);
      shaking.emit('connection', socket);
    } else accept(socket);
  };
  // Sockets are counted from their first packet: one that never finishes its handshake takes a place like any other.
  const server: Server = createPlain({ allowHalfOpen: true }, (socket) => {
    if (!limits.take(socket)) {
      socket.destroy();
      return;
    }
    const name = nameOf(socket);
    const own = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    socket.on('error', () => undefined);
    socket.once('close', () => {
      waiting.delete(socket);
      behindProxy.delete(name);
    });
    if (!options.isProxy?.(own)) return open(socket, own);
    waiting.add(socket);
    const named = (client: string | undefined): void => {
      waiting.delete(socket);
      if (client !== undefined) behindProxy.set(name, client);
      open(socket, client ?? own);
    };
    readProxyHeader(socket, bindMs, named, (reason) => options.onProxyFault?.(reason, own));
  });

  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of waiting) socket.destroy();
    await Promise.all([...sessions].map((session) => session.unbind()));
    await closed;
  };

  const renewTls: SmppServer<Context>['renewTls'] = (renewed) => {
    const context = { ...TLS, ...tls, ...renewed };
    // Checked first: a certificate that does not match would leave the server without any.
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
