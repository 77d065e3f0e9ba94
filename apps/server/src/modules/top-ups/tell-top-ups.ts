import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { peopleOf } from '#modules/billing';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** News of an automatic top-up: it stopped, or reached the limit of a day or month. */
const AUTOMATIC_NEWS = ['stopped', 'limit'] as const;

/** Job that mails one person news of an automatic top-up. */
export const mailAutomaticTopUpJob = defineJob(
  'mail-automatic-top-up',
  z.object({ automatic_top_up_id: z.int(), user_id: z.int(), news: z.enum(AUTOMATIC_NEWS) }),
);

/** News of a top-up. A transfer in `review` waits for an approval. */
const NEWS = ['credited', 'failed', 'refunded', 'charged_back', 'given_again', 'review', 'return_requested'] as const;
type News = (typeof NEWS)[number];
/** Permission of the people who decide about something; their news are requests for approval. */
const DECIDES: Readonly<Partial<Record<News, string>>> = {
  review: 'top-ups-approve',
  return_requested: 'top-ups-refund',
};

// Amounts are thousandths: the credit, or the money that went back.
const news = z.object({ top_up_id: z.int(), news: z.enum(NEWS), amount: z.int() });
/** Job that tells people news of a top-up. */
export const tellTopUpJob = defineJob('tell-top-up', news);
/** Job that mails one person news of a top-up. */
export const mailTopUpJob = defineJob('mail-top-up', news.extend({ user_id: z.int() }));

/** Queues news of a top-up in the transaction that causes them. Vouchers are no news: a person has just entered the code. */
export async function addNews(
  db: Kysely<Database>,
  { id, driver }: Pick<TopUp, 'id' | 'driver'>,
  what: News,
  amount: number,
): Promise<void> {
  if (driver !== 'voucher') await enqueue(db, tellTopUpJob, { top_up_id: id, news: what, amount });
}

/** Finds the people of a corporation's seller who have a permission, such as that to approve bank transfers. */
const approversOf = (db: Kysely<Database>, corporationId: number, permission: string) =>
  sql<{ id: number }>`SELECT u.id FROM corporation c
    JOIN user_account u ON u.enabled AND NOT u.is_service AND CASE WHEN c.reseller_id IS NULL THEN u.scope_level < 2
      ELSE u.scope_level = 2 AND u.corporation_id = c.reseller_id END
    WHERE c.id = ${corporationId} AND EXISTS (
      SELECT FROM permission p WHERE p.name = ${permission} AND p.id IN (
        SELECT permission_id FROM role_permission WHERE role_id = u.role_id
        UNION ALL SELECT permission_id FROM user_permission WHERE user_id = u.id))`.execute(db);

/** Finds the people who hear news of a top-up: its approvers, the person who began it, or all people of the account. */
async function hearers(db: Kysely<Database>, topUp: TopUp, what: News): Promise<Iterable<number>> {
  const decides = DECIDES[what];
  if (decides) return (await approversOf(db, topUp.corporation_id, decides)).rows.map(({ id }) => id);
  const began = topUp.user_id === null || topUp.automatic ? [] : [topUp.user_id];
  if (what === 'failed') return began;
  return new Set([...began, ...(await peopleOf(db, { ...topUp, id: topUp.billing_account_id }))]);
}

/** Tells people news of a top-up, once, however often the job runs. */
export async function tellTopUp(
  { database }: Pick<WorkerContext, 'database'>,
  data: z.output<typeof news>,
): Promise<void> {
  const key = `${data.news} ${data.amount}`;
  await database.transaction().execute(async (db) => {
    const topUp = await db
      .updateTable('top_up')
      .set({ told: sql<string[]>`array_append(told, ${key})` })
      .where('id', '=', data.top_up_id)
      .where(sql<boolean>`${key} <> ALL (told)`)
      .returningAll()
      .executeTakeFirst();
    if (!topUp) return;
    const { name } = await db
      .selectFrom('billing_account')
      .select('name')
      .where('id', '=', topUp.billing_account_id)
      .executeTakeFirstOrThrow();
    for (const user_id of await hearers(db, topUp, data.news)) {
      await notify(db, user_id, `billing.top_up_${data.news}`, { top_up_id: topUp.id, name });
      await enqueue(db, mailTopUpJob, { ...data, user_id });
    }
  });
}

/** Mails one person news of a top-up, in their language. */
export async function mailTopUp(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { top_up_id, news: what, amount, user_id }: z.output<(typeof mailTopUpJob)['data']>,
): Promise<void> {
  const topUp = await database
    .selectFrom('top_up_row')
    .selectAll()
    .where('id', '=', top_up_id)
    .executeTakeFirstOrThrow();
  const person = await personToMail(database, user_id, DECIDES[what] ? 'approval' : 'balance');
  if (!person) return;
  const brand = await brandOf(database, config, person.corporation_id);
  const params = {
    app: brand.app,
    name: topUp.billing_account_name!,
    corporation: topUp.corporation_name!,
    amount: fromThousandths(amount),
    currency: topUp.currency!,
    method: topUp.method_name!,
    reference: topUp.reference!,
    url: `${brand.url}/top-ups/${top_up_id}`,
  };
  const say = (part: string) => translate(person.locale, keyIn('top_up_mail', what, part), params);
  await sendMail(config, { to: person.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}

type TopUp = Selectable<Database['top_up']>;
type Automatic = Pick<Selectable<Database['automatic_top_up']>, 'id' | 'billing_account_id' | 'corporation_id'>;

/** Tells the people of an account news of its automatic top-up, in the transaction that causes it. */
export async function tellAutomatic(
  db: Kysely<Database>,
  { id, billing_account_id, corporation_id }: Automatic,
  what: (typeof AUTOMATIC_NEWS)[number],
): Promise<void> {
  const { name } = await db
    .selectFrom('billing_account')
    .select('name')
    .where('id', '=', billing_account_id)
    .executeTakeFirstOrThrow();
  for (const user_id of await peopleOf(db, { id: billing_account_id, corporation_id })) {
    await notify(db, user_id, `billing.automatic_top_up_${what}`, { billing_account_id, name });
    await enqueue(db, mailAutomaticTopUpJob, { automatic_top_up_id: id, user_id, news: what });
  }
}

/** Mails one person news of an automatic top-up, in their language. */
export async function mailAutomaticTopUp(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { automatic_top_up_id, user_id, news: what }: z.output<(typeof mailAutomaticTopUpJob)['data']>,
): Promise<void> {
  const found = await database
    .selectFrom('automatic_top_up as t')
    .innerJoin('billing_account as b', 'b.id', 't.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 't.corporation_id')
    .select([
      't.corporation_id',
      't.billing_account_id',
      't.stop_reason',
      't.day_limit',
      't.month_limit',
      't.card_label',
    ])
    .select(['b.name', 'c.currency'])
    .where('t.id', '=', automatic_top_up_id)
    .executeTakeFirst();
  const person = await personToMail(database, user_id, 'balance');
  if (!found || !person) return;
  const brand = await brandOf(database, config, found.corporation_id);
  const kind = what === 'limit' ? 'limit' : (found.stop_reason ?? 'declined');
  const params = {
    app: brand.app,
    name: found.name,
    card: found.card_label ?? '',
    day_limit: fromThousandths(found.day_limit),
    month_limit: fromThousandths(found.month_limit),
    currency: found.currency,
    url: `${brand.url}/billing-accounts/${found.billing_account_id}`,
  };
  const say = (part: string) => translate(person.locale, keyIn('automatic_top_up_mail', kind, part), params);
  await sendMail(config, { to: person.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}
