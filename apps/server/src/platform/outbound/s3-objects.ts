import type { Readable } from 'node:stream';
import type * as Aws from '@aws-sdk/client-s3';
import type { ConnectedConfig } from '../config/config.ts';
import { checkedAgents } from './connect-to.ts';
import { WEB_PORTS } from './outbound.ts';

/** Bucket of a tenant, and the login. */
export interface BucketSettings {
  endpoint: string;
  region: string;
  bucket: string;
  login: { id: string; secret: string };
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 60_000;
const TRIES = 2;
/** Octets of a part of a large object; two parts are in memory. */
const PART_BYTES = 8 << 20;

/** Objects of a tenant's bucket, reached only at addresses that were checked. */
export interface TenantBucket {
  /** Answers the SHA-256 that an object was stored with, null if it has none; undefined if there is no object. */
  digest(key: string): Promise<string | null | undefined>;
  /** Stores an object in one step: it appears whole or not at all. Parts of a try that died are removed first. */
  put(key: string, body: Readable | Buffer, sha256: string): Promise<void>;
  remove(key: string): Promise<void>;
  close(): void;
}

/** Opens a bucket that a tenant named. Its methods throw the errors of the SDK, and TargetError. */
export async function openBucket(
  config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
  { endpoint, region, bucket, login }: BucketSettings,
): Promise<TenantBucket> {
  // The SDK is large: a process that sends no objects never loads it.
  const aws = await import('@aws-sdk/client-s3');
  const client = new aws.S3Client({
    region,
    endpoint,
    // Amazon addresses buckets by hosts; most others have no such hosts.
    forcePathStyle: !new URL(endpoint).hostname.endsWith('.amazonaws.com'),
    maxAttempts: TRIES,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      ...checkedAgents(config, WEB_PORTS),
    },
    credentials: { accessKeyId: login.id, secretAccessKey: login.secret },
  });
  const at = { Bucket: bucket };
  return {
    async digest(key) {
      try {
        const { Metadata } = await client.send(new aws.HeadObjectCommand({ ...at, Key: key }));
        return Metadata?.['sha256'] ?? null;
      } catch (error) {
        const { $metadata } = error as Partial<Aws.S3ServiceException>;
        // A login that may not list a bucket gets 403 for objects that do not exist.
        if ($metadata?.httpStatusCode === 404 || $metadata?.httpStatusCode === 403) return undefined;
        throw error;
      }
    },
    async put(key, body, sha256) {
      await endParts(aws, client, bucket, key);
      const { Upload } = await import('@aws-sdk/lib-storage');
      const params = { ...at, Key: key, Body: body, Metadata: { sha256 } };
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: 2 }).done();
    },
    async remove(key) {
      await client.send(new aws.DeleteObjectCommand({ ...at, Key: key }));
    },
    close: () => client.destroy(),
  };
}

/** Ends uploads of a key that a process which died left open, as far as the login may. */
async function endParts(aws: typeof Aws, client: Aws.S3Client, bucket: string, key: string): Promise<void> {
  const found = await client
    .send(new aws.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }))
    .catch(() => ({ Uploads: [] as Aws.MultipartUpload[] }));
  for (const { Key, UploadId } of found.Uploads ?? [])
    if (Key === key)
      await client.send(new aws.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(() => undefined);
}
