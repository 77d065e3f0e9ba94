import type { passkeySignIn } from '@heliograph/contract/identity/passkey';
import type { signIn as signInOperation } from '@heliograph/contract/identity/session';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Kysely } from 'kysely';
import type { PublicContext } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import { addressLimit } from './address-limit.ts';
import { IN_DEPARTMENT } from './authenticate.ts';
import { noteEmergency, requireFreeWay } from './company-rule.ts';
import { countAttempt, forgetFailures, takeBackAttempt } from './failed-sign-ins.ts';
import { noticeDevice } from './new-device.ts';
import { takeProof } from './passkey-proof.ts';
import { HASH_OF_NOBODY, verifyAmong, verifyPassword } from './password-hash.ts';
import { beginChallenge, factorOf, type SecondFactor } from './second-factor.ts';
import { beginSession, type Identity, type SessionWay } from './session-tokens.ts';
import { isPasswordExpired } from './settings.ts';
import { isAllowedFrom, rulesOf } from './sign-in-policy.ts';

type Request = Pick<PublicContext, 'request'>;

/**
 * Signs a person in by email address and password. Unknown and known people get the same answers in the same time:
 * `wrong_credentials`, and `account_locked` after five failures. Other obstacles are shown only after the right
 * password.
 */
export async function signIn(
  identity: Identity,
  { request }: Request,
  credentials: { username: string; password: string },
): Promise<ReplyOf<typeof signInOperation>> {
  const { authDb, clock } = identity;
  const user = await checkPassword(identity, request.ip, credentials);
  if (!isUsable(user)) throw new BusinessError('account_disabled');
  const exempt = await requireFreeWay(authDb, user);
  if (await isPasswordExpired(authDb, user, clock.now())) throw new BusinessError('password_expired');
  // Emergency access always needs a second factor: a code by email and SMS if the person has no other.
  const factor = (await factorOf(authDb, user)) ?? (exempt ? 'otp' : null);
  return enter(identity, request, user, { factor, way: exempt ? 'emergency' : 'password' });
}

/**
 * Signs a person in by a passkey alone, which proves both the device and its owner. The reply is that of `signIn`.
 * Throws `passkey_refused`, and `account_disabled` only after a right proof.
 */
export async function signInByPasskey(
  identity: Identity,
  { request }: Request,
  { host, credential }: BodyOf<typeof passkeySignIn>,
): Promise<ReplyOf<typeof signInOperation>> {
  const { authDb, clock } = identity;
  addressLimit.check(request.ip, clock.now());
  const asked = { purpose: 'sign-in', host, subject: '' } as const;
  const { user_id } = await authDb
    .transaction()
    .execute((db) => takeProof(db, identity, asked, credential))
    .catch((error: unknown) => {
      if (error instanceof BusinessError) addressLimit.count(request.ip, clock.now());
      throw error;
    });
  const [user] = await findPeople(identity, { id: user_id });
  if (!user || !isUsable(user)) throw new BusinessError('account_disabled');
  const exempt = await requireFreeWay(authDb, user);
  return enter(identity, request, user, { factor: null, way: exempt ? 'emergency' : 'passkey' });
}

/**
 * Signs in a person that an identity provider has proved; `also` runs in the transaction of the new session. The reply
 * is that of `signIn`. Throws `account_disabled`.
 */
export async function signInByProvider(
  identity: Identity,
  { request }: Request,
  { user_id, way }: { user_id: number; way: 'oidc' | 'saml' },
  also: (db: Kysely<Database>, sessionId: string) => Promise<void>,
): Promise<ReplyOf<typeof signInOperation>> {
  const [user] = await findPeople(identity, { id: user_id });
  if (!user || !isUsable(user)) throw new BusinessError('account_disabled');
  return enter(identity, request, user, { factor: null, way, also });
}

interface Entry {
  /** Second factor that the session waits for; null for none. */
  factor: SecondFactor | null;
  way: SessionWay;
  also?: (db: Kysely<Database>, sessionId: string) => Promise<void>;
}

/**
 * Begins a person's session, which waits for the second factor if there is one. Throws `sign_in_address` from an address
 * that the rules of their corporation do not allow.
 */
async function enter(
  identity: Identity,
  request: PublicContext['request'],
  user: Person,
  { factor: second_factor, way, also }: Entry,
): Promise<ReplyOf<typeof signInOperation>> {
  const rules = await rulesOf(identity.authDb, user.id);
  if (!isAllowedFrom(rules, request.ip))
    throw new BusinessError('sign_in_address', { params: { address: request.ip } });
  const verified = second_factor === null;
  const begun = { user_id: user.id, verified, way, ...request };
  const tokens = await beginSession(identity, begun, async (db, session_id) => {
    if (rules.device_mail) await noticeDevice(db, session_id, user.id, request);
    if (second_factor) await beginChallenge(db, identity, { session_id, user_id: user.id, method: second_factor });
    else if (way === 'emergency') await noteEmergency(db, identity, { session_id, user_id: user.id });
    await also?.(db, session_id);
  });
  return { ...tokens, verified, second_factor, ...(await resellerOf(identity, user)) };
}

type Person = Awaited<ReturnType<typeof findPeople>>[number];

/** Tells whether a person may sign in: they, their corporation and the department they work in are enabled. */
export const isUsable = (person: Pick<Person, 'enabled' | 'corporation_enabled' | 'department_enabled'>): boolean =>
  person.enabled && person.corporation_enabled !== false && person.department_enabled;

/** Finds a person, or the accounts of an address, one or more with each tenant; enabled ones and the oldest first. */
function findPeople({ authDb }: Identity, who: { email: string } | { id: number }) {
  return authDb
    .selectFrom('user_account as u')
    .leftJoin('corporation as c', 'c.id', 'u.corporation_id')
    .select(['u.id', 'u.password_hash', 'u.password_changed_at', 'u.must_change_password', 'u.enabled', 'u.otp'])
    .select(['u.scope_level', 'u.email'])
    .select(IN_DEPARTMENT.as('department_enabled'))
    .select(['c.id as corporation_id', 'c.enabled as corporation_enabled', 'c.is_reseller', 'c.reseller_id'])
    .where((eb) => ('id' in who ? eb('u.id', '=', who.id) : eb('u.email', '=', who.email)))
    .where('u.is_service', '=', false)
    .orderBy(
      (eb) => eb.and([eb('u.enabled', '=', true), eb.fn.coalesce('c.enabled', eb.val(true)), IN_DEPARTMENT]),
      'desc',
    )
    .orderBy('u.id')
    .execute();
}

/**
 * Finds the person with this password. Several tenants may know an address; each of its accounts has its own password.
 * The result for one account never reveals the others. Throws `wrong_credentials`, `account_locked` or
 * `too_many_requests`.
 */
export async function checkPassword(
  identity: Identity,
  ip: string,
  { username, password }: { username: string; password: string },
): Promise<Person> {
  const { authDb, clock } = identity;
  const name = username.trim().toLowerCase();
  addressLimit.check(ip, clock.now());
  const people = await findPeople(identity, { email: name });
  const target = people.length > 0 ? { user_ids: people.map(({ id }) => id) } : { name };
  const counted = await countAttempt(authDb, target, clock.now());
  const open = people.filter(({ id }) => counted.some((each) => each.id === id));
  const hashes = people.length > 0 ? open.map(({ password_hash }) => password_hash) : [HASH_OF_NOBODY];
  const right = await verifyAmong(password, hashes);
  const user = open.find((_, place) => right[place]);
  if (!user) {
    addressLimit.count(ip, clock.now());
    throw new BusinessError('wrong_credentials');
  }
  await forgetFailures(authDb, user.id);
  await takeBackAttempt(
    authDb,
    counted.filter(({ id }) => id !== user.id),
  );
  return user;
}

/**
 * Checks that a signed-in person knows their password; a wrong one counts like a failed sign-in. Throws a 422 on
 * `field`, or `too_many_requests` if that has locked the account.
 */
export async function confirmPassword(
  { authDb, clock }: Identity,
  userId: number,
  password: string,
  field: string,
): Promise<void> {
  await countAttempt(authDb, { user_ids: [userId] }, clock.now()).catch((error: unknown) => {
    // `account_locked` is only for people who are not signed in: its status would end the session of a person who is.
    throw error instanceof BusinessError ? new BusinessError('too_many_requests', { retryAfter: 900 }) : error;
  });
  const { password_hash } = await authDb
    .selectFrom('user_account')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (!(await verifyPassword(password, password_hash))) throw fieldError(field, 'password_wrong');
  await forgetFailures(authDb, userId);
}

async function resellerOf({ authDb }: Identity, user: Person) {
  const is_reseller = user.is_reseller === true && user.scope_level === 2;
  const owned = is_reseller
    ? await authDb
        .selectFrom('corporation')
        .select(['id', 'name', 'enabled'])
        .where((eb) => eb.or([eb('id', '=', user.corporation_id), eb('reseller_id', '=', user.corporation_id)]))
        .orderBy('name')
        .execute()
    : [];
  const named = ({ id, name }: { id: number; name: string }) => ({ id, name });
  return {
    is_reseller,
    owned_by_reseller: user.reseller_id !== null,
    reseller_corporations: owned.filter((c) => c.enabled && c.id !== user.corporation_id).map(named),
    reseller_all_corporations: owned.map(named),
  };
}
