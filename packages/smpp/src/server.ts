import { createServer as createPlain, type Server, type Socket } from 'node:net';
import { createServer as createTls, type TlsOptions } from 'node:tls';
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
  /** Connections at once, above which new ones are closed unheard. Default 1,000. */
  maxConnections?: number;
  /** The same for one remote address. Default 100. */
  maxPerAddress?: number;
}

/** A listening SMSC. */
export interface SmppServer<Context> {
  readonly port: number;
  readonly sessions: ReadonlySet<Session<Context>>;
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
  const counted: SessionHandler<Context> = {
    onBind: (bind, session) => (handler.onBind ? handler.onBind(bind, session) : session.refuseBind(STATUS.RBINDFAIL)),
    onBound: (session) => handler.onBound?.(session),
    onResponses: (outcomes, session) => handler.onResponses?.(outcomes, session),
    onRequests: (requests, session, frames) => handler.onRequests?.(requests, session, frames),
    onReady: (session) => handler.onReady?.(session),
    onFault: (fault, session) => handler.onFault?.(fault, session),
    onClose(closing, session) {
      sessions.delete(session);
      handler.onClose?.(closing, session);
    },
  };

  const accept = (socket: Socket): void => {
    const address = socket.remoteAddress ?? '';
    const count = (perAddress.get(address) ?? 0) + 1;
    if (sessions.size >= maxConnections || count > maxPerAddress) {
      socket.destroy();
      return;
    }
    perAddress.set(address, count);
    socket.once('close', () => {
      const left = perAddress.get(address)! - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    sessions.add(new Session<Context>(socket, 'smsc', options, counted));
  };
  const server: Server = tls ? createTls({ minVersion: 'TLSv1.2', ...tls }, accept) : createPlain(accept);

  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all([...sessions].map((session) => session.unbind()));
    await closed;
  };

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : 0, sessions, stop });
    });
  });
}
