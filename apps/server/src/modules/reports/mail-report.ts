import type { Locale } from '@heliograph/contract/kernel/scope';
import { brandOf } from '#platform/brand';
import { translate } from '#platform/i18n';
import { sendMail } from '#platform/mail';
import type { WorkerContext } from '#platform/worker-context';

/** Mails a person that the file of a report is there, with the address that opens it once they are signed in. */
export async function mailReport(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  downloadId: number,
): Promise<void> {
  const row = await database
    .selectFrom('download as d')
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
    name: row.download_file,
    rows: row.rows,
    url: `${brand.url}/profile?download=${downloadId}`,
  };
  const say = (part: string) => translate(row.preferred_language as Locale, `report_mail.${part}`, params);
  await sendMail(config, { to: row.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}
