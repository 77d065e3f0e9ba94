import type {
  beginProof as beginOperation,
  ProofWay,
  prove as proveOperation,
} from '@heliograph/contract/identity/proof';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Kysely } from 'kysely';
import { audit } from '#platform/access/audit';
import { proofEnd } from '#platform/access/fresh-proof';
import type { ConnectedConfig } from '#platform/config/config';
import type { Caller } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { isPasskeyHost, optionsFor, passkeysOn, requireHost, takeProof } from './passkey-proof.ts';
import { factorOf, markProved, takeFactor, waitForFactor } from './second-factor.ts';
import type { Identity } from './session-tokens.ts';
import { confirmPassword } from './sign-in.ts';

type Person = Pick<Caller, 'user_id' | 'session_id' | 'corporation_id'>;

/** Returns the strongest way by which a person can prove that it is them: that of their sign-in. */
async function wayOf({ authDb }: Identity, { user_id }: Person): Promise<ProofWay> {
  const { otp } = await authDb
    .selectFrom('user_account')
    .select('otp')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow();
  return (await factorOf(authDb, { id: user_id, otp })) ?? 'password';
}

/** Challenge of a passkey that only proves the person of this session. */
const asked = ({ session_id }: Person, host: string) => ({ purpose: 'proof', host, subject: session_id }) as const;

/** Begins a proof in a session. A code is sent if the way is one by message. Throws `too_many_requests`. */
export async function beginProof(
  identity: Identity,
  config: ConnectedConfig,
  person: Person,
  host: string,
): Promise<ReplyOf<typeof beginOperation>> {
  const way = await wayOf(identity, person);
  if (way === 'password') return { way, options: null };
  await waitForFactor(identity, person, way);
  const here =
    way === 'passkey' &&
    (await isPasskeyHost(identity, config, host)) &&
    (await passkeysOn(identity.authDb, person.user_id, host)).length > 0;
  return { way, options: here ? await optionsFor(identity, asked(person, host), person.user_id) : null };
}

/**
 * Checks a proof and records it in its session; other sessions of the person are as before. Throws `proof_too_weak` if
 * the person has a stronger way, and the errors of each way.
 */
export async function prove(
  identity: Identity,
  config: ConnectedConfig,
  person: Person,
  body: BodyOf<typeof proveOperation>,
): Promise<ReplyOf<typeof proveOperation>> {
  const { authDb, clock } = identity;
  if ('password' in body) {
    if ((await wayOf(identity, person)) !== 'password') throw new BusinessError('proof_too_weak');
    await confirmPassword(identity, person.user_id, body.password, 'password');
  }
  if ('credential' in body) await requireHost(identity, config, body.host);
  const refusal = await authDb.transaction().execute(async (db) => {
    const refused = 'code' in body ? await takeFactor(db, identity, person.session_id, body.code) : undefined;
    if (refused) return refused;
    if ('credential' in body) {
      const { user_id } = await takeProof(db, identity, asked(person, body.host), body.credential);
      if (user_id !== person.user_id) throw new BusinessError('passkey_refused');
    }
    await keepProof(db, identity, person);
    return undefined;
  });
  if (refusal) throw new BusinessError(refusal);
  return { proved_until: proofEnd(clock.now()).toISOString() };
}

async function keepProof(db: Kysely<Database>, identity: Identity, caller: Person): Promise<void> {
  await markProved(db, identity, caller.session_id);
  await audit(
    { db, clock: identity.clock, caller },
    { name: 'sessions', description: 'identity confirmed', subject_type: 'users', subject_id: caller.user_id },
  );
}
