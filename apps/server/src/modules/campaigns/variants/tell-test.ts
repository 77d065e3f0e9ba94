import { letterOf } from '@heliograph/contract/campaigns/campaign-test';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { translate } from '#platform/text/i18n';

/** Job that mails the maker of a test that it was decided, or waits for a person. */
export const tellTestJob = defineJob(
  'tell-campaign-test',
  z.object({ test_id: z.int(), what: z.enum(['waiting', 'decided']) }),
);

/** Mails the maker of a test, in their language, if their preferences allow mails about finished campaigns. */
export async function tellTest(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { test_id, what }: z.output<(typeof tellTestJob)['data']>,
): Promise<void> {
  const test = await database
    .selectFrom('campaign_test')
    .select(['id', 'name', 'created_by', 'state', 'winner'])
    .where('id', '=', test_id)
    .executeTakeFirst();
  // A person may have decided meanwhile.
  if (!test || test.state !== (what === 'waiting' ? 'waiting' : 'finished')) return;
  const person = await personToMail(database, test.created_by, 'finished');
  if (!person) return;
  const brand = await brandOf(database, config, person.corporation_id);
  const params = {
    app: brand.app,
    person: person.name,
    name: test.name,
    letter: letterOf(test.winner ?? 1),
    url: `${brand.url}/campaign-tests/${test.id}`,
    profile: `${brand.url}/profile`,
  };
  const say = (part: string) => translate(person.locale, keyIn('campaign_test_news', part), params);
  const text = `${say(`${what}.text`)}\n\n${say('footer')}`;
  await sendMail(config, { to: person.email, subject: say(`${what}.subject`), text }, log, brand.mail());
}
