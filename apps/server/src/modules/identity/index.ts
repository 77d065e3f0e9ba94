import * as password from '@heliograph/contract/identity/password';
import * as session from '@heliograph/contract/identity/session';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/db';
import { type App, mount, mountPublic } from '#platform/http';
import { translate } from '#platform/i18n';
import { readNumberRules } from '#platform/number-rules';
import { mailResetLink, replacePassword, resetByLink } from './new-password.ts';
import { pageConfiguration } from './page-configuration.ts';
import { changeProfile, showProfile } from './profile.ts';
import { endSession, type Identity, refreshSession } from './session-tokens.ts';
import { signIn } from './sign-in.ts';

export { createAuthenticator, loadCaller } from './authenticate.ts';
export { hashPassword } from './password-hash.ts';
export { type PasswordPolicy, passwordFault } from './password-policy.ts';
export { passwordPolicy, readSettings } from './settings.ts';

/** Mounts sign-in, the session and the person's own profile; `authDb` runs under the sign-in's own role. */
export function mountIdentity(app: App, { authDb, key }: { authDb: Kysely<Database>; key: Buffer }): void {
  const identity: Identity = { authDb, key, clock: app.clock };
  mountPublic(app, session.signIn, (ctx, { body }) => signIn(identity, ctx, body));
  mountPublic(app, session.refreshTokens, (_ctx, { body }) => refreshSession(identity, body.refresh_token));
  mountPublic(app, password.forgotPassword, async (ctx, { body }) => {
    // Answered before anything is looked up, so that not even the time tells whether the address is known.
    mailResetLink(identity, ctx, body.email).catch((error) => ctx.log.error({ err: error }, 'the mail was not sent'));
    return { message: translate(ctx.locale, 'password.forgot_done') };
  });
  mountPublic(app, password.resetPassword, async (ctx, { body }) => {
    await resetByLink(identity, body);
    return { message: translate(ctx.locale, 'password.done') };
  });
  mountPublic(app, password.resetExpiredPassword, async (ctx, { body }) => {
    await replacePassword(identity, ctx.request.ip, body);
    return { message: translate(ctx.locale, 'password.done') };
  });
  mountPublic(app, session.pageConfigurations, (ctx) => pageConfiguration(identity, ctx));
  mount(app, session.signOut, async ({ caller, clock }) => {
    await endSession(authDb, caller.session_id, clock.now());
    return {};
  });
  mount(app, session.profile, (ctx) => showProfile(ctx));
  mount(app, session.updateProfile, (ctx, { body }) => changeProfile(ctx, body));
  mount(app, session.numberValidationRules, (ctx) => readNumberRules(ctx.db));
}
