import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams } from '../kernel/resource.ts';

/** Hours for which a person may let support see their console. */
export const CONSENT_HOURS = [1, 8, 24] as const;
/** Longest support session, in minutes. It never lasts longer than the consent. */
export const SUPPORT_MINUTES = 60;
/** People who may give consent by a sign-in policy: each person, only administrators, or nobody. */
export const SUPPORT_CONSENTS = ['everyone', 'administrators', 'nobody'] as const;

/** Consent to support sessions as it stands; `until` is null without one. */
const consentState = z.object({
  until: instant.nullable(),
  /** Name of the person who gave it; null if they are gone. */
  given_by_name: z.string().nullable(),
  /** People who may give it, by the rules of the corporation and its reseller. */
  allowed: z.enum(SUPPORT_CONSENTS),
  /** Whether the caller may give it. */
  may_give: z.boolean(),
  /** Request of support that waits; null without one, and for other people. */
  request: z.object({ by_name: z.string(), reason: z.string() }).nullable(),
});
const consentBody = z.object({
  hours: z.int().refine((hours) => (CONSENT_HOURS as readonly number[]).includes(hours), 'hours of a consent'),
});

/** Shows the consent to support sessions for the caller's own console. */
export const ownSupportConsent = operation({
  method: 'GET',
  path: '/api/v1/support-consent',
  permission: null,
  support: 'refused',
  reply: consentState,
});

/** Lets support see the caller's console for some hours. A later consent replaces the one before. */
export const giveOwnSupportConsent = operation({
  method: 'PUT',
  path: '/api/v1/support-consent',
  permission: null,
  body: consentBody,
  reply: consentState.extend(doneReply.shape),
  errors: ['support_not_allowed', 'support_by_administrator'],
});

/** Withdraws the caller's consent, and ends a support session that runs. */
export const withdrawOwnSupportConsent = operation({
  method: 'DELETE',
  path: '/api/v1/support-consent',
  permission: null,
  reply: doneReply,
});

/** Shows the consent of one person, and whether the caller may see the console as them. */
export const supportConsent = operation({
  method: 'GET',
  path: '/api/v1/users/:id/support-consent',
  permission: 'users-show',
  params: idParams,
  reply: consentState.extend({
    /** Whether the caller may begin a support session for this person once there is a consent. */
    may_begin: z.boolean(),
  }),
  errors: ['not_found'],
});

/** Gives consent for a person of the caller's own corporation. */
export const giveSupportConsent = operation({
  method: 'PUT',
  path: '/api/v1/users/:id/support-consent',
  permission: 'users-edit',
  params: idParams,
  body: consentBody,
  reply: doneReply,
  errors: ['not_found', 'forbidden', 'support_not_allowed'],
});

/** Withdraws the consent of a person of the caller's own corporation, and ends a support session that runs. */
export const withdrawSupportConsent = operation({
  method: 'DELETE',
  path: '/api/v1/users/:id/support-consent',
  permission: 'users-edit',
  params: idParams,
  reply: doneReply,
  errors: ['not_found', 'forbidden'],
});

/**
 * Asks for the consent to see a person's console. They are told in the bell and by mail, or their administrators if the
 * policy leaves it to them.
 */
export const askSupportConsent = operation({
  method: 'POST',
  path: '/api/v1/users/:id/support-requests',
  permission: 'users-support',
  params: idParams,
  body: z.object({ reason: z.string().trim().min(5).max(300) }),
  reply: doneReply,
  errors: ['not_found', 'forbidden', 'support_not_allowed', 'support_already_asked'],
});

/** Refuses the request for the caller's own console. */
export const refuseOwnSupport = operation({
  method: 'DELETE',
  path: '/api/v1/support-consent/request',
  permission: null,
  reply: doneReply,
});

/** Refuses the request for the console of a person of the caller's own corporation. */
export const refuseSupport = operation({
  method: 'DELETE',
  path: '/api/v1/users/:id/support-requests',
  permission: 'users-edit',
  params: idParams,
  reply: doneReply,
  errors: ['not_found', 'forbidden'],
});

/**
 * Begins a session that sees the console as this person does, and changes nothing. It needs the consent of the person, and
 * ends an earlier support session of the caller.
 */
export const beginSupport = operation({
  method: 'POST',
  path: '/api/v1/users/:id/support-sessions',
  permission: 'users-support',
  proof: 'always',
  params: idParams,
  body: z.object({ reason: z.string().trim().min(5).max(300) }),
  reply: z.object({
    access_token: z.string(),
    /** Seconds until the session ends. There is no token to renew it. */
    expires_in: z.int(),
    ends_at: instant,
  }),
  errors: ['not_found', 'forbidden', 'support_without_consent', 'support_not_allowed', 'support_address'],
});
