import type { deleteInbox, markInbox } from '@heliograph/contract/inbox/inbox-message';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { tellInbox } from './tell-inbox.ts';

const corporationsIn = (rows: readonly { corporation_id: number | null }[]) => [
  ...new Set(rows.flatMap(({ corporation_id }) => corporation_id ?? [])),
];

/** Marks messages. Row level security leaves out those that the caller cannot see. */
export const mark: Handler<typeof markInbox> = async (ctx, { body }) => {
  const { ids, read, important } = body;
  const now = ctx.clock.now().toISOString();
  const changed = await ctx.db
    .updateTable('inbox_message')
    .set({
      ...(read !== undefined && { read_at: read ? sql<string>`coalesce(read_at, ${now})` : null }),
      ...(important !== undefined && { important }),
      // A call that asks for no change changes nothing.
      ...(read === undefined && important === undefined && { important: sql<boolean>`important` }),
    })
    .where('id', 'in', ids)
    .returning(['id', 'corporation_id'])
    .execute();
  await tellInbox(ctx.db, 'inbox.changed', corporationsIn(changed));
  return { count: changed.length, message: translate(ctx.locale, 'inbox.marked', { count: changed.length }) };
};

export const remove: Handler<typeof deleteInbox> = async (ctx, { body: { ids } }) => {
  const gone = await ctx.db
    .deleteFrom('inbox_message')
    .where('id', 'in', ids)
    .returning(['id', 'corporation_id', 'oa', 'number', 'received_at'])
    .execute();
  for (const { id, corporation_id, ...before } of gone)
    await audit(ctx, {
      name: 'inbox',
      description: 'deleted',
      subject_type: 'inbox',
      subject_id: id,
      corporation_id,
      before,
      after: null,
    });
  await tellInbox(ctx.db, 'inbox.changed', corporationsIn(gone));
  return { count: gone.length, message: translate(ctx.locale, 'delete.done') };
};
