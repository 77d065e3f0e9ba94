import type { FastifyReply, FastifyRequest } from 'fastify';
import { versionOf, versionsIn } from './edit-version.ts';

/** Answers a text with its ETag, or 304 without it if If-None-Match names exactly that text. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const version = versionOf(text);
  // The tag is weak, because the same text is sent with different compressions.
  reply.header('etag', `W/"${version}"`);
  if (!versionsIn(request.headers['if-none-match'])?.includes(version)) return reply.send(text);
  return reply.removeHeader('content-type').code(304).send();
}
