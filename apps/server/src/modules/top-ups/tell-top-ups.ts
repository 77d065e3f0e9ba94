import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { peopleOf } from '#modules/billing';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { wantsMail } from '#platform/person/wants-mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** News of an automatic top-up: it stopped, or reached the limit of a day or month. */
const AUTOMATIC_NEWS = ['stopped', 'limit'] as const;

/** Job that mails one person news of an automatic top-up. */
export const mailAutomaticTopUpJob = defineJob(
  'mail-automatic-top-up',
  z.object({ automatic_top_up_id: z.int(), user_id: z.int(), news: z.enum(AUTOMATIC_NEWS) }),
);

type Automatic = Pick<Selectable<Database['automatic_top_up']>, 'id' | 'billing_account_id' | 'corporation_id'>;

/** Tells the people of an account news of its automatic top-up, in the transaction that causes it. */
export async function tellAutomatic(
  db: Kysely<Database>,
  { id, billing_account_id, corporation_id }: Automatic,
  news: (typeof AUTOMATIC_NEWS)[number],
): Promise<void> {
  const { name } = await db
    .selectFrom('billing_account')
    .select('name')
    .where('id', '=', billing_account_id)
    .executeTakeFirstOrThrow();
  for (const user_id of await peopleOf(db, { id: billing_account_id, corporation_id })) {
    await notify(db, user_id, `billing.automatic_top_up_${news}`, { billing_account_id, name });
    await enqueue(db, mailAutomaticTopUpJob, { automatic_top_up_id: id, user_id, news });
  }
}

/** Mails one person news of an automatic top-up, in their language. */
export async function mailAutomaticTopUp(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { automatic_top_up_id, user_id, news }: z.output<(typeof mailAutomaticTopUpJob)['data']>,
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
  const person = await database
    .selectFrom('user_account')
    .select(['email', 'preferred_language'])
    .where('id', '=', user_id)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (!found || !person || !(await wantsMail(database, user_id, 'balance'))) return;
  const brand = await brandOf(database, config, found.corporation_id);
  const kind = news === 'limit' ? 'limit' : (found.stop_reason ?? 'declined');
  const params = {
    app: brand.app,
    name: found.name,
    card: found.card_label ?? '',
    day_limit: fromThousandths(found.day_limit),
    month_limit: fromThousandths(found.month_limit),
    currency: found.currency,
    url: `${brand.url}/billing-accounts/${found.billing_account_id}`,
  };
  const say = (part: string) =>
    translate(person.preferred_language as Locale, keyIn('automatic_top_up_mail', kind, part), params);
  await sendMail(config, { to: person.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}
