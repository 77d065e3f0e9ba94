import type { FastifyReply, FastifyRequest } from 'fastify';
import { versionOf, versionsIn } from './edit-version.ts';

/** Answers a text with its ETag, or 304 without it where If-None-Match names that very text. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const version = versionOf(text);
  // Weak, since the same text goes out packed in different ways.
  reply.header('etag', `W/"${version}"`);
  if (!versionsIn(request.headers['if-none-match'])?.includes(version)) return reply.send(text);
  return reply.removeHeader('content-type').code(304).send();
}
