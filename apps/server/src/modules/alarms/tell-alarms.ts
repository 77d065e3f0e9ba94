import { ALARM_EVENTS, type AlarmCondition } from '@heliograph/contract/alarms/alarm';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { readSettings } from '#platform/operator/settings';
import { callOnce } from '#platform/outbound/agent';
import { sendMail } from '#platform/outbound/mail';
import { pushTo } from '#platform/person/push';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** Job that mails one address that a condition began or is over. */
export const mailAlarmJob = defineJob(
  'mail-alarm',
  z.object({ alarm_id: z.int(), over: z.boolean(), to: z.string(), locale: z.string() }),
);
/** Job that posts the event of a condition to the operator's address. */
export const postAlarmJob = defineJob('post-alarm', z.object({ alarm_id: z.int(), over: z.boolean() }));

/** Separator of the addresses in the setting. */
const BETWEEN = /[,;\s]+/;
/** Maximum bytes of the answer to a posted event that are read. */
const ANSWER_BYTES = 1_024;

interface Row {
  id: number;
  condition: AlarmCondition;
  name: string;
  link_id: number | null;
  detail: Record<string, number | string>;
  since: string;
  ended_at: string | null;
}

const take = (begun: boolean) => `
  WITH untold AS (
    SELECT id FROM alarm WHERE ${begun ? 'raised_at IS NOT NULL AND told_at IS NULL' : 'told_at IS NOT NULL AND ended_at IS NOT NULL AND end_told_at IS NULL'}
    ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED
  )
  UPDATE alarm a SET ${begun ? 'told_at' : 'end_told_at'} = now() FROM untold WHERE a.id = untold.id
  RETURNING a.id, a.condition, a.name, a.link_id, a.detail, a.since, a.ended_at`;

// Everybody who may see the links of the platform.
const OPERATORS = `
  SELECT u.id, u.email, u.preferred_language AS locale FROM user_account u
  WHERE u.enabled AND u.scope_level < 2 AND EXISTS (
    SELECT FROM permission p WHERE p.name = 'links-index' AND p.id IN (
      SELECT permission_id FROM role_permission WHERE role_id = u.role_id
      UNION ALL SELECT permission_id FROM user_permission WHERE user_id = u.id))`;

/**
 * Tells the people who operate the platform which conditions began and which are over: the bell now, and mails and the
 * posted event by jobs that can retry. Each is told once.
 */
export async function tellAlarms(database: Kysely<Database>): Promise<void> {
  await database.transaction().execute(async (db) => {
    const begun = await rowsOf<Row>(db, take(true), []);
    const over = await rowsOf<Row>(db, take(false), []);
    if (begun.length + over.length === 0) return;
    const people = await rowsOf<{ id: number; email: string; locale: string }>(db, OPERATORS, []);
    const settings = await readSettings(db, ['alarm_mail_to', 'alarm_url']);
    const named = (settings.get('alarm_mail_to') ?? '').split(BETWEEN).filter(Boolean);
    const localeOf = new Map(people.map(({ email, locale }) => [email.toLowerCase(), locale]));
    const mailed = named.length > 0 ? named : people.map(({ email }) => email);
    for (const [row, isOver] of [
      ...begun.map((row) => [row, false] as const),
      ...over.map((row) => [row, true] as const),
    ]) {
      const of = { alarm_id: row.id, over: isOver };
      for (const { id } of people)
        await notify(db, id, isOver ? 'alarm.ended' : 'alarm.raised', {
          ...of,
          condition: row.condition,
          name: row.name,
          link_id: row.link_id,
        });
      if (row.condition === 'link_down' && row.link_id !== null)
        await pushTo(
          db,
          people.map(({ id }) => id),
          'link',
          { what: isOver ? 'link_up' : 'link_down', id: row.link_id },
        );
      for (const to of mailed)
        await enqueue(db, mailAlarmJob, { ...of, to, locale: localeOf.get(to.toLowerCase()) ?? 'en' });
      if (settings.get('alarm_url')) await enqueue(db, postAlarmJob, of);
    }
  });
}

const readAlarm = async (db: Kysely<Database>, id: number): Promise<Row | undefined> =>
  (
    await rowsOf<Row>(db, 'SELECT id, condition, name, link_id, detail, since, ended_at FROM alarm WHERE id = $1', [id])
  )[0];

type Worker = Pick<WorkerContext, 'database' | 'config' | 'log'>;

/** Mails that a condition began, or that it is over, in the reader's language and with the address of its screen. */
export async function mailAlarm(
  { database, config, log }: Worker,
  { alarm_id, over, to, locale }: z.output<(typeof mailAlarmJob)['data']>,
): Promise<void> {
  const row = await readAlarm(database, alarm_id);
  if (!row) return;
  const brand = await brandOf(database, config, null);
  const time = (at: string | null) => (at === null ? '' : new Date(at).toISOString().slice(0, 16).replace('T', ' '));
  const params = {
    name: row.name,
    since: time(row.since),
    ended: time(row.ended_at),
    waiting: row.detail['waiting'] ?? 0,
    lost: `${row.detail['lost'] ?? ''} ${row.detail['currency'] ?? ''}`.trim(),
    parts: row.detail['parts'] ?? 0,
    url: row.link_id === null ? `${brand.url}/nodes` : `${brand.url}/links/${row.link_id}`,
  };
  const say = (part: string) =>
    translate(locale as Locale, keyIn('alarms', over ? 'over' : 'begun', row.condition, part), params);
  const mail = { to, subject: `${brand.app}: ${say('title')}`, text: `${say('text')}\n\n${params.url}` };
  await sendMail(config, mail, log, brand.mail());
}

/**
 * Posts the event of a condition to the address that the operator has set, as `{ type, timestamp, data }`. Throws if
 * nobody takes it, and the job tries again.
 */
export async function postAlarm(
  { database, config }: Worker,
  { alarm_id, over }: z.output<(typeof postAlarmJob)['data']>,
): Promise<void> {
  const row = await readAlarm(database, alarm_id);
  const url = (await readSettings(database, ['alarm_url'])).get('alarm_url');
  if (!row || !url) return;
  const type = ALARM_EVENTS[row.condition][over ? 1 : 0];
  const { condition, name, link_id, detail, since, ended_at } = row;
  const body = JSON.stringify({
    type,
    timestamp: over ? ended_at : since,
    data: {
      id: String(row.id),
      condition,
      name,
      link_id: link_id === null ? null : String(link_id),
      since,
      ended_at,
      ...detail,
    },
  });
  const headers = { 'content-type': 'application/json', 'user-agent': 'Heliograph' };
  const { status, fault } = await callOnce(config, { method: 'POST', url, headers, body }, ANSWER_BYTES);
  if (fault) throw new Error(`the address of alarm_url did not take the event: ${fault} ${status ?? ''}`.trim());
}
