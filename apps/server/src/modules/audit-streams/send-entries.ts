import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { keyOf, signedHeaders } from '#modules/callbacks';
import { DestinationFault } from '#modules/scheduled-files';
import type { ConnectedConfig } from '#platform/config/config';
import { callOnce } from '#platform/outbound/agent';
import { openBucket } from '#platform/outbound/s3-objects';
import { open, secretKey } from '#platform/process/seal';
import { type Entry, toOcsf } from './ocsf.ts';
import { sendToSyslog } from './syslog.ts';

/** Columns of a stream that say where its entries go. */
export interface Receiver {
  id: number;
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
}

type Config = Pick<ConnectedConfig, 'PRIVATE_TARGETS' | 'SECRET_KEY' | 'DATA_DIR'>;

/** Maximum octets of an answer that are read. */
const ANSWER_BYTES = 1_024;

/** Returns the context in which the secret of a stream is sealed. */
export const streamSecretContext = (id: number): string => `audit_stream.secret.${id}`;

const secretOf = (config: Config, to: Receiver): string =>
  to.secret_sealed === null ? '' : open(secretKey(config), to.secret_sealed, streamSecretContext(to.id));

/** Sends entries in their order; throws errors that `faultOf` reads if the receiver did not take all of them. */
export async function sendEntries(config: Config, to: Receiver, entries: readonly Entry[], now: Date): Promise<void> {
  if (to.destination === 'syslog') {
    const messages = entries.map((entry) => {
      const event = toOcsf(entry);
      return { at: entry.created_at, kind: String(event['class_uid']), text: JSON.stringify(event) };
    });
    await sendToSyslog(config, { host: to.host ?? '', port: to.port, ca: to.ca }, messages);
    return;
  }
  const body = JSON.stringify(entries.map(toOcsf));
  // The same entries have the same id at every try, so that a receiver can leave out what it has.
  const webhookId = `aud_${to.id}_${entries[0]!.position}_${entries.at(-1)!.position}`;
  const signed = signedHeaders([keyOf(secretOf(config, to))], webhookId, Math.floor(now.getTime() / 1_000), body);
  const headers = { 'content-type': 'application/json', ...signed };
  const { fault } = await callOnce(config, { method: 'POST', url: to.url ?? '', headers, body }, ANSWER_BYTES);
  if (fault === null) return;
  const known =
    fault === 'bad_address' ? 'unknown_host' : fault === 'redirect' || fault === 'http_status' ? 'refused' : fault;
  throw new DestinationFault(known);
}

/** Stores entries as an object of the hour that ends at `hour`; the same entries are the same object. */
export async function storeObject(config: Config, to: Receiver, entries: readonly Entry[], hour: Date): Promise<void> {
  const bytes = gzipSync(entries.map((entry) => `${JSON.stringify(toOcsf(entry))}\n`).join(''));
  const [first, last] = [entries[0]!.position, entries.at(-1)!.position];
  const place = hour.toISOString().slice(0, 13).replace(/[-T]/g, '/');
  const key = posix.join(to.folder, place, `audit_${first}_${last}.jsonl.gz`).replace(/^\/+/, '');
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
