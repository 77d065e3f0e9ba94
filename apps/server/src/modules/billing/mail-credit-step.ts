import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { z } from 'zod';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { translate } from '#platform/text/i18n';
import type { mailCreditStepJob } from './credit-steps.ts';

/** Mails one step against an overdue account to one person, in their language. A step that ended is not mailed. */
export async function mailCreditStep(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { credit_step_id, user_id }: z.output<(typeof mailCreditStepJob)['data']>,
): Promise<void> {
  const step = await database
    .selectFrom('credit_step as s')
    .innerJoin('billing_account as b', 'b.id', 's.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 's.corporation_id')
    .select(['s.step', 's.due_on', 's.overdue', 's.corporation_id', 'b.name', 'c.currency'])
    .where('s.id', '=', credit_step_id)
    .where('s.ended_at', 'is', null)
    .executeTakeFirst();
  const person = await personToMail(database, user_id, 'balance');
  if (!step || !person) return;
  const brand = await brandOf(database, config, step.corporation_id);
  const params = {
    app: brand.app,
    name: step.name,
    amount: fromThousandths(step.overdue),
    currency: step.currency,
    date: step.due_on,
  };
  const say = (part: string) => translate(person.locale, keyIn('credit_step_mail', step.step, part), params);
  await sendMail(config, { to: person.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}
