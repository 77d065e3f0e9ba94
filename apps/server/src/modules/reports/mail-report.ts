import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { translate } from '#platform/text/i18n';
import { filterLabel } from './view-filters.ts';

/** Mails a person that the file of a report is ready, with an address that opens it after sign-in. */
export async function mailReport(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  downloadId: number,
): Promise<void> {
  const row = await database
    .selectFrom('task as d')
    .where('d.type', '=', 'download')
    .innerJoin('user_account as u', 'u.id', 'd.user_id')
    .select(['d.download_file', 'd.rows', 'u.name', 'u.email', 'u.preferred_language', 'u.corporation_id'])
    .where('d.id', '=', downloadId)
    .where('d.state', '=', 'done')
    .where('u.enabled', '=', true)
    .executeTakeFirst();
  if (!row) return;
  const brand = await brandOf(database, config, row.corporation_id);
  const params = {
    app: brand.app,
    person: row.name,
    name: row.download_file!,
    rows: row.rows,
    url: `${brand.url}/profile?download=${downloadId}`,
  };
  const say = (part: string) => translate(row.preferred_language as Locale, keyIn('report_mail', part), params);
  await sendMail(config, { to: row.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}

const stoppedReport = z.object({
  user_id: z.int(),
  list: z.string(),
  name: z.string(),
  filters: z.array(z.string()),
});

/**
 * Job that mails a person about a report that was stopped. `filters` are those that stopped it; none means a missing
 * permission.
 */
export const mailStoppedReportJob = defineJob('mail-stopped-report', stoppedReport);

/** Mails a person why a report of theirs was stopped, and what to do. */
export async function mailStoppedReport(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { user_id, list, name, filters }: z.output<typeof stoppedReport>,
): Promise<void> {
  const person = await personToMail(database, user_id, 'always');
  if (!person) return;
  const brand = await brandOf(database, config, person.corporation_id);
  const { locale } = person;
  const say = (part: string) =>
    translate(locale, keyIn('report_mail', part), {
      app: brand.app,
      person: person.name,
      name,
      filters: filters.map((filter) => filterLabel(locale, list, filter)).join(', '),
      url: `${brand.url}/${list}`,
    });
  const text = say(filters.length > 0 ? 'stopped_filter' : 'stopped_right');
  await sendMail(config, { to: person.email, subject: say('stopped_subject'), text }, log, brand.mail());
}
