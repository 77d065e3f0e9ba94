import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as Aws from '@aws-sdk/client-s3';
import { BusinessError } from '../errors.ts';
import type { FileStore, KeptFile, LocalFile } from './file-store.ts';

/** Place of the objects, and the login. */
export interface S3Settings {
  bucket: string;
  /** Beginning of the key of every object; empty, or with a slash at its end. */
  prefix: string;
  region: string;
  /** Endpoint; unset: Amazon's own of the region. */
  endpoint: string | undefined;
  path_style: boolean;
  /** Login; unset: the SDK's usual ones, such as the role of the machine. */
  login: { id: string; secret: string } | undefined;
  /** Maximum objects of one listing; unset: as many as the storage gives. */
  page?: number;
}

/**
 * Octets of a part: 10,000 of them are the largest file, 80 GiB. Two parts are in memory for each file that is being
 * stored.
 */
const PART_BYTES = 8 << 20;
const PARTS_AT_ONCE = 2;
const CONNECT_MS = 5_000;
const SILENCE_MS = 120_000;
const TRIES = 4;

type S3 = typeof Aws & { client: Aws.S3Client };

/**
 * Stores files as objects of an S3-compatible storage. It sets no rights to read them: that is the bucket's policy, and
 * the platform reads them for people itself. Each carries its SHA-256, which every reading checks.
 */
export class S3Store implements FileStore {
  readonly drafts: string;
  readonly #settings: S3Settings;
  #s3: Promise<S3> | undefined;

  constructor(settings: S3Settings, drafts: string) {
    this.#settings = settings;
    this.drafts = drafts;
  }

  // The SDK is large: a process that keeps no files never loads it.
  #load(): Promise<S3> {
    this.#s3 ??= import('@aws-sdk/client-s3').then((aws) => {
      const { region, endpoint, path_style, login } = this.#settings;
      const client = new aws.S3Client({
        region,
        forcePathStyle: path_style,
        maxAttempts: TRIES,
        // Storages other than Amazon's do not know its checksums; the signature covers the sent bytes.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
        ...(endpoint && { endpoint }),
        ...(login && { credentials: { accessKeyId: login.id, secretAccessKey: login.secret } }),
      });
      return { ...aws, client };
    });
    return this.#s3;
  }

  async #ask<Result>(work: (s3: S3, at: { Bucket: string }) => Promise<Result>): Promise<Result> {
    try {
      return await work(await this.#load(), { Bucket: this.#settings.bucket });
    } catch (error) {
      throw told(error);
    }
  }

  #key = (path: string): string => this.#settings.prefix + path;

  keep(path: string, local: string): Promise<void> {
    return this.#ask(async ({ client }, at) => {
      const { Upload } = await import('@aws-sdk/lib-storage');
      const sha256 = await hashOf(local);
      const body = createReadStream(local, { highWaterMark: 1 << 20 });
      try {
        // Small files are sent in one request, large ones in parts. If a part fails, all are given up.
        const params = { ...at, Key: this.#key(path), Body: body, Metadata: { sha256 } };
        await new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }).done();
      } finally {
        body.destroy();
      }
      await rm(local, { force: true });
    });
  }

  read(path: string): Promise<NodeJS.ReadableStream> {
    return this.#ask(async ({ client, GetObjectCommand }, at) => {
      const { Body, Metadata } = await client.send(new GetObjectCommand({ ...at, Key: this.#key(path) }));
      const body = Body as Readable;
      const checked = checking(path, Metadata?.['sha256']);
      body.on('error', (error) => checked.destroy(told(error)));
      checked.on('close', () => body.destroy());
      return body.pipe(checked);
    });
  }

  async localCopy(path: string): Promise<LocalFile> {
    await mkdir(this.drafts, { recursive: true, mode: 0o700 });
    const copy = join(this.drafts, `${crypto.randomUUID()}.copy`);
    const remove = () => rm(copy, { force: true });
    try {
      await pipeline(await this.read(path), createWriteStream(copy, { mode: 0o600, flags: 'wx' }));
    } catch (error) {
      await remove();
      throw error;
    }
    return { path: copy, [Symbol.asyncDispose]: remove };
  }

  async size(path: string): Promise<number | undefined> {
    try {
      return await this.#ask(async ({ client, HeadObjectCommand }, at) => {
        const { ContentLength } = await client.send(new HeadObjectCommand({ ...at, Key: this.#key(path) }));
        return ContentLength ?? 0;
      });
    } catch (error) {
      if ((error as { code?: string }).code === 'not_found') return undefined;
      throw error;
    }
  }

  async remove(path: string): Promise<void> {
    await this.#ask(({ client, DeleteObjectCommand }, at) =>
      client.send(new DeleteObjectCommand({ ...at, Key: this.#key(path) })),
    );
  }

  async *list(folder: string): AsyncIterable<KeptFile> {
    let more: string | undefined;
    do {
      const page = await this.#ask(({ client, ListObjectsV2Command }, at) =>
        client.send(
          new ListObjectsV2Command({
            ...at,
            Prefix: this.#key(`${folder}/`),
            MaxKeys: this.#settings.page,
            ContinuationToken: more,
          }),
        ),
      );
      for (const { Key, LastModified } of page.Contents ?? [])
        if (Key && LastModified) yield { path: Key.slice(this.#settings.prefix.length), kept_at: LastModified };
      more = page.NextContinuationToken;
    } while (more);
  }

  endUnfinished(before: Date): Promise<number> {
    return this.#ask(async ({ client, ListMultipartUploadsCommand, AbortMultipartUploadCommand }, at) => {
      const found = await client.send(new ListMultipartUploadsCommand({ ...at, Prefix: this.#settings.prefix }));
      const old = (found.Uploads ?? []).filter(({ Initiated }) => Initiated && Initiated < before);
      // Entries that do not fit on a page are removed the next night.
      for (const { Key, UploadId } of old) await client.send(new AbortMultipartUploadCommand({ ...at, Key, UploadId }));
      return old.length;
    });
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** Passes bytes on, and fails after the last of them if they differ from the stored ones. */
function checking(path: string, sha256: string | undefined): Transform {
  const hash = createHash('sha256');
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      done(null, piece);
    },
    flush(done) {
      const same = sha256 === undefined || hash.digest('hex') === sha256;
      done(same ? null : new Error(`the stored file ${path} is damaged: its SHA-256 is not the one it was kept with`));
    },
  });
}

const away = (cause: unknown) => new BusinessError('unavailable', { outage: 'storage_unreachable', cause });

/**
 * Turns an error of a storage into ours. Temporary faults have a status of 5xx or 429; a network fault has its own code
 * and no status.
 */
function told(error: unknown): Error {
  if (error instanceof BusinessError) return error;
  const { name, $metadata, code, $fault } = error as Partial<Aws.S3ServiceException> & { code?: string };
  const status = $metadata?.httpStatusCode;
  if (name === 'NoSuchKey' || name === 'NotFound') return new BusinessError('not_found', { cause: error });
  if (status !== undefined && $fault !== undefined)
    return status >= 500 || status === 429 || status === 408 ? away(error) : (error as Error);
  const cut =
    name === 'TimeoutError' || (code !== undefined && /^(E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_)|ENOTFOUND)/.test(code));
  return cut ? away(error) : (error as Error);
}
