import type { saveContact as saveOperation } from '@heliograph/contract/api/contact';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import { sql } from 'kysely';
import type { z } from 'zod';
import { requireNumber } from '#modules/contacts';
import type { Context } from '#platform/context';
import { oneOfSeveral } from '#platform/database/one-of-several';
import { BusinessError } from '#platform/errors';
import { once } from './contacts.ts';
import { type ContactField, readContactFields, valueColumns } from './field-values.ts';

type Given = z.output<NonNullable<(typeof saveOperation)['body']>>;
type Shown = z.output<(typeof saveOperation)['reply']>;

/** Selection of a program: contacts with a number or a tag, older than one. */
interface Selection {
  id?: number;
  number?: string | undefined;
  tag?: string | undefined;
  before?: number | undefined;
  limit: number;
}

/** Returns contacts of a corporation, the newest first. */
export async function findContacts({ db }: Context, corporationId: number, wanted: Selection): Promise<Shown[]> {
  const { id, number, tag, before, limit } = wanted;
  const { rows } = await sql<Shown & { id: number }>`
    SELECT id, number, name, tags, fields, consent, created_at, updated_at FROM contact_row
    WHERE corporation_id = ${corporationId}
      AND ${id === undefined ? sql`true` : sql`id = ${id}`}
      AND ${number === undefined ? sql`true` : sql`number = ${number}`}
      AND ${tag === undefined ? sql`true` : sql`(tags <> '{}' AND tags @> ${[tag]}::text[])`}
      AND ${before === undefined ? sql`true` : sql`id < ${before}`}
    ORDER BY id DESC LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, id: String(row.id) }));
}

/** Returns one contact of a corporation. Throws `not_found`. */
export async function findContact(ctx: Context, corporationId: number, id: number): Promise<Shown> {
  const [found] = await findContacts(ctx, corporationId, { id, limit: 1 });
  if (!found) throw new BusinessError('not_found');
  return found;
}

/** Adds a contact, or changes the one with the number: what is not given stays. Returns the contact. */
export async function saveContact(ctx: Context, corporationId: number, given: Given): Promise<Shown> {
  const id = await save(ctx, corporationId, given, await readContactFields(ctx.db, corporationId));
  return findContact(ctx, corporationId, id);
}

/**
 * Adds or changes contacts, each by itself, as `saveContact` does. Returns the id of each or its refusal, in their order.
 * They are saved in the order of their numbers, so that two calls wait for each other in the same way.
 */
export async function saveContacts(
  ctx: Context,
  corporationId: number,
  contacts: readonly Given[],
): Promise<(number | BusinessError)[]> {
  const fields = await readContactFields(ctx.db, corporationId);
  const results: (number | BusinessError)[] = [];
  const places = contacts.map(({ number }, at) => [plainDigits(number) ?? number, at] as const);
  for (const [, at] of places.sort(([a, first], [b, second]) => (a < b ? -1 : a > b ? 1 : first - second))) {
    const refusal = await oneOfSeveral(ctx.db, async () => {
      results[at] = await save(ctx, corporationId, contacts[at]!, fields);
    });
    if (refusal) results[at] = refusal;
  }
  return results;
}

async function save(
  ctx: Context,
  corporationId: number,
  given: Given,
  known: readonly ContactField[],
): Promise<number> {
  const { name, tags, fields = {} } = given;
  const number = await requireNumber(ctx, given.number);
  const changes: Record<string, unknown> = {
    ...(name !== undefined && { name }),
    ...(tags && { tags: once(tags) }),
    ...valueColumns(known, fields),
    updated_at: ctx.clock.now().toISOString(),
  };
  const { id } = await ctx.db
    .insertInto('contact')
    .values({ corporation_id: corporationId, number, source: 'api', ...changes })
    .onConflict((conflict) => conflict.columns(['corporation_id', 'number']).doUpdateSet(changes))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes a contact of a corporation. Throws `not_found`. */
export async function deleteContact({ db }: Context, corporationId: number, id: number): Promise<void> {
  const gone = await db
    .deleteFrom('contact')
    .where('corporation_id', '=', corporationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (gone.numDeletedRows === 0n) throw new BusinessError('not_found');
}
