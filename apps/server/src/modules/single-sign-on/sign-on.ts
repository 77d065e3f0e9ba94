import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { beginSignOn, finishSignOn } from '@heliograph/contract/single-sign-on/sign-in';
import { addressLimit, type Identity, signInByProvider } from '#modules/identity';
import type { PublicContext } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type Attempt, keepAttempt, takeAttempt, useAnswer } from './attempt.ts';
import { carried } from './carried.ts';
import { beginOidc, type Descriptions, finishOidc, isUnreachable, reasonOf } from './oidc.ts';
import { admit, type Known } from './people.ts';
import { addressesOf, type Provider, providerOf } from './read-provider.ts';
import { beginSaml } from './saml.ts';

/** Services of single sign-on. */
export interface SignOn {
  identity: Identity;
  descriptions: Descriptions;
}

type Begin = BodyOf<typeof beginSignOn>;

/**
 * Begins a sign-in by the provider of an email's domain, or of a key. On another host than the provider knows, the
 * answer is our own page there, because the browser keeps the attempt for one host. Throws `not_found` for an unknown
 * key, and `sign_on_unreachable`.
 */
export async function begin(
  { identity, descriptions }: SignOn,
  ctx: PublicContext,
  { email, key, from }: Begin,
): Promise<ReplyOf<typeof beginSignOn>> {
  const { authDb, clock } = identity;
  const domain = email?.split('@').at(-1);
  const by = key !== undefined ? { key } : domain !== undefined ? { domain } : undefined;
  const provider = by && (await providerOf(authDb, by));
  if (!provider) {
    if (key !== undefined) throw new BusinessError('not_found');
    return { url: null };
  }
  const addresses = await addressesOf(authDb, ctx.config, provider);
  const { home, redirect_url, sign_in_url } = addresses;
  if (new URL(home).hostname !== ctx.request.host.toLowerCase()) return { url: sign_in_url };
  try {
    const asked = { redirect_url, email, addresses, from: from ?? null };
    const { url, attempt } =
      provider.protocol === 'saml'
        ? await beginSaml(identity, ctx.config, provider, asked)
        : await beginOidc(await descriptions.of(provider), provider, asked);
    keepAttempt(identity.key, ctx.cookies, clock.now(), attempt);
    return { url };
  } catch (cause) {
    await noteFault(identity, ctx, provider, cause);
    throw new BusinessError('sign_on_unreachable', { cause });
  }
}

type Finish = BodyOf<typeof finishSignOn>;

/**
 * Ends a sign-in: checks the provider's answer, finds or creates the person, and begins their session. An answer counts
 * once, and only in the browser that began the sign-in. Throws `sign_on_failed` for everything that is forged, old or
 * foreign; its reason is only told to the provider's administrators.
 */
export async function finish(
  sign: SignOn,
  ctx: PublicContext,
  { key, answer }: Finish,
): Promise<ReplyOf<typeof finishSignOn>> {
  const { identity } = sign;
  const now = identity.clock.now();
  addressLimit.check(ctx.request.ip, now);
  const attempt = takeAttempt(identity.key, ctx.cookies, now, { key, state: answer['state'] ?? '' });
  const provider = attempt && (await providerOf(identity.authDb, { key }));
  if (!attempt || !provider) {
    addressLimit.count(ctx.request.ip, now);
    throw new BusinessError('sign_on_failed');
  }
  try {
    await useAnswer(identity.authDb, now, 'state', attempt.state);
    const known = await proved(sign, ctx, provider, attempt, answer);
    const way = provider.protocol === 'saml' ? 'saml' : 'oidc';
    const user_id = await admit(identity, provider, known);
    const reply = await signInByProvider(identity, ctx, { user_id, way }, async (db, session_id) => {
      await db
        .insertInto('provider_session')
        .values({ session_id, identity_provider_id: provider.id, subject: known.subject, name: known.session })
        .execute();
      await db
        .updateTable('identity_provider')
        .set({ last_sign_in_at: now.toISOString() })
        .where('id', '=', provider.id)
        .execute();
    });
    return { ...reply, from: attempt.from };
  } catch (cause) {
    addressLimit.count(ctx.request.ip, now);
    await noteFault(identity, ctx, provider, cause);
    if (cause instanceof BusinessError) throw cause;
    throw new BusinessError(isUnreachable(cause) ? 'sign_on_unreachable' : 'sign_on_failed', { cause });
  }
}

/** Answers the person that the provider's answer proves. */
async function proved(
  { identity, descriptions }: SignOn,
  { config }: PublicContext,
  provider: Provider,
  attempt: Attempt,
  answer: Finish['answer'],
): Promise<Known> {
  if (provider.protocol === 'saml')
    return carried(identity, answer['response'] ?? '', { provider: provider.key, request: attempt.state });
  const { redirect_url } = await addressesOf(identity.authDb, config, provider);
  return finishOidc(await descriptions.of(provider), provider, attempt, { redirect_url, answer });
}

/** Keeps the technical reason of a failure for the administrators of a provider. */
export async function noteFault(
  { authDb, clock }: Identity,
  { log }: Pick<PublicContext, 'log'>,
  { id }: Pick<Provider, 'id'>,
  error: unknown,
): Promise<void> {
  const last_fault = reasonOf(error);
  log.warn({ identity_provider_id: id, reason: last_fault }, 'sign-in by identity provider refused');
  await authDb
    .updateTable('identity_provider')
    .set({ last_fault, last_fault_at: clock.now().toISOString() })
    .where('id', '=', id)
    .execute();
}
