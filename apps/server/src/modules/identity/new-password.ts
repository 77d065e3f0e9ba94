import { createHash, randomBytes } from 'node:crypto';
import type { resetExpiredPassword } from '@heliograph/contract/identity/password';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Kysely } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Caller, PublicContext } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import { brandOf } from '#platform/operator/brand';
import { readSettings } from '#platform/operator/settings';
import { sendMail } from '#platform/outbound/mail';
import { translate } from '#platform/text/i18n';
import { UNLOCKED } from './failed-sign-ins.ts';
import { hashFor } from './hash-for.ts';
import { verifyPassword } from './password-hash.ts';
import { passwordFault } from './password-policy.ts';
import { beginChallenge, factorOf, takeFactor } from './second-factor.ts';
import { beginSession, endSessionsOf, type Identity } from './session-tokens.ts';
import { isPasswordExpired, passwordPolicy } from './settings.ts';
import { checkPassword, confirmPassword, isUsable } from './sign-in.ts';
import { type PasswordOwner, shortestPassword } from './sign-in-policy.ts';
import { tokenDigest } from './tokens.ts';

/** Minutes that a link works: one that a person asked for, and one that invites them. */
const LINK_MINUTES = { reset: 60, invitation: 7 * 24 * 60 } as const;
type Link = keyof typeof LINK_MINUTES;
const LINKS_AN_HOUR = 5;
/** Longest password where a corporation sets the shortest one. */
const LONGEST_PASSWORD = 64;

interface NewPassword {
  password: string;
  password_confirmation: string;
}

const digestOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Throws a 422 if the two do not match, break the operator's rule, or are shorter than the rules of the person's
 * corporation allow.
 */
export async function requireGoodPassword(
  { authDb }: Pick<Identity, 'authDb'>,
  { password, password_confirmation }: NewPassword,
  whose: PasswordOwner | undefined,
): Promise<void> {
  if (password !== password_confirmation) throw fieldError('password_confirmation', 'password_confirmation');
  const shortest = whose ? await shortestPassword(authDb, whose) : null;
  if (shortest !== null && [...password].length < shortest)
    throw fieldError('password', 'password_short', { count: shortest });
  const policy = passwordPolicy(await readSettings(authDb));
  const max_length = shortest === null ? policy.max_length : Math.max(policy.max_length, LONGEST_PASSWORD);
  const fault = passwordFault(password, { ...policy, max_length });
  if (fault) throw fieldError('password', fault);
}

/** Sets a password and ends every session the person has, except for `except`; `unlock` also lifts a lock. */
async function setPassword(
  db: Kysely<Database>,
  { clock }: Identity,
  userId: number,
  hash: string,
  { except, unlock = false }: { except?: string; unlock?: boolean } = {},
): Promise<void> {
  const now = clock.now().toISOString();
  const { corporation_id } = await db
    .updateTable('user_account')
    .set({
      password_hash: hash,
      password_changed_at: now,
      must_change_password: false,
      invited_at: null,
      ...(unlock && UNLOCKED),
    })
    .where('id', '=', userId)
    .returning('corporation_id')
    .executeTakeFirstOrThrow();
  await endSessionsOf(db, { user_id: userId, except, because: 'password' }, clock.now());
  await db.updateTable('password_reset').set({ used_at: now }).where('user_id', '=', userId).execute();
  await audit(
    { db, clock, caller: { user_id: userId, corporation_id } },
    { name: 'password', description: 'changed', subject_type: 'users', subject_id: userId },
  );
}

/** People who get a link: everybody with an account of an address, or one person. */
type Who = { email: string } | { user_id: number };

/** Makes links for these people. Their rows are locked meanwhile, so that parallel requests are counted too. */
async function makeLinks(db: Kysely<Database>, { clock }: Identity, who: Who, link: Link) {
  const people = await db
    .selectFrom('user_account as u')
    .leftJoin('corporation as c', 'c.id', 'u.corporation_id')
    .select(['u.id', 'u.name', 'u.email', 'u.preferred_language', 'u.corporation_id', 'c.name as corporation_name'])
    .where((eb) => ('email' in who ? eb('u.email', '=', who.email) : eb('u.id', '=', who.user_id)))
    .where('u.enabled', '=', true)
    .where('u.is_service', '=', false)
    .orderBy('u.id')
    .forNoKeyUpdate('u')
    .execute();
  const now = clock.now();
  const made: { user: (typeof people)[number]; token: string; several: boolean }[] = [];
  for (const user of people) {
    const { links } = await db
      .selectFrom('password_reset')
      .select((eb) => eb.fn.countAll<number>().as('links'))
      .where('user_id', '=', user.id)
      .where('created_at', '>', new Date(now.getTime() - 3_600_000).toISOString())
      .executeTakeFirstOrThrow();
    if (links >= LINKS_AN_HOUR) continue;
    const token = randomBytes(32).toString('base64url');
    await db
      .insertInto('password_reset')
      .values({
        digest: digestOf(token),
        user_id: user.id,
        created_at: now.toISOString(),
        expires_at: new Date(now.getTime() + LINK_MINUTES[link] * 60_000).toISOString(),
      })
      .execute();
    made.push({ user, token, several: people.length > 1 });
  }
  return made;
}

/**
 * Mails a link for each account of an address, or for one person's, at most five an hour. Does not reveal whether there
 * is such a person.
 */
export async function mailResetLinks(
  identity: Identity,
  { config, log }: Pick<PublicContext, 'config' | 'log'>,
  who: Who,
): Promise<void> {
  await mailLinks(identity, { config, log }, who, 'reset');
}

/** Mails a link that works for seven days to a person who has not chosen a password yet. */
export const mailInvitation = (
  identity: Identity,
  ctx: Pick<PublicContext, 'config' | 'log'>,
  userId: number,
): Promise<void> => mailLinks(identity, ctx, { user_id: userId }, 'invitation');

async function mailLinks(
  identity: Identity,
  { config, log }: Pick<PublicContext, 'config' | 'log'>,
  who: Who,
  kind: Link,
): Promise<void> {
  const { authDb } = identity;
  const made = await authDb.transaction().execute((db) => makeLinks(db, identity, who, kind));
  const [subject, text] =
    kind === 'reset'
      ? (['password.mail_subject', 'password.mail_text'] as const)
      : (['invitation.mail_subject', 'invitation.mail_text'] as const);
  for (const { user, token, several } of made) {
    const { app, url, mail } = await brandOf(authDb, config, user.corporation_id);
    const locale = user.preferred_language as PublicContext['locale'];
    // The address is the operator's, never the request's Host, which anybody may forge.
    const link = `${url}/reset-password?token=${token}`;
    const name = several && user.corporation_name !== null ? `${user.name} (${user.corporation_name})` : user.name;
    await sendMail(
      config,
      {
        to: user.email,
        subject: translate(locale, subject, { app }),
        text: translate(locale, text, { app, name, link, email: user.email }),
      },
      log,
      mail(),
    );
  }
}

/** Sets a new password by a mailed link, which works once. Throws `reset_link_invalid`. */
export async function resetByLink(identity: Identity, input: NewPassword & { token: string }): Promise<void> {
  const { authDb, clock } = identity;
  const now = clock.now().toISOString();
  const asked = await authDb
    .selectFrom('password_reset as p')
    .innerJoin('user_account as u', 'u.id', 'p.user_id')
    .select(['u.id', 'u.email'])
    .where('p.digest', '=', digestOf(input.token))
    .executeTakeFirst();
  await requireGoodPassword(identity, input, asked && { user_id: asked.id });
  const hash = await hashFor(identity, asked?.email ?? '', input.password);
  await authDb.transaction().execute(async (db) => {
    const link = await db
      .updateTable('password_reset')
      .set({ used_at: now })
      .where('digest', '=', digestOf(input.token))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst();
    if (!link) throw new BusinessError('reset_link_invalid');
    await setPassword(db, identity, link.user_id, hash, { unlock: true });
  });
}

/**
 * Replaces an expired password after checking the old one; a wrong one counts as a failed sign-in. People with a second
 * factor must enter it first, in a session that waits for it. Throws `password_not_expired`.
 */
export async function replaceExpired(
  identity: Identity,
  request: PublicContext['request'],
  input: BodyOf<typeof resetExpiredPassword>,
): Promise<Pick<ReplyOf<typeof resetExpiredPassword>, 'second_factor' | 'access_token'>> {
  const { authDb, clock } = identity;
  const { username, current_password } = input;
  const user = await checkPassword(identity, request.ip, { username, password: current_password });
  if (!isUsable(user)) throw new BusinessError('account_disabled');
  if (!(await isPasswordExpired(authDb, user, clock.now()))) throw new BusinessError('password_not_expired');
  await requireGoodPassword(identity, input, { user_id: user.id });
  if (await verifyPassword(input.password, user.password_hash)) throw fieldError('password', 'password_same');
  const second_factor = await factorOf(authDb, user);
  if (second_factor !== null && input.code === undefined) {
    const { access_token } = await beginSession(
      identity,
      { user_id: user.id, verified: false, ...request },
      (db, session_id) => beginChallenge(db, identity, { session_id, user_id: user.id, method: second_factor }),
    );
    return { second_factor, access_token };
  }
  const hash = await hashFor(identity, user.email, input.password);
  const refusal = await authDb.transaction().execute(async (db) => {
    const refused = second_factor && (await takeFactorOf(db, identity, user.id, input));
    if (!refused) await setPassword(db, identity, user.id, hash);
    return refused;
  });
  if (refusal) throw new BusinessError(refusal);
  return { second_factor: null };
}

/** Takes the second factor of a person's waiting session; answers the reason of a refusal. */
async function takeFactorOf(
  db: Kysely<Database>,
  identity: Identity,
  userId: number,
  { access_token = '', code = '' }: Pick<BodyOf<typeof resetExpiredPassword>, 'access_token' | 'code'>,
) {
  const waiting = await db
    .selectFrom('session as s')
    .innerJoin('session_token as t', 't.session_id', 's.id')
    .select('s.id')
    .where('t.access_digest', '=', tokenDigest(access_token))
    .where('t.access_expires_at', '>', identity.clock.now().toISOString())
    .where('s.user_id', '=', userId)
    .where('s.ended_at', 'is', null)
    .where('s.verified', '=', false)
    .executeTakeFirst();
  return waiting ? takeFactor(db, identity, waiting.id, code) : 'otp_invalid';
}

/**
 * Replaces the caller's own password after checking the old one; the current session stays. Throws a 422 if it is
 * wrong.
 */
export async function changePassword(
  identity: Identity,
  caller: Pick<Caller, 'user_id' | 'session_id'>,
  input: NewPassword & { current_password: string },
): Promise<void> {
  await confirmPassword(identity, caller.user_id, input.current_password, 'current_password');
  await requireGoodPassword(identity, input, { user_id: caller.user_id });
  if (input.password === input.current_password) throw fieldError('password', 'password_same');
  const { email } = await identity.authDb
    .selectFrom('user_account')
    .select('email')
    .where('id', '=', caller.user_id)
    .executeTakeFirstOrThrow();
  const hash = await hashFor(identity, email, input.password);
  await identity.authDb
    .transaction()
    .execute((db) => setPassword(db, identity, caller.user_id, hash, { except: caller.session_id }));
}
