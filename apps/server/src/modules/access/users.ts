import { user } from '@heliograph/contract/access/user';
import { sql } from 'kysely';
import type { z } from 'zod';
import { hashFor, type Identity, mailResetLinks, requireGoodPassword } from '#modules/identity';
import { audit } from '#platform/access/audit';
import { requireFreshProof } from '#platform/access/fresh-proof';
import { requireReaderLike } from '#platform/access/hidden-texts';
import { requireUnused } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { isTransient } from '#platform/database/transient-error';
import { BusinessError, constraintError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { unavailable } from '#platform/outage';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';
import { manageable, permissionsGiven, requireManageable, tellRights } from './rights.ts';
import { dropUnfitting, isSupervisor, replaceSupervisors } from './supervisors.ts';
import {
  checkFlags,
  checkLandingPage,
  checkPlace,
  checkRole,
  giveDirectly,
  type Place,
  phoneDigits,
  templatePermissions,
} from './user-rules.ts';

/** Fields that give rights, or the account itself: the owner of its address can sign in. */
const PROVED = [
  'email',
  'role_id',
  'scope_level',
  'permission_template',
  'content_visible',
  'numbers_visible',
] as const;

const stored = tableStore(user, { table: 'user_account', from: 'user_row', searched: ['name', 'email', 'phone'] });
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

/** Sets the abilities on these people: nobody edits themselves here, or people above them. */
async function withAbilities(ctx: Context, rows: readonly Row[]): Promise<Row[]> {
  const within = await manageable(ctx, rows);
  return rows.map((row) => (within.has(row.id) ? row : { ...row, abilities: { edit: false, delete: false } }));
}

/** Finds a person as the caller sees them; throws `not_found`. */
export async function findUser(ctx: Context, id: number): Promise<Row> {
  const { data } = await stored.get(ctx, { params: { id }, query: {}, body: {} });
  return (await withAbilities(ctx, [data]))[0]!;
}

/** Finds a person that the caller may change; throws `not_found`, `own_user` or `forbidden`. */
export async function findManageable(ctx: Context, id: number): Promise<Row> {
  const row = await findUser(ctx, id);
  await requireManageable(ctx, row);
  return row;
}

/** Writes a change of a person into the activity log. */
export async function logUser(ctx: Context, what: string, before: Row | null, after: Row | null): Promise<void> {
  const plain = (row: Row | null) => row && { ...row, abilities: undefined, updated_at: undefined };
  await audit(ctx, {
    name: 'users',
    description: what,
    subject_type: 'users',
    subject_id: (after ?? before)!.id,
    corporation_id: (after ?? before)!.corporation_id,
    before: plain(before),
    after: plain(after),
  });
}

const said = (ctx: Context, what: 'created' | 'updated') =>
  translate(ctx.locale, `saved.${what}`, { record: translate(ctx.locale, 'resources.users.one') });

const guarded = <X>(work: Promise<X>): Promise<X> =>
  work.catch((error: unknown) => {
    throw constraintError(error, user.conflicts) ?? error;
  });

/** Throws if a supervisor would fall to user scope, or move away from the people they supervise. */
async function checkSupervisor(ctx: Context, before: Row, place: Place): Promise<void> {
  const moved = place.corporation_id !== before.corporation_id || place.department_id !== before.department_id;
  const stays =
    place.scope_level < 4 && (!moved || (place.scope_level === 2 && place.corporation_id === before.corporation_id));
  if (!stays && (await isSupervisor(ctx, before.id))) throw new BusinessError('user_is_supervisor');
}

/** Throws `user_already_exists` if a person of the corporation has the address, and the caller sees that person. */
const requireOwnAddress = (ctx: Context, corporationId: number | null, email: string, except = 0) =>
  requireUnused(ctx, 'user_account', ['email', email], 'user_already_exists', {
    except,
    within: sql`corporation_id IS NOT DISTINCT FROM ${corporationId}`,
  });

type NewUser = Omit<z.output<typeof user.create>, 'password' | 'password_confirmation'>;
/** Creates a person; without a password they are invited to choose one. Throws if the caller may not create them. */
export type AddUser = (
  ctx: Context,
  fields: NewUser,
  secret: { password: string; password_confirmation: string } | null,
) => Promise<Row>;

/** Makes the function that creates people by the rules of their form. */
export const addUser =
  (identity: Identity): AddUser =>
  async (ctx, { supervisor_ids, ...fields }, secret) => {
    const { caller } = ctx;
    if (caller.scope_level === 4) throw new BusinessError('forbidden');
    const role = await checkRole(ctx, fields);
    await checkPlace(ctx, fields, role.name);
    checkFlags(ctx, fields, { content_visible: true, numbers_visible: true });
    const direct = await templatePermissions(ctx, fields.permission_template, role);
    await checkLandingPage(ctx, fields.landing_page, [...role.permissions, ...direct]);
    const phone = await phoneDigits(ctx, fields.phone);
    if (secret) await requireGoodPassword(identity, secret, { corporation_id: fields.corporation_id });
    await requireOwnAddress(ctx, fields.corporation_id, fields.email);
    const now = ctx.clock.now().toISOString();
    const { id } = await guarded(
      ctx.db
        .insertInto('user_account')
        .values({
          ...fields,
          content_visible: fields.content_visible && caller.content_visible,
          numbers_visible: fields.numbers_visible && caller.numbers_visible,
          phone,
          password_hash: await hashFor(identity, fields.email, secret?.password ?? null),
          invited_at: secret ? null : now,
          activated_at: fields.enabled ? now : null,
          created_by: caller.user_id,
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await giveDirectly(ctx, id, direct);
    if (supervisor_ids.length > 0) await replaceSupervisors(ctx, { id, ...fields }, supervisor_ids);
    const row = await findUser(ctx, id);
    await logUser(ctx, 'created', null, row);
    return row;
  };

/** Users: nobody creates, changes or removes people above them, or gives permissions that they lack. */
export const users = (identity: Identity): ResourceHandlers<typeof user> => ({
  async list(ctx, call) {
    const page = await stored.list(ctx, call);
    return { ...page, data: await withAbilities(ctx, page.data) };
  },

  async get(ctx, { params }) {
    return { data: await findUser(ctx, params.id) };
  },

  async create(ctx, { body }) {
    const { password, password_confirmation, ...fields } = body;
    const row = await addUser(identity)(ctx, fields, { password, password_confirmation });
    return { data: row, message: said(ctx, 'created') };
  },

  async update(ctx, { params, body }) {
    const before = await findManageable(ctx, params.id);
    if (PROVED.some((field) => body[field] !== undefined && body[field] !== before[field])) requireFreshProof(ctx);
    const place = { ...before, ...given(body) };
    const changes: Partial<typeof body> = { ...body };
    const role = await checkRole(ctx, place);
    await checkPlace(ctx, place, role.name);
    await checkSupervisor(ctx, before, place);
    checkFlags(ctx, body, before);
    // The owner of a person's address can sign in as them.
    const moved = body.email !== undefined && body.email !== before.email ? body.email : null;
    if (moved !== null) requireReaderLike(ctx, 'email', before);
    if (moved !== null) await requireOwnAddress(ctx, place.corporation_id, moved, before.id);
    if (body.phone !== undefined) changes.phone = await phoneDigits(ctx, body.phone);
    const chosen = body.permission_template !== undefined && body.permission_template !== before.permission_template;
    const direct = chosen
      ? await templatePermissions(ctx, body.permission_template ?? null, role)
      : await permissionsGiven(ctx, before.id);
    if (body.landing_page !== undefined && body.landing_page !== before.landing_page)
      await checkLandingPage(ctx, body.landing_page, [...role.permissions, ...direct]);
    if (Object.keys(given(body)).length > 0) {
      const now = ctx.clock.now().toISOString();
      await guarded(
        ctx.db
          .updateTable('user_account')
          .set({
            ...given(changes),
            ...(body.enabled && before.activated_at === null && { activated_at: now }),
            // The password is removed with the old address: the owner of the new one chooses another.
            ...(moved !== null && { password_hash: await hashFor(identity, moved, null) }),
            updated_at: now,
          })
          .where('id', '=', before.id)
          .execute(),
      );
      if (chosen) await giveDirectly(ctx, before.id, direct);
      if (place.corporation_id !== before.corporation_id || place.department_id !== before.department_id)
        await dropUnfitting(ctx, { ...place, id: before.id });
      if (moved !== null || (body.enabled === false && before.enabled)) await signOut(ctx, [before.id]);
      await tellRights(ctx, before.id);
    }
    const after = await findUser(ctx, before.id);
    await logUser(ctx, 'updated', before, after);
    if (moved === null || !after.enabled) return { data: after, message: said(ctx, 'updated') };
    ctx.afterCommit(() => {
      mailResetLinks(identity, ctx, { user_id: before.id }).catch((error: unknown) =>
        ctx.log.error({ err: error }, 'could not send email'),
      );
    });
    return { data: after, message: translate(ctx.locale, 'users.address_changed', { email: moved }) };
  },

  async remove(ctx, { params }) {
    const before = await findManageable(ctx, params.id);
    if (await isSupervisor(ctx, before.id)) throw new BusinessError('user_is_supervisor');
    if (await hasRoutings(ctx, before.id)) throw new BusinessError('user_has_routings');
    await ctx.db
      .deleteFrom('user_account')
      .where('id', '=', before.id)
      .execute()
      .catch((error: unknown) => {
        throw refusalOf(error);
      });
    await logUser(ctx, 'deleted', before, null);
    return { message: translate(ctx.locale, 'delete.done') };
  },
});

/** Tells whether inbound routes belong to a person: this is reported before any other obstacle to a removal. */
async function hasRoutings(ctx: Context, userId: number): Promise<boolean> {
  const found = await ctx.db.selectFrom('routing').select('id').where('user_id', '=', userId).executeTakeFirst();
  return found !== undefined;
}

/** Answers why a person cannot be removed, by the constraint that failed. */
function refusalOf(error: unknown): BusinessError {
  if (isTransient(error)) return unavailable(error);
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code !== '23503') return new BusinessError('user_delete_failed', { cause: error });
  return new BusinessError(constraint?.startsWith('routing_') ? 'user_has_routings' : 'has_dependencies', {
    cause: error,
  });
}

/** Ends every session of a person and tells them that an administrator did it. */
export async function signOut(ctx: Pick<Context, 'db' | 'clock'>, people: readonly number[]): Promise<void> {
  await ctx.db
    .updateTable('session')
    .set({ ended_at: ctx.clock.now().toISOString(), ended_because: 'administrator' })
    .where(sql<boolean>`user_id = ANY (${people}::bigint[])`)
    .where('ended_at', 'is', null)
    .execute();
}

/** Answers the fields that were sent. */
function given<T extends object>(body: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
