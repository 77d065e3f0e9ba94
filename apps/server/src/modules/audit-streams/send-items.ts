import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readServers } from '@heliograph/contract/audit/audit-stream';
import { keyOf, signedHeaders } from '#modules/callbacks';
import { DestinationFault } from '#modules/scheduled-files';
import type { ConnectedConfig } from '#platform/config/config';
import { callOnce } from '#platform/outbound/agent';
import { openBucket } from '#platform/outbound/s3-objects';
import { open, secretKey } from '#platform/process/seal';
import type { Item } from './items.ts';
import { type Broker, sendToKafka } from './kafka.ts';
import { sendToNats } from './nats.ts';
import { sendToSyslog } from './syslog.ts';

/** Columns of a stream that say where its items go. */
export interface Receiver {
  id: number;
  contents: string;
  destination: string;
  host: string | null;
  port: number;
  ca: string | null;
  url: string | null;
  endpoint: string | null;
  region: string;
  bucket: string | null;
  folder: string;
  username: string | null;
  secret_sealed: string | null;
  servers: string | null;
  topic: string | null;
  encrypted: boolean;
  sign_in: string;
}

type Config = Pick<ConnectedConfig, 'PRIVATE_TARGETS' | 'SECRET_KEY' | 'DATA_DIR'>;

/** Maximum octets of an answer that are read. */
const ANSWER_BYTES = 1_024;

/** Returns the context in which the secret of a stream is sealed. */
export const streamSecretContext = (id: number): string => `audit_stream.secret.${id}`;

const secretOf = (config: Config, to: Receiver): string =>
  to.secret_sealed === null ? '' : open(secretKey(config), to.secret_sealed, streamSecretContext(to.id));

const brokerOf = (config: Config, to: Receiver): Broker => ({
  servers: readServers(to.servers ?? '') ?? [],
  topic: to.topic ?? '',
  encrypted: to.encrypted,
  ca: to.ca,
  mechanism: to.sign_in,
  username: to.username,
  secret: secretOf(config, to),
});

/** Beginning of the names of objects and requests of a stream. */
const prefixOf = ({ contents }: Receiver): string => (contents === 'events' ? 'events' : 'audit');

/** Sends items in their order; throws errors that `faultOf` reads if the receiver did not take all of them. */
export async function sendItems(config: Config, to: Receiver, items: readonly Item[], now: Date): Promise<void> {
  switch (to.destination) {
    case 'kafka':
      return sendToKafka(config, brokerOf(config, to), items);
    case 'nats':
      return sendToNats(config, brokerOf(config, to), items);
    case 'syslog':
      return sendToSyslog(
        config,
        { host: to.host ?? '', port: to.port, ca: to.ca },
        items.map(({ at, kind, json }) => ({ at, kind, text: json })),
      );
    default:
      return post(config, to, items, now);
  }
}

async function post(config: Config, to: Receiver, items: readonly Item[], now: Date): Promise<void> {
  const body = `[${items.map(({ json }) => json).join(',')}]`;
  // The same items have the same id at every try, so that a receiver can leave out what it has.
  const webhookId = `${prefixOf(to).slice(0, 3)}_${to.id}_${items[0]!.id}_${items.at(-1)!.id}`;
  const signed = signedHeaders([keyOf(secretOf(config, to))], webhookId, Math.floor(now.getTime() / 1_000), body);
  const headers = { 'content-type': 'application/json', ...signed };
  const { fault } = await callOnce(config, { method: 'POST', url: to.url ?? '', headers, body }, ANSWER_BYTES);
  if (fault === null) return;
  const known =
    fault === 'bad_address' ? 'unknown_host' : fault === 'redirect' || fault === 'http_status' ? 'refused' : fault;
  throw new DestinationFault(known);
}

/** Stores items as an object of the hour that begins at `hour`; the same items are the same object. */
export async function storeObject(config: Config, to: Receiver, items: readonly Item[], hour: Date): Promise<void> {
  const bytes = gzipSync(items.map(({ json }) => `${json}\n`).join(''));
  const place = hour.toISOString().slice(0, 13).replace(/[-T]/g, '/');
  const [first, last] = [items[0]!, items.at(-1)!].map(({ id }) => id.replace(/^evt_/, ''));
  const key = posix.join(to.folder, place, `${prefixOf(to)}_${first}_${last}.jsonl.gz`).replace(/^\/+/, '');
  const bucket = await openBucket(config, {
    endpoint: to.endpoint ?? '',
    region: to.region,
    bucket: to.bucket ?? '',
    login: { id: to.username ?? '', secret: secretOf(config, to) },
  });
  try {
    await bucket.put(key, bytes, createHash('sha256').update(bytes).digest('hex'));
  } finally {
    bucket.close();
  }
}
