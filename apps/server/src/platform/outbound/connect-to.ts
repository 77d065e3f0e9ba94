import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, checkServerIdentity, connect as connectTls } from 'node:tls';
import type { ConnectedConfig } from '../config/config.ts';
import { allowedAddress } from './outbound.ts';

type TargetConfig = Pick<ConnectedConfig, 'PRIVATE_TARGETS'>;

/** Time in ms within which a connection must be made. */
const CONNECT_MS = 10_000;

/**
 * Connects to a host and port that a tenant named, at the address that was checked. `ports` are the allowed ones. Throws
 * TargetError, or an error with the code of the system; `ETIMEDOUT` after ten seconds.
 */
export async function connectTo(
  config: TargetConfig,
  target: { host: string; port: number; ports: readonly number[] },
): Promise<Socket> {
  const address = await allowedAddress(config, target);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: target.port, timeout: CONNECT_MS });
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
  });
}

/** A name that is no address, so that the socket asks for the checked address. */
const UNRESOLVED = 'checked.invalid';

/**
 * Begins a connection for libraries that want a socket immediately; with TLS if `secure` is given. The socket fails with
 * TargetError if the target is not allowed.
 */
export function connectChecked(
  config: TargetConfig,
  target: { host: string; port: number; ports: readonly number[] },
  secure?: { ca: string | null },
): Socket {
  const lookup: LookupFunction = (_name, options, answer) => {
    allowedAddress(config, target).then(
      (address) => {
        const family = isIP(address);
        if (options.all) answer(null, [{ address, family }]);
        else answer(null, address, family);
      },
      (error) => answer(error, '', 0),
    );
  };
  const to = { host: UNRESOLVED, port: target.port, lookup };
  if (!secure) return connect(to);
  return connectTls({
    ...to,
    ...(isIP(target.host) === 0 && { servername: target.host }),
    ...(secure.ca !== null && { ca: secure.ca }),
    minVersion: 'TLSv1.2',
    checkServerIdentity: (_name, certificate) => checkServerIdentity(target.host, certificate),
  });
}

type Made = (error: Error | null, stream?: Duplex) => void;
interface Wanted {
  host?: string | null;
  port?: number | string | null;
}

/**
 * Makes agents for libraries that call addresses of tenants over HTTP: each connection goes to an address that was
 * checked, as `connectTo` does.
 */
export function checkedAgents(config: TargetConfig, ports: readonly number[]) {
  const checked = (options: Wanted, secure: boolean) =>
    connectTo(config, { host: options.host ?? '', port: Number(options.port ?? (secure ? 443 : 80)), ports });
  class PlainAgent extends HttpAgent {
    override createConnection(options: Wanted, made: Made): undefined {
      checked(options, false).then((socket) => made(null, socket), made);
    }
  }
  class SecureAgent extends HttpsAgent {
    override createConnection(options: Wanted & object, made: Made): undefined {
      checked(options, true).then(
        (socket) => made(null, connectTls({ ...(options as ConnectionOptions), socket })),
        made,
      );
    }
  }
  return { httpAgent: new PlainAgent(), httpsAgent: new SecureAgent() };
}
