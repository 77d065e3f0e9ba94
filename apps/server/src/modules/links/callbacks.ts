import { createHmac, timingSafeEqual } from 'node:crypto';
import type { callbackAddresses, renewCallbackAddresses } from '@heliograph/contract/links/http-calls';
import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import {
  callbackAddresses as addressesOf,
  CALLBACK_KINDS,
  CALLBACK_PATH,
  type CallbackKind,
  documentOf,
  keepCallbacks,
  passwordContext,
  readCallback,
  wakeSenders,
} from '#modules/delivery';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import type { App, Handler } from '#platform/http/http';
import { open, secretKey } from '#platform/process/seal';
import { publicUrl } from '#platform/process/shutdown';
import { sayNews } from './link.ts';

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface CallbackLink {
  id: number;
  http: HttpMapping;
  receipt_words: string[];
  enabled: boolean;
  password_sealed: string;
}

/**
 * Takes the callbacks of carriers: receipts and replies. The key in the address stands for the link, and only the
 * carrier knows it. What a callback brings is committed before the carrier gets its answer.
 */
export function carrierCallbacks(app: App): void {
  void app.server.register(async (server: FastifyInstance) => {
    // A signature is over the octets as they came, and carriers name all kinds of types.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    server.route({
      method: ['GET', 'POST', 'PUT'],
      url: `${CALLBACK_PATH}/:key/:kind`,
      exposeHeadRoute: false,
      config: { unlimited: true },
      handler: async (request, reply) => {
        const { key, kind } = request.params as { key: string; kind: string };
        const wanted = CALLBACK_KINDS.find((each) => each === kind);
        const link = wanted && KEY.test(key) ? await linkOf(app.database, key) : undefined;
        if (!wanted || !link) throw new BusinessError('not_found');
        if (!link.enabled) return reply.code(503).header('retry-after', '60').type('text/plain').send('Link disabled.');
        if (!isSigned(app, link, request, key)) return reply.code(403).type('text/plain').send('Wrong signature.');
        const kept = await take(app, link, wanted, request);
        if (kept === 0) return reply.code(400).type('text/plain').send('Nothing in this call could be read.');
        const answer = link.http.callback_answer;
        const type = answer.startsWith('<') ? 'text/xml' : answer.startsWith('{') ? 'application/json' : 'text/plain';
        return reply.code(200).type(`${type}; charset=utf-8`).send(answer);
      },
    });
  });
}

async function linkOf(db: Kysely<Database>, key: string): Promise<CallbackLink | undefined> {
  const { rows } = await sql<CallbackLink>`SELECT * FROM link_of_callback(${key}::uuid)`.execute(db);
  return rows[0];
}

const queryOf = (request: FastifyRequest): string => request.raw.url?.split('?').slice(1).join('?') ?? '';
const bodyOf = (request: FastifyRequest): string => (typeof request.body === 'string' ? request.body : '');

/** Stores the receipts or replies of a call; answers how many could be read, also if they were known. */
async function take(app: App, link: CallbackLink, kind: CallbackKind, request: FastifyRequest): Promise<number> {
  // A signature of the body alone says nothing about the query, so that nobody else can add to it.
  const isOfBody = link.http.signature.startsWith('hmac_sha256');
  const query = isOfBody ? '' : queryOf(request);
  const document = documentOf(query, request.headers['content-type'] ?? '', bodyOf(request));
  const brought = readCallback(link.http, kind, document, app.clock.now().getTime());
  if (brought.length === 0) {
    app.log.warn({ link_id: link.id, kind }, 'could not read callback of carrier; check the mapping of the link');
    return 0;
  }
  failpoint('carrier-callbacks.before-commit');
  await keepCallbacks(app.database, link.id, brought);
  failpoint('carrier-callbacks.after-commit');
  await wakeSenders(app.database).catch((error: unknown) =>
    app.log.debug({ err: error }, 'could not publish wake-up for callbacks'),
  );
  return brought.length;
}

/** Checks the signature of a call with the link's password, if the mapping asks for one. */
function isSigned(app: App, link: CallbackLink, request: FastifyRequest, key: string): boolean {
  const { signature, signature_header } = link.http;
  if (signature === 'none') return true;
  // The signature of no body is the same for every call.
  if (signature.startsWith('hmac_sha256') && bodyOf(request) === '') return false;
  const given = Buffer.from(String(request.headers[signature_header.toLowerCase()] ?? '').replace(/^sha256=/i, ''));
  const wanted = Buffer.from(signatureOf(app, link, request, key));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function signatureOf(app: App, link: CallbackLink, request: FastifyRequest, key: string): string {
  const password = open(secretKey(app.config), link.password_sealed, passwordContext(link.id));
  const { signature } = link.http;
  if (signature === 'hmac_sha1_url_base64') {
    // The address as the carrier knows it, then the fields of the form in the order of their names.
    const { kind } = request.params as { kind: string };
    const query = queryOf(request);
    const url = `${publicUrl(app.config)}${CALLBACK_PATH}/${key}/${kind}${query === '' ? '' : `?${query}`}`;
    const fields = [...new URLSearchParams(bodyOf(request))].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return createHmac('sha1', password)
      .update(url + fields.map((field) => field.join('')).join(''))
      .digest('base64');
  }
  const made = createHmac('sha256', password).update(bodyOf(request));
  return signature === 'hmac_sha256_hex' ? made.digest('hex') : made.digest('base64');
}

async function keyOf(ctx: Pick<Context, 'db'>, id: number, renew: boolean): Promise<string> {
  const { rows } = await sql<{ key: string | null }>`SELECT link_callback_key(${id}, ${renew}) AS key`.execute(ctx.db);
  if (!rows[0]?.key) throw new BusinessError('not_found');
  return rows[0].key;
}

/** Returns the addresses that a link's carrier calls. */
export const showCallbackAddresses: Handler<typeof callbackAddresses> = async (ctx, { params }) => ({
  data: addressesOf(ctx.config, await keyOf(ctx, params.id, false)),
});

/** Replaces the key in the addresses; the carrier must be told the new ones. */
export const renewCallbacks: Handler<typeof renewCallbackAddresses> = async (ctx, { params }) => {
  const data = addressesOf(ctx.config, await keyOf(ctx, params.id, true));
  await audit(ctx, {
    name: 'links',
    description: 'callbacks_renewed',
    subject_type: 'links',
    subject_id: params.id,
  });
  await sayNews(ctx, params.id);
  return { data };
};
