import * as passkey from '@heliograph/contract/identity/passkey';
import * as password from '@heliograph/contract/identity/password';
import * as proof from '@heliograph/contract/identity/proof';
import * as session from '@heliograph/contract/identity/session';
import { signInPolicy } from '@heliograph/contract/identity/sign-in-policy';
import * as support from '@heliograph/contract/identity/support';
import * as twoFactor from '@heliograph/contract/identity/two-factor';
import { type App, mount, mountPublic, mountResource } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { translate } from '#platform/text/i18n';
import { changePassword, mailResetLinks, replaceExpired, resetByLink } from './new-password.ts';
import { pageConfiguration } from './page-configuration.ts';
import { optionsFor, requireHost } from './passkey-proof.ts';
import { dropPasskey, keepPasskey, listPasskeys, namePasskey, passkeyOptions, tellOfPasskey } from './passkeys.ts';
import { changeProfile, showProfile } from './profile.ts';
import { profileImageRoutes } from './profile-image.ts';
import { beginProof, prove } from './prove.ts';
import { renewChallenge, verifyByPasskey, verifySession } from './second-factor.ts';
import { endSession, type Identity, refreshSession } from './session-tokens.ts';
import { listSessions, signOutElsewhere } from './sessions.ts';
import { signIn, signInByPasskey } from './sign-in.ts';
import { signInPolicies } from './sign-in-policies.ts';
import {
  giveConsent,
  giveOwnConsent,
  showConsent,
  showOwnConsent,
  withdrawConsent,
  withdrawOwnConsent,
} from './support-consents.ts';
import { recordEnds } from './support-ends.ts';
import { askForConsent, refuseFor, refuseOwn } from './support-requests.ts';
import { beginSupportSession } from './support-sessions.ts';
import { beginTotp, confirmTotp, endTotp, renewRecoveryCodes } from './totp.ts';

export { addressLimit } from './address-limit.ts';
export { loadCaller } from './authenticate.ts';
export { mailEmergencyJob } from './company-rule.ts';
export { UNLOCKED } from './failed-sign-ins.ts';
export { hashFor } from './hash-for.ts';
export { newDeviceJob } from './new-device.ts';
export { mailInvitation, mailResetLinks, requireGoodPassword } from './new-password.ts';
export { challengeRetention, useChallenge } from './passkey-challenge.ts';
export { HASH_OF_NOBODY, hashPassword, verifyAmong, verifyPassword } from './password-hash.ts';
export { type PasswordPolicy, passwordFault } from './password-policy.ts';
export { sendOtpJob } from './second-factor.ts';
export { identityJobs, type SendOwnText } from './send-otp.ts';
export { endSessions, type Identity } from './session-tokens.ts';
export { passwordPolicy } from './settings.ts';
export { signInByProvider } from './sign-in.ts';
export {
  createAuthenticatorOfAll as createAuthenticator,
  createReaderOfAll as createSessionReader,
} from './support-callers.ts';
export { supportEndsJob } from './support-ends.ts';
export { mailSupportRequestJob, supportRequestsOf } from './support-requests.ts';

/** Mounts sign-in, the session and the person's own profile. */
export function mountIdentity(app: App, identity: Identity): void {
  const { authDb } = identity;
  mountPublic(app, session.signIn, (ctx, { body }) => signIn(identity, ctx, body));
  mountPublic(app, session.refreshTokens, (_ctx, { body }) => refreshSession(identity, body.refresh_token));
  mountPublic(app, session.pageConfigurations, (ctx) => pageConfiguration(identity, ctx));
  mount(app, session.signOut, async ({ caller, clock }) => {
    await endSession(authDb, caller.session_id, clock.now());
    await recordEnds(authDb, clock);
    return {};
  });
  mount(app, session.sessions, ({ caller }) => listSessions(identity, caller));
  mount(app, session.endSessions, async ({ caller, locale }, { body }) => {
    await signOutElsewhere(identity, caller, body.sessions);
    return { message: translate(locale, 'sessions.ended') };
  });
  mount(app, session.profile, (ctx) => showProfile(identity, ctx));
  mountResource(app, signInPolicy, signInPolicies);
  mount(app, session.updateProfile, (ctx, { body, ifMatch }) => changeProfile(ctx, body, ifMatch));
  profileImageRoutes(app, identity);
  mount(app, session.numberValidationRules, async (ctx) => {
    const rules = await readNumberRules(ctx.db);
    return { ...rules, national: rules.national ?? null };
  });
  passwordCalls(app, identity);
  secondFactorCalls(app, identity);
  passkeyCalls(app, identity);
  supportCalls(app, identity);
  mount(app, proof.beginProof, ({ caller, config }, { body }) => beginProof(identity, config, caller, body.host));
  mount(app, proof.prove, ({ caller, config }, { body }) => prove(identity, config, caller, body));
}

function passwordCalls(app: App, identity: Identity): void {
  mountPublic(app, password.forgotPassword, async (ctx, { body }) => {
    // The answer is sent before any look-up, so that not even its time reveals whether the address is known.
    mailResetLinks(identity, ctx, { email: body.email }).catch((error) =>
      ctx.log.error({ err: error }, 'could not send email'),
    );
    return { message: translate(ctx.locale, 'password.forgot_done') };
  });
  mountPublic(app, password.resetPassword, async (ctx, { body }) => {
    await resetByLink(identity, body);
    return { message: translate(ctx.locale, 'password.done') };
  });
  mountPublic(app, password.resetExpiredPassword, async (ctx, { body }) => {
    const reply = await replaceExpired(identity, ctx.request, body);
    return { ...reply, ...(reply.second_factor === null && { message: translate(ctx.locale, 'password.done') }) };
  });
  mount(app, password.changePassword, async ({ caller, locale }, { body }) => {
    await changePassword(identity, caller, body);
    return { message: translate(locale, 'password.changed') };
  });
}

function secondFactorCalls(app: App, identity: Identity): void {
  const { authDb } = identity;
  mount(app, password.verifyOtp, async ({ caller }, { body }) => {
    await verifySession(identity, caller, body.code);
    return {};
  });
  mount(app, password.resendOtp, async ({ caller, locale }) => {
    await renewChallenge(identity, caller);
    return { message: translate(locale, 'otp.resent') };
  });
  mount(app, twoFactor.showTwoFactor, async ({ caller }) => {
    const row = await authDb
      .selectFrom('user_account as u')
      .leftJoin('user_totp as t', 't.user_id', 'u.id')
      .select(['u.otp', 'u.password_changed_at', 't.confirmed_at'])
      .where('u.id', '=', caller.user_id)
      .executeTakeFirstOrThrow();
    const { left } = await authDb
      .selectFrom('recovery_code')
      .select((eb) => eb.fn.countAll<number>().as('left'))
      .where('user_id', '=', caller.user_id)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    const { passkeys } = await authDb
      .selectFrom('passkey')
      .select((eb) => eb.fn.countAll<number>().as('passkeys'))
      .where('user_id', '=', caller.user_id)
      .executeTakeFirstOrThrow();
    const { otp, password_changed_at, confirmed_at } = row;
    return { otp, totp: confirmed_at !== null, passkeys, recovery_codes_left: left, password_changed_at };
  });
  mount(app, twoFactor.beginTotp, ({ caller }) => beginTotp(identity, caller));
  mount(app, twoFactor.confirmTotp, async ({ caller, locale }, { body }) => ({
    recovery_codes: await confirmTotp(identity, caller, body.code),
    message: translate(locale, 'two_factor.added'),
  }));
  mount(app, twoFactor.renewRecoveryCodes, async ({ caller }) => ({
    recovery_codes: await renewRecoveryCodes(identity, caller),
  }));
  mount(app, twoFactor.endTotp, async ({ caller, locale }) => {
    await endTotp(identity, caller);
    return { message: translate(locale, 'two_factor.removed') };
  });
}

function passkeyCalls(app: App, identity: Identity): void {
  mount(app, passkey.passkeys, ({ caller }) => listPasskeys(identity, caller));
  mount(app, passkey.beginPasskey, async ({ caller, config }, { body }) => {
    await requireHost(identity, config, body.host);
    return { options: await passkeyOptions(identity, caller, body.host) };
  });
  mount(app, passkey.addPasskey, async (ctx, { body }) => {
    await requireHost(identity, ctx.config, body.host);
    const recovery_codes = await keepPasskey(identity, ctx.caller, body);
    // The passkey is kept whether or not the mail can be sent, and nobody waits for a mail server.
    ctx.afterCommit(() => {
      tellOfPasskey(identity, ctx, body.name).catch((error) => ctx.log.error({ err: error }, 'could not send email'));
    });
    return { recovery_codes, message: translate(ctx.locale, 'passkeys.added') };
  });
  mount(app, passkey.renamePasskey, async ({ caller, locale }, { params, body }) => {
    await namePasskey(identity, caller, params.id, body.name);
    return { message: translate(locale, 'passkeys.renamed') };
  });
  mount(app, passkey.removePasskey, async ({ caller, locale }, { params }) => {
    await dropPasskey(identity, caller, params.id);
    return { message: translate(locale, 'passkeys.removed') };
  });
  mountPublic(app, passkey.beginPasskeySignIn, async ({ config }, { body: { host } }) => {
    await requireHost(identity, config, host);
    return { options: await optionsFor(identity, { purpose: 'sign-in', host, subject: '' }) };
  });
  mountPublic(app, passkey.passkeySignIn, async (ctx, { body }) => {
    await requireHost(identity, ctx.config, body.host);
    return signInByPasskey(identity, ctx, body);
  });
  mount(app, passkey.beginPasskeyCheck, async ({ caller, config }, { body: { host } }) => {
    await requireHost(identity, config, host);
    const asked = { purpose: 'check', host, subject: caller.session_id } as const;
    return { options: await optionsFor(identity, asked, caller.user_id) };
  });
  mount(app, passkey.checkPasskey, async ({ caller, config }, { body }) => {
    await requireHost(identity, config, body.host);
    await verifyByPasskey(identity, caller, body.host, body.credential);
    return {};
  });
}

function supportCalls(app: App, identity: Identity): void {
  mount(app, support.ownSupportConsent, (ctx) => showOwnConsent(identity, ctx));
  mount(app, support.giveOwnSupportConsent, async (ctx, { body }) => {
    const consent = await giveOwnConsent(identity, ctx, body.hours);
    return { ...consent, message: translate(ctx.locale, 'support.given', { count: body.hours }) };
  });
  mount(app, support.withdrawOwnSupportConsent, async (ctx) => {
    await withdrawOwnConsent(identity, ctx);
    return { message: translate(ctx.locale, 'support.withdrawn') };
  });
  mount(app, support.supportConsent, (ctx, { params }) => showConsent(identity, ctx, params.id));
  mount(app, support.giveSupportConsent, async (ctx, { params, body }) => {
    await giveConsent(identity, ctx, params.id, body.hours);
    return { message: translate(ctx.locale, 'support.given', { count: body.hours }) };
  });
  mount(app, support.withdrawSupportConsent, async (ctx, { params }) => {
    await withdrawConsent(identity, ctx, params.id);
    return { message: translate(ctx.locale, 'support.withdrawn') };
  });
  mount(app, support.askSupportConsent, async (ctx, { params, body }) => {
    const name = await askForConsent(identity, ctx, params.id, body.reason);
    return { message: translate(ctx.locale, 'support.ask_done', { name }) };
  });
  mount(app, support.refuseOwnSupport, async (ctx) => {
    await refuseOwn(identity, ctx);
    return { message: translate(ctx.locale, 'support.refused') };
  });
  mount(app, support.refuseSupport, async (ctx, { params }) => {
    await refuseFor(identity, ctx, params.id);
    return { message: translate(ctx.locale, 'support.refused') };
  });
  mount(app, support.beginSupport, (ctx, { params, body }) => beginSupportSession(identity, ctx, params.id, body));
}
