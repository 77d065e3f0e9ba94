import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { translate } from '#platform/text/i18n';
import type { SendOwnText } from './tell-people.ts';

/** Job that tells users who asked for it that their campaigns have ended. */
export const tellFinishedJob = defineJob('tell-finished', z.object({}));

export const EVERY_MINUTE = '* * * * *';
const AT_ONCE = 50;
const VALIDITY_MS = 12 * 3_600_000;

interface Finished {
  id: number;
  name: string;
  state: string;
  corporation_id: number;
  created_by: number;
  /** Null if the user removed it from the profile meanwhile. */
  phone: string | null;
  total_count: number;
  delivered: number;
  lost: number;
  locale: string;
  otp_sender_id: string | null;
}

/**
 * Sends a text for each campaign that has ended and was not reported yet. The transaction also marks the campaign as
 * reported.
 */
export async function tellFinished(
  worker: Pick<WorkerContext, 'database' | 'config' | 'clock'>,
  sendOwnText: SendOwnText,
  signal: AbortSignal,
): Promise<void> {
  for (let told = AT_ONCE; told === AT_ONCE; ) {
    signal.throwIfAborted();
    told = await worker.database.transaction().execute(async (db) => {
      const { rows } = await sql<Finished>`
        SELECT c.id, c.name, c.state, c.corporation_id, c.created_by, u.phone, c.total_count, n.delivered,
          n.failed + n.blocked + n.expired + n.cancelled AS lost, u.preferred_language AS locale,
          (SELECT value FROM global_configuration WHERE key = 'otp_sender_id' AND enabled) AS otp_sender_id
        FROM campaign c JOIN campaign_figure n ON n.campaign_id = c.id JOIN user_account u ON u.id = c.created_by
        WHERE c.content ->> 'notify_number' = 'true' AND c.notified_at IS NULL
          AND c.state IN ('completed', 'stopped', 'failed', 'rejected', 'discarded')
        ORDER BY c.id LIMIT ${AT_ONCE} FOR NO KEY UPDATE OF c SKIP LOCKED`.execute(db);
      for (const row of rows) {
        if (row.phone === null) continue;
        const brand = await brandOf(db, worker.config, row.corporation_id);
        const locale = (LOCALES as readonly string[]).includes(row.locale) ? (row.locale as Locale) : 'en';
        await sendOwnText(db, {
          msisdn: plainDigits(row.phone) ?? row.phone,
          text: translate(locale, 'notify_number.text', {
            name: row.name,
            state: translate(locale, keyIn('campaign_state', row.state)),
            total: row.total_count,
            delivered: row.delivered,
            lost: row.lost,
          }),
          sender_id: row.otp_sender_id?.trim() || senderOf(brand.app),
          user_id: row.created_by,
          expires_at: new Date(worker.clock.now().getTime() + VALIDITY_MS).toISOString(),
        });
      }
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) {
        await db
          .updateTable('campaign')
          .set({ notified_at: worker.clock.now().toISOString() })
          .where('id', 'in', ids)
          .execute();
      }
      return rows.length;
    });
  }
}

/** Returns a name as phones can show it: at most eleven letters and digits. */
const senderOf = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').slice(0, 11) || 'Heliograph';
