import * as session from '@heliograph/contract/identity/session';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/db';
import { type App, mount, mountPublic } from '#platform/http';
import { readNumberRules } from '#platform/number-rules';
import { pageConfiguration } from './page-configuration.ts';
import { changeProfile, showProfile } from './profile.ts';
import { endSession, type Identity, refreshSession } from './session-tokens.ts';
import { signIn } from './sign-in.ts';

export { createAuthenticator, loadCaller } from './authenticate.ts';
export { hashPassword } from './password-hash.ts';
export { type PasswordFault, type PasswordPolicy, passwordFault } from './password-policy.ts';
export { passwordPolicy, readSettings } from './settings.ts';

/** Mounts sign-in, the session and the person's own profile; `authDb` runs under the sign-in's own role. */
export function mountIdentity(app: App, { authDb, key }: { authDb: Kysely<Database>; key: Buffer }): void {
  const identity: Identity = { authDb, key, clock: app.clock };
  mountPublic(app, session.signIn, (ctx, { body }) => signIn(identity, ctx, body));
  mountPublic(app, session.refreshTokens, (_ctx, { body }) => refreshSession(identity, body.refresh_token));
  mountPublic(app, session.pageConfigurations, (ctx) => pageConfiguration(identity, ctx));
  mount(app, session.signOut, async ({ caller, clock }) => {
    await endSession(authDb, caller.session_id, clock.now());
    return {};
  });
  mount(app, session.profile, (ctx) => showProfile(ctx));
  mount(app, session.updateProfile, (ctx, { body }) => changeProfile(ctx, body));
  mount(app, session.numberValidationRules, (ctx) => readNumberRules(ctx.db));
}
