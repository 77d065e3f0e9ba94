import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { BusinessError, tooMany } from '../errors.ts';

/** Limits of a body besides its bytes: eight megabytes may hold three million empty objects. No call needs as many. */
const MAX_DEPTH = 64;
const MAX_VALUES = 300_000;
const MAX_ELEMENTS = 20_000;

const CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii']);

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN, CLOSE, BEGIN, END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads JSON bodies in UTF-8. They are checked before they become objects; compressed bodies are refused. */
export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser('application/json');
  const types = ['application/json', 'application/scim+json'];
  server.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    // Other encodings would be read with wrong letters, which would then be sent.
    const charset = /;\s*charset="?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
    if (!CHARSETS.has(charset.toLowerCase())) return done(new BusinessError('unsupported_media_type'));
    const refused = isUtf8(body) ? boundsOf(body) : new BusinessError('malformed_request');
    if (refused) done(refused);
    else parse(request, body.toString(), done);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const packed = request.headers['content-encoding'];
    if (packed !== undefined && packed.toLowerCase() !== 'identity') throw new BusinessError('unsupported_media_type');
    done();
  });
}

/**
 * Answers the error for a body that is deeper, longer or fuller than any call needs; undefined for others, even if they
 * are no JSON.
 */
export function boundsOf(body: Buffer): BusinessError | undefined {
  // Elements counted in each open array or object, the innermost last.
  const open: number[] = [];
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      at++;
      while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
    } else if (byte === COMMA) {
      values++;
      const last = open.length - 1;
      if (last >= 0 && ++open[last]! > MAX_ELEMENTS) return tooMany('elements', MAX_ELEMENTS);
    } else if (byte === OPEN || byte === BEGIN) {
      values++;
      if (open.push(0) > MAX_DEPTH) return new BusinessError('malformed_request');
    } else if (byte === CLOSE || byte === END) open.pop();
    if (values > MAX_VALUES) return tooMany('values', MAX_VALUES);
  }
  return undefined;
}
