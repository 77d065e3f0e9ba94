import { keyIn } from '@heliograph/contract/kernel/message-keys';
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

/** Days before the expiry of an approval on which its people are reminded. */
const REMINDERS = [30, 7, 1] as const;
const AT_ONCE = 100;

const NEWS = ['submitted', 'approved', 'rejected', 'suspended', 'expired', 'expires', 'registration_expires'] as const;

/** Job that mails one person about a sender ID. */
export const mailSenderNewsJob = defineJob(
  'mail-sender-news',
  z.object({ sender_id_id: z.int(), user_id: z.int(), news: z.enum(NEWS), reason: z.string() }),
);

interface Item {
  sender_id_id: number;
  corporation_id: number;
  sender_id: string;
  news: (typeof NEWS)[number];
  reason: string;
}

/**
 * Finds everybody who may decide about sender IDs and templates of a corporation: the platform's people, and its
 * reseller's where it may, unless only the platform decides.
 */
export const decidersOf = (db: Kysely<Database>, corporationId: number, platformOnly = sql<boolean>`false`) =>
  sql<{ id: number }>`SELECT u.id FROM corporation c
    JOIN user_account u ON u.scope_level < 2 OR (u.scope_level = 2 AND u.corporation_id = c.reseller_id AND NOT ${platformOnly}
      AND EXISTS (SELECT FROM reseller r WHERE r.corporation_id = c.reseller_id AND r.decides_senders))
    WHERE c.id = ${corporationId} AND u.enabled AND NOT u.is_service AND EXISTS (
      SELECT FROM permission p WHERE p.name = 'sender-ids-decide' AND p.id IN (
        SELECT permission_id FROM role_permission WHERE role_id = u.role_id
        UNION ALL SELECT permission_id FROM user_permission WHERE user_id = u.id))`.execute(db);

/** Finds the person who requested a sender ID, and the administrators of its corporation. */
const owners = (db: Kysely<Database>, id: number) =>
  sql<{ id: number }>`SELECT u.id FROM sender_id s JOIN user_account u ON u.enabled AND NOT u.is_service
      AND (u.id = s.requested_by OR u.corporation_id = s.corporation_id AND u.scope_level = 2)
    WHERE s.id = ${id}`.execute(db);

/** Finds everybody who hears of news: who decides of a request, the owners of decisions, and both of a registration's end. */
async function hearers(db: Kysely<Database>, { sender_id_id, corporation_id, news }: Item): Promise<number[]> {
  const found = [];
  const held = sql<boolean>`EXISTS (SELECT FROM sender_id WHERE id = ${sender_id_id} AND held_name)`;
  if (news === 'submitted' || news === 'registration_expires')
    found.push(...(await decidersOf(db, corporation_id, held)).rows);
  if (news !== 'submitted') found.push(...(await owners(db, sender_id_id)).rows);
  return [...new Set(found.map(({ id }) => id))];
}

async function tell(db: Kysely<Database>, item: Item): Promise<void> {
  const { sender_id_id, sender_id, news, reason } = item;
  for (const user_id of await hearers(db, item)) {
    await notify(db, user_id, `sender.${news}`, { sender_id_id, name: sender_id });
    await enqueue(db, mailSenderNewsJob, { sender_id_id, user_id, news, reason });
  }
}

/** Finds approvals or registrations that end in `days` days and have no reminder yet, and marks them. */
async function endingSoon(db: Kysely<Database>, today: string, days: number): Promise<Item[]> {
  const next = REMINDERS.find((each) => each < days) ?? -1;
  const due = sql`expires_on >= ${today} AND expires_on <= ${today}::date + ${days}::integer
    AND expires_on > ${today}::date + ${next}::integer AND coalesce(reminded_at_days, 999) > ${days}`;
  const { rows } = await sql<Item>`
    WITH approvals AS (
      UPDATE sender_id SET reminded_at_days = ${days} WHERE state = 'approved' AND ${due} RETURNING id, expires_on
    ), registrations AS (
      UPDATE sender_registration SET reminded_at_days = ${days} WHERE state = 'registered' AND ${due}
      RETURNING sender_id_id AS id, expires_on
    )
    SELECT s.id AS sender_id_id, s.corporation_id, s.sender_id, e.news, e.expires_on::text AS reason FROM (
      SELECT *, 'expires' AS news FROM approvals UNION SELECT *, 'registration_expires' FROM registrations
    ) e JOIN sender_id s ON s.id = e.id`.execute(db);
  return rows;
}

/**
 * Notifies people about sender IDs: those who decide of a request, the owners of a decision, and the owners 30, 7 and 1
 * days before the last day of an approval or registration. `today` is the day in the platform's time zone.
 */
export async function tellSenderNews({ database }: Pick<WorkerContext, 'database'>, today: string): Promise<void> {
  await database.transaction().execute(async (db) => {
    const { rows: events } = await sql<Item>`
      WITH untold AS (SELECT id FROM sender_event WHERE NOT told ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
      UPDATE sender_event e SET told = true FROM untold WHERE e.id = untold.id
      RETURNING e.sender_id_id, e.corporation_id, e.sender_id, e.to_state AS news, coalesce(e.reason, '') AS reason,
        e.from_state IS NULL AND e.to_state = 'approved' AS own`.execute(db);
    for (const event of events) {
      const made = (event as Item & { own?: boolean }).own;
      if (!made && (NEWS as readonly string[]).includes(event.news)) await tell(db, event);
    }
    for (const days of REMINDERS) {
      const due = await endingSoon(db, today, days);
      for (const each of due) await tell(db, each);
    }
  });
}

/** Mails one person about a sender ID, in their language. */
export async function mailSenderNews(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { sender_id_id, user_id, news, reason }: z.output<(typeof mailSenderNewsJob)['data']>,
): Promise<void> {
  const sender = await database
    .selectFrom('sender_id as s')
    .innerJoin('corporation as c', 'c.id', 's.corporation_id')
    .select(['s.sender_id', 's.corporation_id', 'c.name as corporation_name'])
    .where('s.id', '=', sender_id_id)
    .executeTakeFirst();
  const person = await personToMail(database, user_id, 'approval');
  if (!sender || !person) return;
  const brand = await brandOf(database, config, person.corporation_id);
  const params = { app: brand.app, name: sender.sender_id, corporation: sender.corporation_name, reason, day: reason };
  const say = (part: string) => translate(person.locale, keyIn('sender_news', news, part), params);
  const text = [
    say('text'),
    reason !== '' && !news.endsWith('expires') && reason,
    `${brand.url}/sender-ids/${sender_id_id}`,
  ];
  const mail = { to: person.email, subject: say('subject'), text: text.filter(Boolean).join('\n\n') };
  await sendMail(config, mail, log, brand.mail());
}
