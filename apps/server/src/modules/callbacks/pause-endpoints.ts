import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** Job that mails one person about a paused endpoint. */
export const mailCallbackPauseJob = defineJob(
  'mail-callback-pause',
  z.object({ callback_endpoint_id: z.int(), user_id: z.int() }),
);

// The endpoint for addresses that messages name is not paused. One address that is gone says nothing about the others.
const PAUSE = `
  UPDATE callback_endpoint SET paused_at = now(), pause_reason = CASE WHEN id = ANY ($2::bigint[]) THEN 'gone' ELSE 'failing' END
  WHERE id = ANY ($1::bigint[]) AND paused_at IS NULL AND kind <> 'message'
    AND (id = ANY ($2::bigint[]) OR failing_since < now() - interval '3 days')
  RETURNING id, corporation_id, department_id, url`;

interface Paused {
  id: number;
  corporation_id: number;
  department_id: number | null;
  url: string;
}

/**
 * Pauses failing endpoints that said they are gone, or that nothing has reached for three days. Notifies the people who
 * manage the corporation or the department. The bell shows it now, and a job with retries mails them.
 */
export async function pauseEndpoints(
  db: Kysely<Database>,
  failing: readonly number[],
  gone: readonly number[],
): Promise<void> {
  for (const { id, corporation_id, department_id, url } of await rowsOf<Paused>(db, PAUSE, [failing, gone])) {
    const people = await rowsOf<{ id: number }>(
      db,
      `SELECT id FROM user_account WHERE corporation_id = $1 AND enabled AND NOT is_service
        AND (scope_level = 2 OR (scope_level = 3 AND department_id = $2))`,
      [corporation_id, department_id],
    );
    for (const { id: user_id } of people) {
      await notify(db, user_id, 'callbacks.callback_paused', { callback_endpoint_id: id, name: new URL(url).host });
      await enqueue(db, mailCallbackPauseJob, { callback_endpoint_id: id, user_id });
    }
  }
}

/** Mails one person that an endpoint was paused, in their language. */
export async function mailCallbackPause(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { callback_endpoint_id, user_id }: z.output<(typeof mailCallbackPauseJob)['data']>,
): Promise<void> {
  const endpoint = await database
    .selectFrom('callback_endpoint')
    .select(['corporation_id', 'url', 'pause_reason', 'failing_since'])
    .where('id', '=', callback_endpoint_id)
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  const person = await personToMail(database, user_id, 'always');
  if (!endpoint || !person) return;
  const brand = await brandOf(database, config, endpoint.corporation_id);
  const params = { app: brand.app, url: endpoint.url ?? '', console: `${brand.url}/callbacks` };
  const say = (part: string) => translate(person.locale, keyIn('callback_pause', endpoint.pause_reason, part), params);
  await sendMail(config, { to: person.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}
