import * as directory from '@heliograph/contract/single-sign-on/directory';
import * as contract from '@heliograph/contract/single-sign-on/identity-provider';
import * as signIn from '@heliograph/contract/single-sign-on/sign-in';
import type { Identity } from '#modules/identity';
import { fieldError } from '#platform/errors';
import { type App, mount, mountOutside, mountPublic, mountResource } from '#platform/http/http';
import { samlRoutes } from './acs.ts';
import { end, show, start } from './directory.ts';
import { logoutRoute } from './logout.ts';
import { Descriptions, reasonOf } from './oidc.ts';
import { prove } from './prove-domain.ts';
import { providers } from './providers.ts';
import { readMetadata } from './read-metadata.ts';
import { addressesOf } from './read-provider.ts';
import { scimRoutes } from './scim-routes.ts';
import { begin, finish } from './sign-on.ts';
import { tryProvider } from './try-provider.ts';

export { answerRetention } from './attempt.ts';
export { clientSecretContext, ownKeyContext } from './read-provider.ts';

/** Mounts identity providers and the sign-in by them. */
export function mountSingleSignOn(app: App, identity: Identity): void {
  const sign = { identity, descriptions: new Descriptions(app.config) };
  mountResource(app, contract.identityProvider, providers);
  mount(app, contract.providerAddresses, async (ctx, { params: { id } }) => {
    await providers.get(ctx, { params: { id }, query: {}, body: {} });
    const row = await ctx.db
      .selectFrom('identity_provider')
      .select(['key', 'corporation_id', 'protocol'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { redirect_url, sign_in_url, logout_url, entity_id, acs_url } = await addressesOf(
      identity.authDb,
      ctx.config,
      row,
    );
    const none = { redirect_url: null, logout_url: null, entity_id: null, acs_url: null };
    const own = row.protocol === 'saml' ? { entity_id, acs_url } : { redirect_url, logout_url };
    return { data: { ...none, sign_in_url, ...own } };
  });
  mountOutside(app, contract.testProvider, tryProvider);
  mountOutside(app, contract.proveDomain, prove);
  mountPublic(app, signIn.beginSignOn, (ctx, { body }) => begin(sign, ctx, body));
  mountPublic(app, signIn.finishSignOn, (ctx, { body }) => finish(sign, ctx, body));
  mount(app, contract.readProviderMetadata, async (_ctx, { body }) => {
    try {
      return { data: readMetadata(body.metadata) };
    } catch (error) {
      throw fieldError('metadata', 'saml_metadata', { reason: reasonOf(error) });
    }
  });
  logoutRoute(app, sign);
  samlRoutes(app, sign);
  mount(app, directory.showDirectory, show(identity));
  mount(app, directory.startDirectory, start(identity));
  mount(app, directory.endDirectory, end);
  scimRoutes(app, identity);
}
