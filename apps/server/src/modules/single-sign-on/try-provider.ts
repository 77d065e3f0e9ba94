import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { testProvider } from '@heliograph/contract/single-sign-on/identity-provider';
import type { ConnectedConfig } from '#platform/config/config';
import type { Context } from '#platform/context';
import type { Call } from '#platform/http/http';
import { describe, reasonOf } from './oidc.ts';
import { certificatesIn } from './own-certificate.ts';
import { ownProvider, type ProviderRow } from './providers.ts';
import { secretOf } from './read-provider.ts';

type Result = ReplyOf<typeof testProvider>['data'];

/** Reads the description and the keys of a provider of OpenID Connect. Throws the reason if they cannot be used. */
async function tryOidc(config: ConnectedConfig, row: ProviderRow, secret: string | null): Promise<Result> {
  const { metadata, keys } = await describe(config, { issuer: row.issuer!, client_id: row.client_id!, secret });
  await keys.reload();
  const usable = keys.jwks()?.keys.filter(({ use }) => use === undefined || use === 'sig') ?? [];
  if (usable.length === 0) throw new Error('the provider has no key that signs');
  return { ok: true, fault: null, authorization_url: metadata.authorization_endpoint!, keys: usable.length };
}

/** Checks that a certificate of a provider of SAML is valid now. The provider itself is asked by browsers only. */
function trySaml({ certificates, sso_url }: ProviderRow, now: Date): Result {
  const valid = (certificatesIn(certificates ?? '') ?? []).filter(
    ({ validFrom, validTo }) => Date.parse(validFrom) <= now.getTime() && Date.parse(validTo) > now.getTime(),
  );
  if (valid.length === 0) throw new Error('no certificate is valid now');
  return { ok: true, fault: null, authorization_url: sso_url, keys: valid.length };
}

/** Tests a provider without signing anybody in. */
export async function tryProvider(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  { params: { id } }: Call<typeof testProvider>,
  run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
): Promise<ReplyOf<typeof testProvider>> {
  const { row, sealed } = await run(async (ctx) => ({
    row: await ownProvider(ctx, id),
    sealed: await ctx.db
      .selectFrom('identity_provider')
      .select(['id', 'client_secret_sealed'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  }));
  try {
    const data =
      row.protocol === 'saml' ? trySaml(row, clock.now()) : await tryOidc(config, row, secretOf(config, sealed));
    return { data };
  } catch (error) {
    return { data: { ok: false, fault: reasonOf(error), authorization_url: null, keys: 0 } };
  }
}
