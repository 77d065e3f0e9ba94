import { email as emailField } from '@heliograph/contract/kernel/fields';
import { type Kysely, sql } from 'kysely';
import { hashFor, type Identity } from '#modules/identity';
import { audit } from '#platform/access/audit';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { directoryGroupsOf, moveTo, placeFor } from './places.ts';
import type { Provider } from './read-provider.ts';

/** A person as a provider knows them. */
export interface Known {
  /** Name that the provider never gives to somebody else. */
  subject: string;
  email: string | null;
  /** Whether the provider has verified the email; null if it does not say. */
  verified: boolean | null;
  name: string | null;
  groups: readonly string[];
  /** Provider's name of its session; null if it has none. */
  session: string | null;
}

/** Answers the email of a person if the provider may speak for it. Throws why it may not. */
async function provedEmail(db: Kysely<Database>, provider: Provider, known: Known): Promise<string> {
  const { data: email } = emailField.safeParse(known.email);
  const domain = email?.split('@').at(-1);
  const proved =
    domain !== undefined &&
    (await db
      .selectFrom('identity_domain')
      .select('id')
      .where('identity_provider_id', '=', provider.id)
      .where('domain', '=', domain)
      .where('proved_at', 'is not', null)
      .executeTakeFirst());
  if (email === undefined || !proved) throw new BusinessError('sign_on_email_domain');
  if (!(known.verified ?? provider.trusts_emails)) throw new BusinessError('sign_on_email_unverified');
  return email;
}

/** Finds the person of a provider's subject, or connects the account with their email in the same corporation. */
async function findOrConnect(db: Kysely<Database>, provider: Provider, known: Known, email: string) {
  const linked = await db
    .selectFrom('external_identity')
    .select('user_id')
    .where('identity_provider_id', '=', provider.id)
    .where('subject', '=', known.subject)
    .executeTakeFirst();
  if (linked) return { user_id: linked.user_id, news: null };
  const { rows } = await sql<{ id: number; taken: boolean }>`
    SELECT u.id, EXISTS (SELECT FROM external_identity e WHERE e.user_id = u.id AND e.identity_provider_id = ${provider.id}) AS taken
    FROM user_account u WHERE u.email = ${email} AND NOT u.is_service AND u.corporation_id IS NOT DISTINCT FROM ${provider.corporation_id}
    ORDER BY u.enabled DESC, u.id LIMIT 1`.execute(db);
  const [present] = rows;
  if (!present) return null;
  // The company gave the address to somebody else: the account is not theirs.
  if (present.taken) throw new BusinessError('sign_on_other_person');
  return { user_id: present.id, news: 'identity connected' as const };
}

/** Creates the account of a person who comes in for the first time. Throws `sign_on_no_account` or `sign_on_no_role`. */
async function create(db: Kysely<Database>, identity: Identity, provider: Provider, known: Known, email: string) {
  if (!provider.creates_users) throw new BusinessError('sign_on_no_account');
  const place = await placeFor(db, provider, known.groups);
  if (!place) throw new BusinessError('sign_on_no_role');
  const now = identity.clock.now().toISOString();
  const name =
    (known.name ?? '')
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 100) || email.split('@')[0]!;
  const { id } = await db
    .insertInto('user_account')
    .values({
      ...place,
      corporation_id: provider.corporation_id,
      name,
      email,
      password_hash: await hashFor({ authDb: db }, email, null),
      activated_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { user_id: id, news: 'created by sign-in' as const };
}

/** Gives a person the role of their groups, if the provider says that roles follow them. Throws `sign_on_no_role`. */
async function follow(
  db: Kysely<Database>,
  identity: Identity,
  provider: Provider,
  groups: readonly string[],
  user_id: number,
) {
  if (!provider.follows_groups || provider.break_glass_ids.includes(user_id)) return;
  const place = await placeFor(db, provider, [...groups, ...(await directoryGroupsOf(db, provider, user_id))]);
  if (!place) throw new BusinessError('sign_on_no_role');
  await moveTo(db, identity, provider, [user_id], place, user_id);
}

/**
 * Finds the person that a provider has proved, connects or creates their account, and lets their role follow their
 * groups. Only accounts of the provider's own corporation count. Throws the reason for which they are not let in.
 */
export async function admit(identity: Identity, provider: Provider, known: Known): Promise<number> {
  const { clock } = identity;
  return identity.authDb.transaction().execute(async (db) => {
    const email = await provedEmail(db, provider, known);
    // Parallel sign-ins of one person wait for each other, so that they get one account.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`single sign-on ${provider.id} ${email}`}, 0))`.execute(
      db,
    );
    const found = await findOrConnect(db, provider, known, email);
    const { user_id, news } = found ?? (await create(db, identity, provider, known, email));
    if (news)
      await audit(
        { db, clock, caller: { user_id, corporation_id: provider.corporation_id } },
        { name: 'users', description: news, subject_type: 'users', subject_id: user_id },
      );
    if (found) await follow(db, identity, provider, known.groups, user_id);
    const last_used_at = clock.now().toISOString();
    await db
      .insertInto('external_identity')
      .values({ identity_provider_id: provider.id, user_id, subject: known.subject, last_used_at })
      .onConflict((c) => c.columns(['identity_provider_id', 'subject']).doUpdateSet({ last_used_at }))
      .execute();
    return user_id;
  });
}
