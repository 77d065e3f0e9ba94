import { contact } from '@heliograph/contract/audience/contact';
import { requireNumber } from '#modules/contacts';
import { requireVisible } from '#platform/access/visible';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { pageOfContacts } from './contact-rows.ts';
import { readContactFields, valueColumns } from './field-values.ts';

const stored = tableStore(contact, { table: 'contact', from: 'contact_row' });

/** Returns tags without repetitions. */
export const once = (tags: readonly string[]): string[] => [...new Set(tags)];

/** Contacts of corporations, with the values of their fields. */
export const contacts: ResourceHandlers<typeof contact> = {
  ...stored,
  list: (ctx, { query }) => pageOfContacts(ctx, query),
  async create(ctx, call) {
    const { fields, tags, ...given } = call.body;
    await requireVisible(ctx, 'corporation', given.corporation_id, 'corporation_id');
    const columns = valueColumns(await readContactFields(ctx.db, given.corporation_id), fields);
    const number = await requireNumber(ctx, given.number);
    // The columns of values are those of the corporation's fields; the contract knows them by their keys.
    const body = { ...given, number, tags: once(tags), ...columns } as unknown as typeof call.body;
    return stored.create(ctx, { ...call, body });
  },
  async update(ctx, call) {
    const { fields, tags, ...given } = call.body;
    const { data } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    const columns = fields ? valueColumns(await readContactFields(ctx.db, data.corporation_id), fields) : {};
    const changed = { ...given, ...(tags && { tags: once(tags) }), ...columns };
    if (Object.keys(changed).length === 0) return stored.update(ctx, { ...call, body: {} });
    const body = { ...changed, updated_at: ctx.clock.now().toISOString() } as typeof call.body;
    return stored.update(ctx, { ...call, body });
  },
};
