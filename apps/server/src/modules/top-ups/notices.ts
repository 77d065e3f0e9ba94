import { NOTICE_PATH } from '@heliograph/contract/top-ups/merchant-account';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { BusinessError } from '#platform/errors';
import type { App } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import type { Retention } from '#platform/jobs/retention';
import { open, secretKey } from '#platform/process/seal';
import { DRIVERS, type OnlineDriver, webhookSecretContext } from './drivers/provider.ts';
import { takeNoticeJob } from './look.ts';

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Maximum bytes of a notice. */
const NOTICE_BYTES = 262_144;

interface NoticedMerchant {
  id: number;
  driver: OnlineDriver;
  mode: string;
  webhook_secret_sealed: string | null;
}

/** Notices are kept for as long as providers show theirs. */
export const noticeRetention: Retention = { table: 'payment_notice', days: 90, since: 'received_at', rows: 5_000 };

/**
 * Takes the notices of payment providers. The key in the address stands for the payment method, and only its provider
 * knows it. The notice is committed before the answer; a worker then asks the provider what happened.
 */
export function paymentNotices(app: App): void {
  void app.server.register(async (server: FastifyInstance) => {
    // A signature is over the octets as they came.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'string', bodyLimit: NOTICE_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    server.route({
      method: 'POST',
      url: `${NOTICE_PATH}/:key`,
      config: { unlimited: true },
      handler: async (request, reply) => {
        const { key } = request.params as { key: string };
        const merchant = KEY.test(key) ? await merchantAt(app, key) : undefined;
        if (!merchant) throw new BusinessError('not_found');
        const sealed = merchant.webhook_secret_sealed;
        const notice = DRIVERS[merchant.driver].notice({
          headers: request.headers,
          body: typeof request.body === 'string' ? request.body : '',
          secret: sealed === null ? null : open(secretKey(app.config), sealed, webhookSecretContext(merchant.id)),
          mode: merchant.mode,
          now: app.clock.now(),
        });
        if (typeof notice === 'string') {
          app.log.warn({ merchant_account_id: merchant.id, fault: notice }, 'payment notice refused');
          return reply.code(400).type('text/plain').send(`Refused: ${notice}.`);
        }
        await app.database.transaction().execute(async (db) => {
          const { event_id, type, reference, payment_id } = notice;
          const { rows } = await sql<{ id: number | null }>`
            SELECT keep_payment_notice(${merchant.id}, ${event_id}, ${type}, ${reference}, ${payment_id}) AS id`.execute(
            db,
          );
          if (rows[0]!.id !== null) await enqueue(db, takeNoticeJob, { payment_notice_id: rows[0]!.id });
        });
        return reply.code(200).type('text/plain').send('ok');
      },
    });
  });
}

async function merchantAt({ database }: App, key: string): Promise<NoticedMerchant | undefined> {
  const { rows } = await sql<NoticedMerchant>`SELECT * FROM merchant_of_notice(${key}::uuid)`.execute(database);
  return rows[0];
}
