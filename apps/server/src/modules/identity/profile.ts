import { type Preferences, USUAL_PREFERENCES } from '@heliograph/contract/identity/preferences';
import type { profile, updateProfile } from '@heliograph/contract/identity/session';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { lockForEdit, requireVersion, versionOf } from '#platform/http/edit-version';
import { readNumberRules } from '#platform/operator/number-rules';
import { readSettings } from '#platform/operator/settings';
import { translate } from '#platform/text/i18n';
import { imagePath } from './profile-image.ts';
import type { Identity } from './session-tokens.ts';
import { rulesOf } from './sign-in-policy.ts';

/** Answers the caller's person, permissions, time zone and currency. */
export async function showProfile({ authDb }: Identity, { db, caller }: Context): Promise<ReplyOf<typeof profile>> {
  const row = await db
    .selectFrom('user_account as u')
    .leftJoin('corporation as c', 'c.id', 'u.corporation_id')
    .leftJoin('department as d', 'd.id', 'u.department_id')
    .leftJoin('user_image as i', 'i.user_id', 'u.id')
    .select(['u.id', 'u.name', 'u.email', 'u.phone', 'u.landing_page', 'u.scope_level', 'u.preferred_language'])
    .select(['u.corporation_id', 'c.name as corporation_name', 'u.department_id', 'd.name as department_name'])
    .select(['c.currency', 'c.timezone', 'u.content_visible', 'u.numbers_visible', 'i.key as image_key'])
    .where('u.id', '=', caller.user_id)
    .executeTakeFirstOrThrow();
  const settings = await readSettings(db);
  const rules = await rulesOf(authDb, caller.user_id);
  const { currency, timezone, image_key, landing_page, ...person } = row;
  const { all } = await db
    .selectFrom('permission')
    .select((eb) => eb.fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  return {
    permissions: [...caller.permissions].sort().map((name) => ({ name })),
    profile: {
      ...person,
      landing_page: await openLandingPage({ db, caller }, landing_page),
      chosen_landing_page: landing_page,
      image_path: image_key === null ? null : imagePath(image_key),
      unlimited: caller.permissions.size >= all,
      preferred_language: caller.locale,
      currency: currency ?? settings.get('currency') ?? 'PHP',
      verified: caller.verified,
      preferences: await readPreferences({ db, caller }),
      idle_minutes: rules.idle_minutes,
      content_visible: caller.content_visible,
      numbers_visible: caller.numbers_visible,
      support: caller.support ? { ends_at: caller.support.ends_at } : null,
      passkey_needed: caller.support
        ? null
        : rules.needs_passkey
          ? 'now'
          : rules.passkeys_from !== null
            ? 'soon'
            : null,
      passkey_needed_from: rules.passkeys_from,
      etag: versionOfProfile(row),
    },
    roles: [caller.role],
    corporationTimeZone: timezone ?? settings.get('timezone') ?? 'Asia/Manila',
  };
}

type Changeable = { name: string; phone: string | null; preferred_language: string; landing_page: string };

const versionOfProfile = ({ name, phone, preferred_language, landing_page }: Changeable): string =>
  versionOf([name, phone, preferred_language, landing_page]);

/** Reads the caller's preferences of the console. */
async function readPreferences({ db, caller }: Pick<Context, 'db' | 'caller'>): Promise<Preferences> {
  const row = await db
    .selectFrom('user_preference')
    .select(['page_size', 'timezone', 'date_format', 'mail_kinds', 'tour_seen'])
    .where('user_id', '=', caller.user_id)
    .executeTakeFirst();
  return row ? (row as Preferences) : USUAL_PREFERENCES;
}

/** Lists the entries of the menu that the caller may open, in its order. */
async function openPages({ db, caller }: Pick<Context, 'db' | 'caller'>): Promise<string[]> {
  const rows = await db
    .selectFrom('menu as m')
    .leftJoin('menu as g', 'g.id', 'm.parent_id')
    .select(['m.url', 'm.permission'])
    .where('m.url', '<>', '')
    .orderBy((eb) => eb.fn.coalesce('g.position', 'm.position'))
    .orderBy('m.position')
    .execute();
  return rows
    .filter(({ permission }) => permission === null || caller.permissions.has(permission))
    .map(({ url }) => url);
}

/**
 * Answers the landing page. If its right was removed, it is the first screen that is open: otherwise the guard would
 * send the person to the sign-in forever.
 */
async function openLandingPage(ctx: Pick<Context, 'db' | 'caller'>, chosen: string): Promise<string> {
  if (chosen === 'profile') return chosen;
  const pages = await openPages(ctx);
  return pages.includes(chosen) ? chosen : (pages[0] ?? 'profile');
}

/** Changes the fields that people may change about themselves. A phone is stored as digits in international format. */
export async function changeProfile(
  ctx: Context,
  body: BodyOf<typeof updateProfile>,
  ifMatch?: readonly string[] | null,
): Promise<{ message: string }> {
  const { db, caller } = ctx;
  await lockForEdit(ctx, 'users', caller.user_id);
  const read = () =>
    db
      .selectFrom('user_account')
      .select(['name', 'phone', 'preferred_language', 'landing_page'])
      .where('id', '=', caller.user_id)
      .executeTakeFirstOrThrow();
  const present = await read();
  const before = { ...present, ...(await readPreferences(ctx)) };
  const phone = body.phone ? checkNumber(body.phone, await readNumberRules(db)) : undefined;
  if (phone?.fault) throw fieldError('phone', 'number');
  const { landing_page } = body;
  if (landing_page !== undefined && landing_page !== 'profile' && !(await openPages(ctx)).includes(landing_page))
    throw fieldError('landing_page', 'landing_page');
  const { preferences: _, ...fields } = { ...body, ...(body.phone && { phone: phone?.msisdn }) };
  const yours = Object.entries(fields).filter(([field, value]) => value !== present[field as keyof Changeable]);
  requireVersion(ifMatch, { ...present, etag: versionOfProfile(present) }, Object.fromEntries(yours));
  await db
    .updateTable('user_account')
    .set({
      ...(body.name !== undefined && { name: body.name }),
      ...(body.phone !== undefined && { phone: phone?.msisdn ?? null }),
      ...(body.preferred_language !== undefined && { preferred_language: body.preferred_language }),
      ...(landing_page !== undefined && { landing_page }),
      updated_at: ctx.clock.now().toISOString(),
    })
    .where('id', '=', caller.user_id)
    .execute();
  if (body.preferences) {
    const values = { ...(await readPreferences(ctx)), ...body.preferences };
    await db
      .insertInto('user_preference')
      .values({ user_id: caller.user_id, ...values })
      .onConflict((oc) => oc.column('user_id').doUpdateSet(values))
      .execute();
  }
  // The log has people's decisions. That somebody has seen the tour is none.
  const isTour =
    Object.keys(body).join() === 'preferences' && Object.keys(body.preferences ?? {}).join() === 'tour_seen';
  if (!isTour)
    await audit(ctx, {
      name: 'profile',
      description: 'updated',
      subject_type: 'users',
      subject_id: caller.user_id,
      before,
      after: { ...(await read()), ...(await readPreferences(ctx)) },
    });
  return { message: translate(body.preferred_language ?? ctx.locale, 'profile.saved') };
}
