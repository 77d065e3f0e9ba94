import { contact } from '@heliograph/contract/audience/contact';
import {
  type ContactSelection,
  changeContactTags,
  deleteContacts,
  exportContacts,
  MOST_CHOSEN_CONTACTS,
} from '@heliograph/contract/audience/contact-selection';
import { type RawBuilder, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { askForList } from '#platform/tasks/exported-list';
import { chosenFields, contactFile, exportContactsJob } from './contact-file.ts';
import { chosenContacts } from './contact-rows.ts';
import { once } from './contacts.ts';

/** Mounts work on many contacts: tags, deletion, and their file. */
export function contactSelectionRoutes(app: App): void {
  mount(app, changeContactTags, async (ctx, { body }) => {
    const { selection, add, remove } = body;
    if (add.length + remove.length === 0) throw fieldError('add', 'required');
    const where = await requireFew(ctx, selection);
    const added = once(add).filter((tag) => !remove.includes(tag));
    const changed = sql`ARRAY(SELECT g FROM unnest(n.tags) g WHERE g <> ALL (${remove}::text[]))
      || ARRAY(SELECT g FROM unnest(${added}::text[]) g WHERE g <> ALL (n.tags))`;
    const done = await sql`UPDATE contact n SET tags = ${changed}, updated_at = ${ctx.clock.now().toISOString()}
      WHERE ${where} AND (NOT n.tags @> ${added}::text[] OR n.tags && ${remove}::text[])`.execute(ctx.db);
    return counted(ctx, selection, 'updated', Number(done.numAffectedRows ?? 0n), { added, removed: remove });
  });
  mount(app, deleteContacts, async (ctx, { body: { selection } }) => {
    const where = await requireFew(ctx, selection);
    const done = await sql`DELETE FROM contact n WHERE ${where}`.execute(ctx.db);
    return counted(ctx, selection, 'deleted', Number(done.numAffectedRows ?? 0n), {});
  });
  mount(app, exportContacts, async (ctx, { body }) => {
    const { format, selection, contact_field_ids } = body;
    const { corporation_id } = selection;
    const fields = await chosenFields(ctx, contact_field_ids);
    return askForList(ctx, exportContactsJob, contactFile, {
      format,
      ...(corporation_id !== undefined && { corporation_id }),
      selection,
      fields,
    } as never);
  });
}

/** Returns the condition of a selection. Throws `contacts_too_many` if one call should not change so many. */
async function requireFew(ctx: Context, selection: ContactSelection): Promise<RawBuilder<unknown>> {
  const where = await chosenContacts(ctx, selection);
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM (
    SELECT FROM contact n WHERE ${where} LIMIT ${MOST_CHOSEN_CONTACTS + 1}) c`.execute(ctx.db);
  if (rows[0]!.n > MOST_CHOSEN_CONTACTS)
    throw new BusinessError('contacts_too_many', { params: { most: MOST_CHOSEN_CONTACTS } });
  return where;
}

async function counted(
  ctx: Context,
  { corporation_id, ids }: ContactSelection,
  description: string,
  contacts: number,
  change: object,
): Promise<{ data: { contacts: number } }> {
  if (contacts > 0)
    await audit(ctx, {
      name: contact.name,
      description,
      subject_type: contact.name,
      subject_id: null,
      corporation_id: corporation_id ?? ctx.caller.corporation_id,
      after: { ...change, contacts, ...(ids && { ids }) },
    });
  return { data: { contacts } };
}
