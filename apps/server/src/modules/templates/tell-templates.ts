import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { decidersOf } from '#modules/senders';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** Changes of which people are notified: those who decide of a request, the owners of a decision. */
const NEWS: readonly string[] = ['submitted', 'approved', 'rejected', 'withdrawn'];

/** Job that notifies people of an entry in the history of a template. */
export const tellTemplateNewsJob = defineJob('tell-template-news', z.object({ event_id: z.int() }));
/** Job that mails one person about it. */
export const mailTemplateNewsJob = defineJob('mail-template-news', z.object({ event_id: z.int(), user_id: z.int() }));

/** Finds the person who submitted a template, and the administrators of its corporation. */
const owners = (db: Kysely<Database>, templateId: number, corporationId: number) =>
  sql<{ id: number }>`SELECT u.id FROM user_account u WHERE u.enabled AND NOT u.is_service
    AND (u.id = (SELECT requested_by FROM message_template WHERE id = ${templateId})
      OR u.corporation_id = ${corporationId} AND u.scope_level = 2)`.execute(db);

/** Notifies people of one entry in the history of a template, once. */
export async function tellTemplateNews(
  { database }: Pick<WorkerContext, 'database'>,
  { event_id }: z.output<(typeof tellTemplateNewsJob)['data']>,
): Promise<void> {
  await database.transaction().execute(async (db) => {
    const event = await db
      .updateTable('template_event')
      .set({ told: true })
      .where('id', '=', event_id)
      .where('told', '=', false)
      .returningAll()
      .executeTakeFirst();
    if (!event || !NEWS.includes(event.to_state)) return;
    const { template_id, corporation_id, name, to_state, actor_id } = event;
    const { rows } = await (to_state === 'submitted'
      ? decidersOf(db, corporation_id)
      : owners(db, template_id, corporation_id));
    for (const { id: user_id } of rows) {
      if (user_id === actor_id) continue;
      await notify(db, user_id, `template.${to_state}`, { template_id, name });
      await enqueue(db, mailTemplateNewsJob, { event_id, user_id });
    }
  });
}

/** Mails one person about a template, in their language. */
export async function mailTemplateNews(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { event_id, user_id }: z.output<(typeof mailTemplateNewsJob)['data']>,
): Promise<void> {
  const event = await database
    .selectFrom('template_event as e')
    .innerJoin('corporation as c', 'c.id', 'e.corporation_id')
    .select(['e.name', 'e.to_state', 'e.reason', 'c.name as corporation'])
    .where('e.id', '=', event_id)
    .executeTakeFirst();
  const person = await personToMail(database, user_id, 'approval');
  if (!event || !person) return;
  const brand = await brandOf(database, config, person.corporation_id);
  const { name, corporation, reason, to_state } = event;
  const say = (part: string) =>
    translate(person.locale, keyIn('template_news', to_state, part), {
      app: brand.app,
      name,
      corporation,
    });
  const text = [say('text'), reason, `${brand.url}/message-templates`].filter(Boolean).join('\n\n');
  await sendMail(config, { to: person.email, subject: say('subject'), text }, log, brand.mail());
}
