import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { previewCorporationOff } from '@heliograph/contract/organizations/switch-off';
import { type RawBuilder, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { keepHold } from '#platform/access/field-rights';
import type { Context } from '#platform/context';

type Concerned = ReplyOf<typeof previewCorporationOff>['data'];

/** Counts everything that stops when a corporation, or with `department_id` only that department, is switched off. */
export async function concernedBy(
  { db }: Pick<Context, 'db'>,
  { corporation_id, department_id }: { corporation_id: number; department_id: number | null },
): Promise<Concerned> {
  const of = (alias: string): RawBuilder<boolean> =>
    department_id === null
      ? sql`${sql.ref(`${alias}.corporation_id`)} = ${corporation_id}`
      : sql`${sql.ref(`${alias}.department_id`)} = ${department_id}`;
  const signsIn = department_id === null ? sql`true` : sql`u.scope_level > 2`;
  const { rows } = await sql<Concerned>`SELECT
    (SELECT count(*) FROM user_account u WHERE ${of('u')} AND u.enabled AND NOT u.is_service AND ${signsIn}) AS users,
    (SELECT count(*) FROM campaign c WHERE ${of('c')} AND c.state IN ('preparing', 'running', 'paused')) AS campaigns,
    (SELECT count(*) FROM campaign c WHERE ${of('c')} AND c.state IN ('scheduled', 'pending')) AS scheduled,
    (SELECT count(*) FROM api_key k JOIN user_account u ON u.id = k.user_id WHERE ${of('u')} AND k.revoked_at IS NULL) AS api_keys,
    (SELECT count(*) FROM smpp_system_id s JOIN user_account u ON u.id = s.user_id WHERE ${of('u')} AND s.enabled) AS system_ids,
    (SELECT count(*) FROM corporation r WHERE r.reseller_id = ${corporation_id} AND ${department_id === null} AND r.enabled)
      AS customers`.execute(db);
  return rows[0]!;
}

/**
 * Switches the customers of a reseller off with it, or on again those that were switched off in this way; answers how
 * many. Customers that were switched off for another reason stay off.
 */
export async function switchCustomers(ctx: Context, resellerId: number, enabled: boolean): Promise<number> {
  const { rows } = enabled
    ? await sql<{ id: number }>`UPDATE corporation SET enabled = true, switched_off_with = NULL
        WHERE switched_off_with = ${resellerId} RETURNING id`.execute(ctx.db)
    : await sql<{ id: number }>`UPDATE corporation SET enabled = false, switched_off_with = ${resellerId}
        WHERE reseller_id = ${resellerId} AND enabled RETURNING id`.execute(ctx.db);
  for (const { id } of rows) {
    await keepHold(ctx, { record: 'corporations', record_id: id, corporation_id: id }, 'enabled', enabled);
    await audit(ctx, {
      name: 'corporations',
      description: 'updated',
      subject_type: 'corporations',
      subject_id: id,
      corporation_id: id,
      before: { enabled: !enabled },
      after: { enabled },
    });
  }
  return rows.length;
}
