import type { Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { translate } from '#platform/text/i18n';

/** Maximum people who get the mail of one emergency sign-in. */
const READERS = 20;

interface Reader {
  name: string;
  email: string;
  locale: Locale;
}

/** Mails an emergency sign-in to its person, and to the colleagues who may change the identity providers. */
export async function mailEmergency(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  sessionId: string,
): Promise<void> {
  const session = await database
    .selectFrom('session as s')
    .innerJoin('user_account as u', 'u.id', 's.user_id')
    .select(['u.id as user_id', 'u.name', 'u.email', 'u.corporation_id', 's.ip', 's.created_at'])
    .where('s.id', '=', sessionId)
    .executeTakeFirst();
  if (!session) return;
  const { rows: readers } = await sql<Reader>`
    SELECT u.name, u.email, u.preferred_language AS locale FROM user_account u
    WHERE u.enabled AND NOT u.is_service AND u.corporation_id IS NOT DISTINCT FROM ${session.corporation_id} AND (u.id = ${session.user_id}
      OR EXISTS (SELECT FROM permission p WHERE p.name = 'identity-providers-edit' AND (
        EXISTS (SELECT FROM role_permission h WHERE h.role_id = u.role_id AND h.permission_id = p.id)
        OR EXISTS (SELECT FROM user_permission h WHERE h.user_id = u.id AND h.permission_id = p.id))))
    ORDER BY u.id = ${session.user_id} DESC, u.id LIMIT ${READERS}`.execute(database);
  const { app, url, mail } = await brandOf(database, config, session.corporation_id);
  for (const { name, email, locale } of readers) {
    const time = new Date(session.created_at).toISOString().slice(0, 16).replace('T', ' ');
    const words = { app, url, name, person: `${session.name} <${session.email}>`, ip: session.ip ?? '–', time };
    await sendMail(
      config,
      {
        to: email,
        subject: translate(locale, 'sign_on.emergency_subject', words),
        text: translate(locale, 'sign_on.emergency_text', words),
      },
      log,
      mail(),
    );
  }
}
