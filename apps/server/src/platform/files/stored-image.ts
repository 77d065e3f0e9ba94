import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { IncomingFile } from '../http/http.ts';

/**
 * Reads the bytes of a file of less than `limit` bytes. Undefined if it is larger: the rest of it is read and dropped,
 * so that the answer gets through.
 */
export async function readSmall({ stream }: IncomingFile, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size < limit) chunks.push(chunk);
  }
  return size >= limit || stream.truncated ? undefined : Buffer.concat(chunks);
}

/** Sends a picture whose address names its content forever; nothing in it can run as a script. */
export function sendImage(
  reply: FastifyReply,
  { type, data }: { type: string; data: Buffer },
  caching: 'public' | 'private',
): FastifyReply {
  return reply
    .header('content-type', type)
    .header('cache-control', `${caching}, max-age=31536000, immutable`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(Readable.from([data]));
}
