import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { versionOf, versionsIn } from './edit-version.ts';

/** Answers a text or file with its ETag, or 304 without it if If-None-Match names exactly that text. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string | Buffer): FastifyReply {
  const version = versionOf(typeof text === 'string' ? text : createHash('sha256').update(text).digest('hex'));
  // The tag is weak, because the same text is sent with different compressions.
  reply.header('etag', `W/"${version}"`);
  if (!versionsIn(request.headers['if-none-match'])?.includes(version)) return reply.send(text);
  return reply.removeHeader('content-type').code(304).send();
}
