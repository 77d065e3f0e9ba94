import type { profile, updateProfile } from '@heliograph/contract/identity/session';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { audit } from '#platform/audit';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { translate } from '#platform/i18n';
import { readNumberRules } from '#platform/number-rules';
import { readSettings } from './settings.ts';

/** Who the caller is, what they may do, and in which zone and currency they see things. */
export async function showProfile({ db, caller }: Context): Promise<ReplyOf<typeof profile>> {
  const row = await db
    .selectFrom('user_account as u')
    .leftJoin('corporation as c', 'c.id', 'u.corporation_id')
    .leftJoin('department as d', 'd.id', 'u.department_id')
    .select(['u.id', 'u.name', 'u.email', 'u.phone', 'u.landing_page', 'u.scope_level', 'u.preferred_language'])
    .select(['u.corporation_id', 'c.name as corporation_name', 'u.department_id', 'd.name as department_name'])
    .select(['c.currency', 'c.timezone', 'u.content_visible'])
    .where('u.id', '=', caller.user_id)
    .executeTakeFirstOrThrow();
  const settings = await readSettings(db);
  const { currency, timezone, ...person } = row;
  return {
    permissions: [...caller.permissions].sort().map((name) => ({ name })),
    profile: {
      ...person,
      preferred_language: caller.locale,
      currency: currency ?? settings.get('currency') ?? 'PHP',
      verified: caller.verified,
    },
    roles: [caller.role],
    corporationTimeZone: timezone ?? settings.get('timezone') ?? 'Asia/Manila',
  };
}

/** Changes what a person may change about themselves. A phone is kept as digits in international format. */
export async function changeProfile(ctx: Context, body: BodyOf<typeof updateProfile>): Promise<{ message: string }> {
  const { db, caller } = ctx;
  const read = () =>
    db
      .selectFrom('user_account')
      .select(['name', 'phone', 'preferred_language'])
      .where('id', '=', caller.user_id)
      .executeTakeFirstOrThrow();
  const before = await read();
  const phone = body.phone ? checkNumber(body.phone, await readNumberRules(db)) : undefined;
  if (phone?.fault) throw fieldError('phone', 'number');
  await db
    .updateTable('user_account')
    .set({
      ...(body.name !== undefined && { name: body.name }),
      ...(body.phone !== undefined && { phone: phone?.msisdn ?? null }),
      ...(body.preferred_language !== undefined && { preferred_language: body.preferred_language }),
      updated_at: ctx.clock.now().toISOString(),
    })
    .where('id', '=', caller.user_id)
    .execute();
  await audit(ctx, {
    name: 'profile',
    description: 'updated',
    subject_type: 'users',
    subject_id: caller.user_id,
    before,
    after: await read(),
  });
  return { message: translate(body.preferred_language ?? ctx.locale, 'profile.saved') };
}
