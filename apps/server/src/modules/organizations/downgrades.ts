import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { previewReseller } from '@heliograph/contract/organizations/team';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { emit } from '#platform/realtime/realtime';

/** Person with the present role and scope, and the future ones. */
type Downgrade = ReplyOf<typeof previewReseller>['data'][number];

/** Rule that selects the people to downgrade after a corporation's new place in the tree, and their new role. */
export interface DowngradeRule {
  /** Role they get. */
  role: 'reseller' | 'corporate_admin';
  /** Condition on the people concerned: the corporation's people `u` with their role `r`. */
  who: ReturnType<typeof sql<boolean>>;
  /** Level they get; undefined for the one they have. */
  scope_level?: 2;
  missing: 'reseller_role_missing' | 'corporate_admin_role_missing';
}

/** Rule for a corporation that becomes a reseller: users above the reseller role. */
export const BECOMES_RESELLER: DowngradeRule = {
  role: 'reseller',
  who: sql`r.level < 2`,
  missing: 'reseller_role_missing',
};

/** Rule for a corporation that gets a reseller: users above corporate admin, or of corporate scope. */
export const GETS_RESELLER: DowngradeRule = {
  role: 'corporate_admin',
  who: sql`r.level < 2 OR r.name = 'reseller' OR u.scope_level = 2`,
  scope_level: 2,
  missing: 'corporate_admin_role_missing',
};

async function roleOf({ db }: Context, rule: DowngradeRule): Promise<number> {
  const role = await db.selectFrom('role').select('id').where('name', '=', rule.role).executeTakeFirst();
  if (!role) throw new BusinessError(rule.missing);
  return role.id;
}

/**
 * Lists the people of a corporation that a rule changes, by name. Throws the rule's `missing` if its role does not
 * exist.
 */
export async function downgradesOf(ctx: Context, corporationId: number, rule: DowngradeRule): Promise<Downgrade[]> {
  const roleId = await roleOf(ctx, rule);
  const level = rule.scope_level ?? sql`u.scope_level`;
  const { rows } = await sql<Downgrade>`
    SELECT u.id, u.name, u.email, r.name AS role_name, u.scope_level, ${rule.role}::text AS new_role_name,
      ${level}::integer AS new_scope_level,
      (SELECT count(*) FROM (SELECT permission_id FROM role_permission WHERE role_id = u.role_id
        UNION SELECT permission_id FROM user_permission WHERE user_id = u.id) h
        WHERE permission_id NOT IN (SELECT permission_id FROM role_permission WHERE role_id = ${roleId})) AS loses,
      (SELECT count(*) FROM role_permission n WHERE n.role_id = ${roleId} AND permission_id NOT IN (
        SELECT permission_id FROM role_permission WHERE role_id = u.role_id
        UNION SELECT permission_id FROM user_permission WHERE user_id = u.id)) AS gains
    FROM user_account u JOIN role r ON r.id = u.role_id
    WHERE u.corporation_id = ${corporationId} AND NOT u.is_service AND (${rule.who}) AND (u.role_id <> ${roleId} OR u.scope_level <> ${level})
    ORDER BY u.name, u.id`.execute(ctx.db);
  return rows;
}

/**
 * Downgrades the people of a rule, removes permissions beyond their new role, and logs each. `confirmed` are the people
 * whose downgrade was shown. Throws `changed_meanwhile` if they are not the same people. Throws `permission_missing` if
 * the caller lacks a permission that would be given or taken. Answers the people as they were.
 */
export async function downgrade(
  ctx: Context,
  corporationId: number,
  rule: DowngradeRule,
  confirmed: readonly number[],
): Promise<Downgrade[]> {
  await sql`SELECT FROM user_account WHERE corporation_id = ${corporationId} ORDER BY id FOR NO KEY UPDATE`.execute(
    ctx.db,
  );
  const people = await downgradesOf(ctx, corporationId, rule);
  const shown = new Set(confirmed);
  if (shown.size !== people.length || !people.every(({ id }) => shown.has(id)))
    throw new BusinessError('changed_meanwhile');
  if (people.length === 0) return people;
  const roleId = await roleOf(ctx, rule);
  await requireHeld(ctx, roleId);
  for (const person of people) {
    await ctx.db
      .updateTable('user_account')
      .set({
        role_id: roleId,
        scope_level: person.new_scope_level,
        permission_template: rule.role,
        updated_at: ctx.clock.now().toISOString(),
      })
      .where('id', '=', person.id)
      .execute();
    await takeBeyond(ctx, person.id, roleId);
    await audit(ctx, {
      name: 'users',
      description: 'downgraded',
      subject_type: 'users',
      subject_id: person.id,
      corporation_id: corporationId,
      before: { role_name: person.role_name, scope_level: person.scope_level },
      after: { role_name: person.new_role_name, scope_level: person.new_scope_level },
    });
    await emit(ctx.db, `private-App.Models.User.${person.id}`, 'rights.changed', {});
  }
  return people;
}

/**
 * Throws unless the caller holds all permissions of a role: also here, people cannot give permissions that they lack.
 */
async function requireHeld({ db, caller }: Context, roleId: number): Promise<void> {
  const { rows } = await sql`
    SELECT FROM role_permission h JOIN permission p ON p.id = h.permission_id
    WHERE h.role_id = ${roleId} AND p.name <> ALL (${[...caller.permissions]}::text[]) LIMIT 1`.execute(db);
  if (rows.length > 0) throw new BusinessError('permission_missing');
}

/** Removes the directly given permissions that the new role does not have. */
async function takeBeyond({ db }: Context, userId: number, roleId: number): Promise<void> {
  const beyond = sql<boolean>`user_id = ${userId}
    AND permission_id NOT IN (SELECT permission_id FROM role_permission WHERE role_id = ${roleId})`;
  await sql`DELETE FROM user_permission WHERE ${beyond}`.execute(db);
  // Row level security leaves the person the permissions that the caller lacks.
  const { rows } = await sql`SELECT FROM user_permission WHERE ${beyond} LIMIT 1`.execute(db);
  if (rows.length > 0) throw new BusinessError('permission_missing');
}
