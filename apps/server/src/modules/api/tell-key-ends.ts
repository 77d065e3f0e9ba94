import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { chooseLocale, translate } from '#platform/text/i18n';
import { TOLD_BEFORE, todayIn } from './last-day.ts';

/** Job that looks for keys that end soon. */
export const tellKeyEndsJob = defineJob('tell-key-ends', z.object({}));
/** Job that mails the contact of a key before its last day. */
export const mailKeyEndJob = defineJob('mail-key-end', z.object({ api_key_id: z.int(), today: z.boolean() }));

/** Enqueues one mail for each key and each of the days before its last day, also after a pause of the workers. */
export async function tellKeyEnds({ database, clock }: Pick<WorkerContext, 'database' | 'clock'>): Promise<void> {
  await database.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: number; days: number }>`
      WITH ending AS (
        SELECT k.id, k.last_day - ${todayIn(clock.now())} AS days
        FROM api_key k JOIN corporation c ON c.id = k.corporation_id JOIN user_account u ON u.id = k.user_id
        WHERE k.last_day IS NOT NULL AND k.revoked_at IS NULL AND u.enabled
      ), due AS (
        SELECT e.id, e.days, (SELECT min(d) FROM unnest(${[...TOLD_BEFORE]}::int[]) d WHERE d >= e.days) AS mark
        FROM ending e WHERE e.days >= 0
      )
      UPDATE api_key k SET told_days = due.mark FROM due
      WHERE due.id = k.id AND due.mark IS NOT NULL AND (k.told_days IS NULL OR k.told_days > due.mark)
      RETURNING k.id, due.days`.execute(db);
    for (const { id, days } of rows) await enqueue(db, mailKeyEndJob, { api_key_id: id, today: days === 0 });
  });
}

/** Mails the contact of a service account, or the user of a personal key, that a key ends. */
export async function mailKeyEnd(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { api_key_id, today }: z.output<(typeof mailKeyEndJob)['data']>,
): Promise<void> {
  const key = await database
    .selectFrom('api_key as k')
    .innerJoin('user_account as u', 'u.id', 'k.user_id')
    .leftJoin('service_account as s', 's.id', 'k.service_account_id')
    .leftJoin('user_account as m', 'm.id', 'k.created_by')
    .select(['k.name', 'k.prefix', 'k.corporation_id', 'u.name as account', 's.contact_email', 'u.email'])
    .select(['u.preferred_language', 'm.preferred_language as language_of_maker', 's.id as service_account_id'])
    .select(sql<string | null>`k.last_day::text`.as('last_day'))
    .where('k.id', '=', api_key_id)
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst();
  if (!key || key.last_day === null) return;
  const brand = await brandOf(database, config, key.corporation_id);
  const { service_account_id: account } = key;
  // A contact is no user: the mail is in the language of the person who made the key.
  const locale = chooseLocale(undefined, (account === null ? key.preferred_language : key.language_of_maker) ?? 'en');
  const page = account === null ? 'api-keys' : `service-account-keys?service_account_id=${account}`;
  const words = {
    app: brand.app,
    name: key.name,
    prefix: key.prefix,
    account: key.account,
    day: key.last_day,
    url: `${brand.url}/${page}`,
  };
  const subject = translate(locale, today ? 'key_ends.subject_today' : 'key_ends.subject', words);
  const text = translate(locale, 'key_ends.text', words);
  await sendMail(config, { to: key.contact_email ?? key.email, subject, text }, log, brand.mail());
}
