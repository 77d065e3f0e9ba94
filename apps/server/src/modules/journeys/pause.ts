import type { JourneyPause } from '@heliograph/contract/journeys/journey';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** Job that mails the person who runs a journey that it has paused by itself. */
export const mailJourneyPauseJob = defineJob(
  'mail-journey-pause',
  z.object({ journey_id: z.int(), user_id: z.int(), reason: z.string() }),
);

/** Pauses a journey that runs, by itself, and notifies the person who runs it and the one who made it. */
export async function pauseJourney(db: Kysely<Database>, id: number, reason: JourneyPause): Promise<void> {
  const { rows } = await sql<{ name: string; corporation_id: number; user_id: number; locale: Locale }>`
    WITH paused AS (
      UPDATE journey SET state = 'paused', pause_reason = ${reason} WHERE id = ${id} AND state = 'running'
      RETURNING name, corporation_id, run_by, created_by
    ) SELECT p.name, p.corporation_id, u.id AS user_id, u.preferred_language AS locale
      FROM paused p JOIN user_account u ON u.id IN (p.run_by, p.created_by) AND u.enabled ORDER BY u.id`.execute(db);
  for (const { name, corporation_id, user_id, locale } of rows) {
    const message = `${translate(locale, 'journey_news.text', { name })} ${translate(locale, keyIn('journey_pause', reason))}`;
    await notify(db, user_id, 'journey.paused', { message, to: `/journeys/${id}` });
    await enqueue(db, mailJourneyPauseJob, { journey_id: id, user_id, reason }, { tenant: corporation_id });
  }
}

/** Mails one person that a journey has paused, in their language. */
export async function mailJourneyPause(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { journey_id, user_id, reason }: z.output<(typeof mailJourneyPauseJob)['data']>,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM journey WHERE id = ${journey_id}`.execute(database);
  const person = await personToMail(database, user_id, 'always');
  if (!rows[0] || !person) return;
  const brand = await brandOf(database, config, person.corporation_id);
  const params = { app: brand.app, name: rows[0].name };
  const text = [
    translate(person.locale, 'journey_news.text', params),
    translate(person.locale, keyIn('journey_pause', reason)),
    `${brand.url}/journeys/${journey_id}`,
  ].join('\n\n');
  const subject = translate(person.locale, 'journey_news.subject', params);
  await sendMail(config, { to: person.email, subject, text }, log, brand.mail());
}
