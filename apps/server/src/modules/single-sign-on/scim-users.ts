import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { signOut } from '#modules/access';
import { hashFor } from '#modules/identity';
import { readNumberRules } from '#platform/operator/number-rules';
import { placeFor } from './places.ts';
import { type Json, keepKnown, read, type ScimUser, scimUser, USER } from './scim-attributes.ts';
import { type Directory, record } from './scim-directory.ts';
import { ScimError, wrongValue } from './scim-error.ts';
import { find, getUser, type Names, toScim } from './scim-people.ts';

/** Languages of the console by the tags of RFC 5646 that mean them. */
const LANGUAGES: readonly [RegExp, Locale][] = [
  [/^zh-(?:hant|tw|hk|mo)\b/i, 'zh'],
  [/^zh\b/i, 'cn'],
  [/^(?:fil|tl)\b/i, 'fp'],
  [/^en\b/i, 'en'],
];

/** Fields of an account that a directory sets. */
async function fieldsOf({ db, provider }: Directory, user: ScimUser) {
  const email = (user.emails?.find(({ primary }) => primary) ?? user.emails?.[0])?.value ?? emailIn(user.userName);
  if (email === undefined) throw wrongValue('emails', 'a person needs an email address');
  const proved = await db
    .selectFrom('identity_domain')
    .select('id')
    .where('identity_provider_id', '=', provider.id)
    .where('domain', '=', email.split('@').at(-1)!)
    .where('proved_at', 'is not', null)
    .executeTakeFirst();
  if (!proved) throw wrongValue('emails', `the domain of ${email} is not proved at this identity provider`);
  const { formatted, givenName, familyName } = user.name ?? {};
  const name = user.displayName ?? formatted ?? ([givenName, familyName].filter(Boolean).join(' ') || user.userName);
  const mobile = user.phoneNumbers?.find(({ type }) => type?.toLowerCase() === 'mobile')?.value;
  const language = LANGUAGES.find(([tag]) => tag.test(user.preferredLanguage ?? ''))?.[1];
  return {
    email,
    name: name.replace(/\p{Cc}+/gu, ' ').slice(0, 100),
    phone: mobile === undefined ? null : await digitsOf(db, mobile),
    ...(language && { preferred_language: language }),
  };
}

const emailIn = (userName: string): string | undefined => {
  const read = scimUser.shape.emails.safeParse([{ value: userName }]);
  return read.success ? read.data?.[0]?.value : undefined;
};

async function digitsOf(db: Directory['db'], written: string): Promise<string> {
  const checked = checkNumber(written, await readNumberRules(db));
  if (checked.fault) throw wrongValue('phoneNumbers', `${written} is no phone number in international format`);
  return checked.msisdn;
}

const keptNames = ({ displayName, name }: ScimUser): Names => ({
  ...(displayName != null && { displayName }),
  ...(name != null && { name }),
});

/** Creates the account of a person, or brings back one that the directory had removed. Throws 409 if it is there. */
export async function createUser(directory: Directory, body: unknown): Promise<Json> {
  const { db, identity, provider } = directory;
  const user = read(scimUser, keepKnown(USER, body));
  const fields = await fieldsOf(directory, user);
  // Parallel calls for one person wait for each other, and for a sign-in that creates the account.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`single sign-on ${provider.id} ${fields.email}`}, 0))`.execute(
    db,
  );
  const present = await db
    .selectFrom('user_account as u')
    .leftJoin('directory_person as d', (join) =>
      join.onRef('d.user_id', '=', 'u.id').on('d.identity_provider_id', '=', provider.id),
    )
    .select(['u.id', 'd.removed_at'])
    .where('u.email', '=', fields.email)
    .where('u.corporation_id', 'is not distinct from', provider.corporation_id)
    .executeTakeFirst();
  if (present && present.removed_at === null)
    throw new ScimError(409, `The user ${user.userName} is there already.`, 'uniqueness');
  const place = await placeFor(db, provider, []);
  if (!place)
    throw wrongValue('userName', 'the identity provider names no role for people without a group; choose one there');
  const now = identity.clock.now().toISOString();
  const id =
    present?.id ??
    (
      await db
        .insertInto('user_account')
        .values({
          ...place,
          ...fields,
          corporation_id: provider.corporation_id,
          password_hash: await hashFor({ authDb: db }, fields.email, null),
          enabled: user.active,
          activated_at: user.active ? now : null,
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  if (present)
    await db
      .updateTable('user_account')
      .set({ ...place, ...fields, enabled: user.active, updated_at: now })
      .where('id', '=', id)
      .execute();
  await link(directory, id, user, now);
  await record(directory, { type: 'users', id: id }, 'created by directory', {
    after: { ...fields, enabled: user.active },
  });
  return getUser(directory, String(id));
}

/** Keeps what only the directory knows of a person. Throws 409 if another person has the name. */
async function link({ db, provider }: Directory, user_id: number, user: ScimUser, updated_at: string): Promise<void> {
  const values = {
    external_id: user.externalId ?? null,
    user_name: user.userName,
    names: JSON.stringify(keptNames(user)),
    updated_at,
    removed_at: null,
  };
  await db
    .insertInto('directory_person')
    .values({ identity_provider_id: provider.id, user_id, ...values })
    .onConflict((conflict) => conflict.columns(['identity_provider_id', 'user_id']).doUpdateSet(values))
    .execute()
    .catch((error: { constraint?: string }) => {
      if (error.constraint === 'directory_person_user_name_key')
        throw new ScimError(409, `Another person has the userName ${user.userName}.`, 'uniqueness');
      throw error;
    });
}

/** Changes a person: `change` gets the present resource and answers the new one. Throws 404, 403, 409 and `invalidValue`. */
export async function changeUser(directory: Directory, id: string, change: (present: Json) => unknown): Promise<Json> {
  const { db, identity, provider } = directory;
  const row = await find(directory, id, { lock: true });
  const present = toScim(directory, row);
  const wanted = change(present);
  if (provider.break_glass_ids.includes(row.id))
    throw new ScimError(403, `The user ${row.user_name} has emergency access and is changed only in the console.`);
  const user = read(scimUser, keepKnown(USER, wanted));
  const fields = await fieldsOf(directory, user);
  const moved = fields.email !== row.email;
  if (moved && (await isTaken(directory, fields.email)))
    throw new ScimError(409, `Another person has the email ${fields.email}.`, 'uniqueness');
  // A name that did not change stays as people wrote it here.
  const before = read(scimUser, keepKnown(USER, present));
  const sameNames = JSON.stringify(keptNames(user)) === JSON.stringify(keptNames(before));
  const values = {
    ...fields,
    name: sameNames ? row.name : nameAfter(before, user, fields.name),
    enabled: user.active,
  };
  if (user.active && row.without_role)
    throw wrongValue('active', 'no group of this person has a role at the identity provider');
  const now = identity.clock.now().toISOString();
  await db
    .updateTable('user_account')
    .set({
      ...values,
      ...(user.active && { activated_at: sql`coalesce(activated_at, ${now})` }),
      // The password is removed with the old address.
      ...(moved && { password_hash: await hashFor({ authDb: db }, fields.email, null) }),
      updated_at: now,
    })
    .where('id', '=', row.id)
    .execute();
  if (moved || (row.enabled && !user.active)) await signOut({ db, clock: identity.clock }, [row.id]);
  await link(directory, row.id, user, now);
  const { email, name, phone, enabled, preferred_language } = row;
  await record(directory, { type: 'users', id: row.id }, 'updated by directory', {
    before: { email, name, phone, enabled, preferred_language },
    after: values,
  });
  return getUser(directory, id);
}

/** Answers a person's name after a change: of a name in parts, what changed counts. */
function nameAfter(before: ScimUser, after: ScimUser, usual: string): string {
  if (after.displayName !== before.displayName) return usual;
  const { formatted, givenName, familyName } = after.name ?? {};
  if (formatted != null && formatted !== before.name?.formatted) return formatted;
  return [givenName, familyName].filter(Boolean).join(' ') || usual;
}

const isTaken = async ({ db, provider }: Directory, email: string): Promise<boolean> =>
  (await db
    .selectFrom('user_account')
    .select('id')
    .where('email', '=', email)
    .where('corporation_id', 'is not distinct from', provider.corporation_id)
    .executeTakeFirst()) !== undefined;

/** Removes a person for the directory: the account is switched off and stays, with what it did. Throws 404 and 403. */
export async function removeUser(directory: Directory, id: string, check: (present: Json) => void): Promise<void> {
  const { db, identity, provider } = directory;
  const row = await find(directory, id, { lock: true });
  check(toScim(directory, row));
  if (provider.break_glass_ids.includes(row.id))
    throw new ScimError(403, `The user ${row.user_name} has emergency access and is removed only in the console.`);
  const now = identity.clock.now().toISOString();
  await db.updateTable('user_account').set({ enabled: false, updated_at: now }).where('id', '=', row.id).execute();
  await signOut({ db, clock: identity.clock }, [row.id]);
  await link(
    directory,
    row.id,
    { userName: row.user_name, externalId: row.external_id, active: false, ...row.names } as ScimUser,
    now,
  );
  await db
    .updateTable('directory_person')
    .set({ removed_at: now })
    .where('identity_provider_id', '=', provider.id)
    .where('user_id', '=', row.id)
    .execute();
  await sql`DELETE FROM directory_member WHERE user_id = ${row.id} AND directory_group_id IN
    (SELECT id FROM directory_group WHERE identity_provider_id = ${provider.id})`.execute(db);
  await record(directory, { type: 'users', id: row.id }, 'removed by directory', {
    before: { enabled: row.enabled },
    after: { enabled: false },
  });
}
