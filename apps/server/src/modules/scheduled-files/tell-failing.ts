import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { FileFault } from '@heliograph/contract/scheduled-files/scheduled-file';
import { z } from 'zod';
import { rowsOf } from '#platform/database/queryable';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** Destinations of a customer, with the permission of the people who look after them. */
const KINDS = {
  'scheduled-files': { table: 'scheduled_file', permission: 'scheduled-files-edit' },
  'audit-streams': { table: 'audit_stream', permission: 'audit-streams-edit' },
} as const;

/** Job that mails one person that a destination takes nothing. */
export const mailFailingJob = defineJob(
  'mail-failing-destination',
  z.object({ kind: z.enum(['scheduled-files', 'audit-streams']), id: z.int(), user_id: z.int() }),
);

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>;

// Once for each failure that lasts an hour.
const untold = (table: string) => `
  UPDATE ${table} SET told_at = $1::timestamptz
  WHERE enabled AND corporation_id IS NOT NULL AND failing_since < $1::timestamptz - interval '1 hour'
    AND (told_at IS NULL OR told_at < failing_since)
  RETURNING id, corporation_id, name`;
const PEOPLE = `
  SELECT u.id FROM user_account u
  WHERE u.corporation_id = $1 AND u.enabled AND NOT u.is_service AND u.scope_level = 2 AND EXISTS (
    SELECT FROM permission p WHERE p.name = $2 AND (
      EXISTS (SELECT FROM role_permission r WHERE r.permission_id = p.id AND r.role_id = u.role_id)
      OR EXISTS (SELECT FROM user_permission x WHERE x.permission_id = p.id AND x.user_id = u.id)))`;

/** Tells the people of customers, in the bell and by mail, that a destination has taken nothing for an hour. */
export async function tellFailing({ database, clock }: Worker): Promise<void> {
  for (const [kind, { table, permission }] of Object.entries(KINDS))
    await database.transaction().execute(async (db) => {
      const failing = await rowsOf<{ id: number; corporation_id: number; name: string }>(db, untold(table), [
        clock.now().toISOString(),
      ]);
      for (const { id, corporation_id, name } of failing)
        for (const { id: user_id } of await rowsOf<{ id: number }>(db, PEOPLE, [corporation_id, permission])) {
          await notify(db, user_id, `${kind}.destination_failing`, { name });
          await enqueue(db, mailFailingJob, { kind: kind as keyof typeof KINDS, id, user_id });
        }
    });
}

/** Mails one person that a destination takes nothing, unless it works again. */
export async function mailFailing(
  { database, config, log }: Worker,
  { kind, id, user_id }: z.output<(typeof mailFailingJob)['data']>,
): Promise<void> {
  const error =
    kind === 'audit-streams'
      ? 's.error'
      : `(SELECT r.error FROM scheduled_file_run r WHERE r.scheduled_file_id = s.id AND r.state = 'waiting'
          ORDER BY r.period_start LIMIT 1)`;
  const [found] = await rowsOf<{ corporation_id: number; name: string; error: FileFault | null }>(
    database,
    `SELECT s.corporation_id, s.name, ${error} AS error FROM ${KINDS[kind].table} s
     WHERE s.id = $1 AND s.enabled AND s.failing_since IS NOT NULL`,
    [id],
  );
  const person = await personToMail(database, user_id, 'always');
  if (!found || !person) return;
  const brand = await brandOf(database, config, found.corporation_id);
  const { locale } = person;
  const params = {
    app: brand.app,
    name: found.name,
    reason: found.error === null ? '' : translate(locale, `file_fault.${found.error}`),
    console: `${brand.url}/${kind}`,
  };
  const say = (part: string) => translate(locale, keyIn('destination_failing', part), params);
  await sendMail(config, { to: person.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}
