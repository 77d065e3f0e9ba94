import {
  endUserSessions,
  fillingData,
  inviteUser,
  resetUserPassword,
  setSupervisors,
  supervisorCandidates,
  unlockUser,
  user,
} from '@heliograph/contract/access/user';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import {
  hashFor,
  type Identity,
  mailInvitation,
  mailResetLinks,
  requireGoodPassword,
  UNLOCKED,
} from '#modules/identity';
import { audit } from '#platform/access/audit';
import { requireReaderLike } from '#platform/access/hidden-texts';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { lockForEdit, requireVersion, versioned } from '#platform/http/edit-version';
import { type App, mount } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { mayLift } from './recoveries.ts';
import { levelsBelow } from './rights.ts';
import { findCandidates, replaceSupervisors } from './supervisors.ts';
import { findManageable, findUser, logUser, signOut } from './users.ts';

const CHOICES = 1000;

/** Mounts the calls on one person besides the five of every record, and the choices of their forms. */
export function userCalls(app: App, identity: Identity): void {
  mount(app, fillingData, (ctx) => choices(ctx));
  mount(app, supervisorCandidates, async (ctx, { query }) => {
    const { corporation_id, department_id = null, user_id } = query;
    return { data: await findCandidates(ctx, { id: user_id, corporation_id, department_id }, query.search) };
  });
  mount(app, setSupervisors, async (ctx, { params, body, ifMatch }) => {
    await lockForEdit(ctx, user.name, params.id);
    const before = await findManageable(ctx, params.id);
    const present = before.supervisors.map(({ id }) => id);
    const other = new Set(present).symmetricDifference(new Set(body.supervisor_ids)).size > 0;
    requireVersion(ifMatch, versioned(user, before), other ? { supervisors: body.supervisor_ids } : {});
    await replaceSupervisors(ctx, before, body.supervisor_ids);
    const after = await findUser(ctx, params.id);
    await logUser(ctx, 'supervisors set', before, after);
    return { data: versioned(user, after), message: translate(ctx.locale, 'users.supervisors_saved') };
  });
  mount(app, endUserSessions, async (ctx, { params }) => {
    const person = await findManageable(ctx, params.id);
    await signOut(ctx, [person.id]);
    await audit(ctx, {
      name: 'users',
      description: 'signed out',
      subject_type: 'users',
      subject_id: person.id,
      corporation_id: person.corporation_id,
    });
    return { message: translate(ctx.locale, 'users.signed_out', { name: person.name }) };
  });
  mount(app, unlockUser, async (ctx, { params }) => {
    const before = await findManageable(ctx, params.id);
    const { numUpdatedRows } = await ctx.db
      .updateTable('user_account')
      .set(UNLOCKED)
      .where('id', '=', params.id)
      .where('locked_until', '>', ctx.clock.now().toISOString())
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new BusinessError('unlock_failed');
    const after = await findUser(ctx, params.id);
    await logUser(ctx, 'unlocked', before, after);
    return { data: after, message: translate(ctx.locale, 'users.unlocked', { name: after.name }) };
  });
  mount(app, inviteUser, async (ctx, { params }) => {
    const person = await findManageable(ctx, params.id);
    if (person.invited_at === null) throw new BusinessError('invitation_accepted');
    await audit(ctx, {
      name: 'users',
      description: 'invited',
      subject_type: 'users',
      subject_id: person.id,
      corporation_id: person.corporation_id,
    });
    await mailInvitation(identity, ctx, person.id);
    return { message: translate(ctx.locale, 'invitation.sent', { email: person.email }) };
  });
  mount(app, resetUserPassword, async (ctx, { params, body }) => {
    const person = await findManageable(ctx, params.id);
    if (body.two_factor && !(await mayLift(identity, ctx, person)))
      return { message: translate(ctx.locale, 'users.recovery_asked', { name: person.name }) };
    if (body.password !== null) {
      requireReaderLike(ctx, 'password', person);
      const given = { password: body.password, password_confirmation: body.password_confirmation ?? '' };
      await requireGoodPassword(identity, given, { user_id: person.id });
      await ctx.db
        .updateTable('user_account')
        .set({
          password_hash: await hashFor(identity, person.email, body.password),
          password_changed_at: ctx.clock.now().toISOString(),
          must_change_password: true,
          invited_at: null,
          ...UNLOCKED,
        })
        .where('id', '=', person.id)
        .execute();
    }
    if (body.two_factor) {
      for (const table of ['recovery_code', 'user_totp', 'passkey', 'external_identity'] as const)
        await ctx.db.deleteFrom(table).where('user_id', '=', person.id).execute();
    }
    await signOut(ctx, [person.id]);
    await audit(ctx, {
      name: 'users',
      description: body.password === null ? 'reset link sent' : 'reset',
      subject_type: 'users',
      subject_id: person.id,
      corporation_id: person.corporation_id,
      after: { ...(body.two_factor && { authenticator: 'removed' }) },
    });
    if (body.password !== null) return { message: translate(ctx.locale, 'users.reset_done', { name: person.name }) };
    await mailResetLinks(identity, ctx, { user_id: person.id }).catch((error: unknown) => {
      throw new BusinessError('password_reset_failed', { cause: error });
    });
    return { message: translate(ctx.locale, 'users.reset_sent', { email: person.email }) };
  });
}

async function choices(ctx: Context): Promise<ReplyOf<typeof fillingData>> {
  const { db, caller } = ctx;
  const held = [...caller.permissions];
  const menus = await db
    .selectFrom('menu')
    .select(['id', 'url', 'title', 'labels', 'permission'])
    .where('url', '<>', '')
    .where((eb) => eb.or([eb('permission', 'is', null), eb('permission', 'in', held)]))
    .orderBy('position')
    .orderBy('id')
    .execute();
  // A caller cannot give a role that holds a permission they lack.
  const { rows: roles } = await sql<{ id: number; name: string; level: number; permissions: string[] }>`
    SELECT r.id, r.name, r.level, coalesce(array_agg(p.name) FILTER (WHERE p.id IS NOT NULL), '{}') AS permissions
    FROM role r LEFT JOIN role_permission h ON h.role_id = r.id LEFT JOIN permission p ON p.id = h.permission_id
    WHERE r.level >= ${caller.scope_level} GROUP BY r.id
    HAVING coalesce(array_agg(p.name) FILTER (WHERE p.id IS NOT NULL), '{}') <@ ${held}::text[]
    ORDER BY r.level, r.id`.execute(db);
  const named = (table: 'department' | 'billing_account') =>
    db
      .selectFrom(table)
      .select(['id', 'name', 'corporation_id'])
      .orderBy('name')
      .orderBy('id')
      .limit(CHOICES)
      .execute();
  return {
    menus: menus.map((entry) => ({ ...entry, labels: entry.labels as Record<string, string> | null })),
    roles,
    connection_types: await db.selectFrom('connection_type').select(['id', 'name']).orderBy('id').execute(),
    departments: await named('department'),
    corporations: await db
      .selectFrom('corporation')
      .select(['id', 'name'])
      .orderBy('name')
      .orderBy('id')
      .limit(CHOICES)
      .execute(),
    billing_accounts: await named('billing_account'),
    scope_levels: levelsBelow(caller).map((id) => ({ id, name: translate(ctx.locale, `scope_level.${id}`) })),
    languages: [...LOCALES],
  };
}
