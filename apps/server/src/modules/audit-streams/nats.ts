import { jetstream } from '@nats-io/jetstream';
import { type ConnectionOptions, connect, headers } from '@nats-io/transport-node';
import { DestinationFault } from '#modules/scheduled-files';
import type { ConnectedConfig } from '#platform/config/config';
import { allowedAddress } from '#platform/outbound/outbound';
import type { Item } from './items.ts';
import { type Broker, SERVER_PORTS } from './kafka.ts';

const WITHIN_MS = 10_000;
/** Items on the way to the server without its answer. */
const AT_ONCE = 100;

/**
 * Publishes items to subjects of a JetStream stream, the kind after the topic, and resolves when the stream has stored
 * all. Each carries its id, with which the server leaves out what it has. Throws DestinationFault and TargetError.
 */
export async function sendToNats(
  config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
  { servers, topic, encrypted, ca, username, secret }: Broker,
  items: readonly Item[],
): Promise<void> {
  // The library resolves the name again. It sends nothing before a server has introduced itself as NATS.
  for (const target of servers) await allowedAddress(config, { ...target, ports: SERVER_PORTS });
  const login: ConnectionOptions =
    username !== null ? { user: username, pass: secret } : secret === '' ? {} : { token: secret };
  const connection = await connect({
    servers: servers.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    name: 'heliograph',
    ...login,
    ...(encrypted && { tls: ca === null ? {} : { ca } }),
    timeout: WITHIN_MS,
    reconnect: false,
    // Servers that it names were not checked.
    ignoreClusterUpdates: true,
  }).catch((error: unknown) => {
    throw faultOfNats(error);
  });
  try {
    const stream = jetstream(connection, { timeout: WITHIN_MS });
    for (let from = 0; from < items.length; from += AT_ONCE) {
      await Promise.all(
        items.slice(from, from + AT_ONCE).map(({ id, kind, json }) => {
          const about = headers();
          about.set('Content-Type', 'application/json');
          return stream.publish(`${topic}.${kind}`, json, { msgID: id, headers: about });
        }),
      );
    }
  } catch (error) {
    throw faultOfNats(error);
  } finally {
    await connection.close();
  }
}

function faultOfNats(error: unknown): unknown {
  const { name = '', message = '', code, cause } = error as Error & { code?: string; cause?: Error };
  const said = `${name} ${message} ${cause?.name} ${cause?.message}`;
  if (/NoResponders|no responders|no stream|JetStreamNotEnabled/i.test(said))
    return new DestinationFault('topic_missing', error);
  if (/authorization|authentication/i.test(said)) return new DestinationFault('sign_in_refused', error);
  if (/permission/i.test(said)) return new DestinationFault('not_permitted', error);
  if (/certificate|TLS|SSL|altname/i.test(said)) return new DestinationFault('tls', error);
  if (/timeout/i.test(said)) return new DestinationFault('timeout', error);
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? error : new DestinationFault('unreachable', error);
}
