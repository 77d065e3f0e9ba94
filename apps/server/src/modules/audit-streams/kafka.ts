import type { KafkaJSError, SASLOptions } from 'kafkajs';
import { DestinationFault } from '#modules/scheduled-files';
import type { ConnectedConfig } from '#platform/config/config';
import { connectChecked } from '#platform/outbound/connect-to';
import { TargetError } from '#platform/outbound/outbound';
import type { Item } from './items.ts';

/** Ports that a server of a tenant may have: those that belong to no other service. */
export const SERVER_PORTS: readonly number[] = Array.from({ length: 65_536 - 1_024 }, (_, i) => i + 1_024);

/** Servers that take what a stream sends to a topic or a subject, and the login. */
export interface Broker {
  servers: { host: string; port: number }[];
  topic: string;
  encrypted: boolean;
  /** Certificates in PEM from which the servers' must come; null for those that are known publicly. */
  ca: string | null;
  mechanism: string;
  username: string | null;
  secret: string;
}

const WITHIN_MS = 20_000;
/** Octets of a request, below the usual limit of a megabyte. */
const REQUEST_BYTES = 700_000;

/**
 * Sends items to a topic, in the order of their keys, and resolves when all replicas in step have them. Brokers that the
 * first one names are checked as well. Throws DestinationFault and TargetError.
 */
export async function sendToKafka(
  config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
  broker: Broker,
  items: readonly Item[],
): Promise<void> {
  // The library is large: a process that sends nothing to Kafka never loads it.
  const { CompressionTypes, Kafka, logLevel } = await import('kafkajs').then((loaded) => loaded.default);
  let refused: unknown;
  const kafka = new Kafka({
    clientId: 'heliograph',
    brokers: broker.servers.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    ssl: broker.encrypted,
    ...(broker.username !== null && { sasl: saslOf(broker) }),
    logLevel: logLevel.NOTHING,
    connectionTimeout: WITHIN_MS,
    authenticationTimeout: WITHIN_MS,
    requestTimeout: WITHIN_MS,
    // The stream tries again by itself.
    retry: { retries: 1, initialRetryTime: 200 },
    socketFactory: ({ host, port, onConnect }) => {
      const target = { host: host.replace(/^\[|\]$/g, ''), port, ports: SERVER_PORTS };
      const socket = connectChecked(config, target, broker.encrypted ? { ca: broker.ca } : undefined);
      socket.once('error', (error) => {
        refused = error;
      });
      socket.once(broker.encrypted ? 'secureConnect' : 'connect', onConnect);
      return socket;
    },
  });
  // One request at a time: a second one on the way could overtake the first.
  const producer = kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 });
  try {
    await producer.connect();
    for (const part of partsOf(items))
      await producer.send({
        topic: broker.topic,
        acks: -1,
        timeout: WITHIN_MS,
        compression: CompressionTypes.GZIP,
        messages: part.map(({ id, key, kind, at, json }) => ({
          key,
          value: json,
          timestamp: String(Date.parse(at)),
          headers: { id, type: kind, 'content-type': 'application/json' },
        })),
      });
  } catch (error) {
    throw faultOfKafka(error as KafkaJSError, refused);
  } finally {
    await producer.disconnect().catch(() => undefined);
  }
}

const saslOf = ({ mechanism, username, secret }: Broker) =>
  ({ mechanism, username: username!, password: secret }) as SASLOptions;

/** Cuts items into requests that a broker takes. */
export function* partsOf(items: readonly Item[]): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    if (bytes > 0 && bytes + item.json.length > REQUEST_BYTES) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(item);
    bytes += item.json.length;
  }
  if (part.length > 0) yield part;
}

/** Returns the reason in a word that people can act on; `socket` is the last error of a connection. */
function faultOfKafka(error: KafkaJSError, socket: unknown): unknown {
  if (socket instanceof TargetError) return socket;
  const { type, name, cause } = error as KafkaJSError & { type?: string; cause?: { type?: string; name?: string } };
  const said = `${type} ${name} ${cause?.type} ${cause?.name}`;
  if (/UNKNOWN_TOPIC/.test(said)) return new DestinationFault('topic_missing', error);
  if (/SASL|SaslAuthentication/i.test(said)) return new DestinationFault('sign_in_refused', error);
  if (/AUTHORIZATION_FAILED/.test(said)) return new DestinationFault('not_permitted', error);
  if (socket instanceof Error && 'code' in socket) return socket;
  if (/Timeout/.test(said)) return new DestinationFault('timeout', error);
  return new DestinationFault(/Connection/.test(said) ? 'unreachable' : 'refused', error);
}
