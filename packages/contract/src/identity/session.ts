import { z } from 'zod';
import { instant, label, routeName } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';
import { preferences, preferencesChange } from './preferences.ts';

const tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** Seconds until the access token expires. */
  expires_in: z.int(),
});

const named = z.object({ id: z.int(), name: z.string() });

/** Signs in with email and password; JSON or form. */
export const signIn = operation({
  method: 'POST',
  path: '/api/v1/oauth/token',
  session: 'public',
  permission: null,
  body: z.object({ username: z.string().min(1).max(254), password: z.string().min(1).max(200) }),
  reply: tokens.extend({
    token_type: z.literal('Bearer'),
    /** False while a second factor must still be entered. */
    verified: z.boolean(),
    /** Kind of second factor: a sign-in code by SMS and email, the code of an authenticator app, or a passkey. */
    second_factor: z.enum(['otp', 'totp', 'passkey']).nullable(),
    is_reseller: z.boolean(),
    owned_by_reseller: z.boolean(),
    reseller_corporations: z.array(named),
    reseller_all_corporations: z.array(named),
  }),
  errors: [
    'wrong_credentials',
    'account_locked',
    'account_disabled',
    'password_expired',
    'sign_on_required',
    'sign_in_address',
  ],
});

/**
 * Returns a new pair of tokens for a refresh token. Using an old one again after 30 s ends the whole family of tokens.
 */
export const refreshTokens = operation({
  method: 'POST',
  path: '/oauth/token',
  session: 'public',
  permission: null,
  body: z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string().min(1).max(200),
    client_id: z.union([z.string(), z.number()]).optional(),
    client_secret: z.string().optional(),
    scope: z.string().optional(),
  }),
  reply: tokens.extend({ token_type: z.literal('Bearer') }),
  errors: ['refresh_token_invalid'],
});

export const signOut = operation({
  method: 'POST',
  path: '/api/v1/logout',
  session: 'unverified',
  support: 'allowed',
  permission: null,
  reply: doneReply,
});

/** Returns the look of the application for the request's Host, before anybody signs in. */
export const pageConfigurations = operation({
  method: 'GET',
  path: '/api/v1/page-configurations',
  session: 'public',
  permission: null,
  reply: z.object({
    color: z.string(),
    corporation_name: z.string(),
    logo_path: z.string().nullable(),
    logging_page_logo: z.string().nullable(),
    favicon_path: z.string().nullable(),
    /** Key in the address of live events, `/app/{key}`. */
    broadcast_key: z.string(),
    /** True if people of some company sign in with its identity provider here. */
    company_sign_in: z.boolean(),
    /** Logins of the demo; present only if the demo data is installed. */
    demo_logins: z.array(z.object({ username: z.string(), password: z.string(), role: z.string() })).optional(),
    simulator_url: z.string().optional(),
  }),
});

export const profile = operation({
  method: 'GET',
  path: '/api/v1/profiles',
  session: 'entering',
  permission: null,
  reply: z.object({
    permissions: z.array(z.object({ name: z.string() })),
    profile: z.object({
      id: z.int(),
      name: z.string(),
      email: z.string(),
      phone: z.string().nullable(),
      landing_page: z.string(),
      scope_level: z.int(),
      preferred_language: z.enum(LOCALES),
      corporation_id: z.int().nullable(),
      corporation_name: z.string().nullable(),
      department_id: z.int().nullable(),
      department_name: z.string().nullable(),
      currency: z.string(),
      content_visible: z.boolean(),
      /** False if numbers of recipients and repliers are masked for the person. */
      numbers_visible: z.boolean(),
      verified: z.boolean(),
      image_path: z.string().nullable(),
      /** True if the person holds every permission. */
      unlimited: z.boolean(),
      /** Landing page that was set; `landing_page` is one that the person's present permissions allow. */
      chosen_landing_page: z.string(),
      preferences,
      /** Minutes without use after which the session ends; null if no rule says so. */
      idle_minutes: z.int().nullable(),
      /** Whether the person has no passkey, and may (`soon`) or must (`now`) add one; null if none is needed. */
      passkey_needed: z.enum(['soon', 'now']).nullable(),
      /** First day on which a passkey must have been added. */
      passkey_needed_from: z.iso.date().nullable(),
      /** Support session in which the caller sees this person's console; null for the person's own sessions. */
      support: z.object({ ends_at: instant }).nullable(),
      /** Version of the fields that `updateProfile` changes, except preferences; for `If-Match`. */
      etag: z.string(),
    }),
    roles: z.array(z.string()),
    /** IANA name of the time zone in which the console shows times. */
    corporationTimeZone: shownTimeZone,
  }),
});

export const updateProfile = operation({
  method: 'PATCH',
  path: '/api/v1/profiles',
  permission: null,
  body: z.object({
    name: label().optional(),
    phone: z.string().trim().max(20).nullable().optional(),
    preferred_language: z.enum(LOCALES).optional(),
    landing_page: routeName.optional(),
    preferences: preferencesChange.optional(),
  }),
  reply: doneReply,
  errors: ['edit_conflict'],
});

/** Uploads a PNG, JPEG or WebP of less than 2 MB as the caller's picture. */
export const uploadProfileImage = operation({
  method: 'POST',
  path: '/api/v1/profiles/image',
  permission: null,
  upload: true,
  reply: z.object({ image_path: z.string(), message: z.string().optional() }),
  errors: ['image_unusable', 'payload_too_large'],
});

export const removeProfileImage = operation({
  method: 'DELETE',
  path: '/api/v1/profiles/image',
  permission: null,
  reply: doneReply,
});

/** Returns a person's picture by an address that nobody can guess. */
export const userImage = operation({
  method: 'GET',
  path: '/api/v1/user-images/:key',
  session: 'public',
  permission: null,
  params: z.object({ key: z.string().regex(/^[A-Za-z0-9_-]{32}$/) }),
  reply: z.string(),
  errors: ['not_found'],
});

/** Lists the caller's open sessions, newest first. */
export const sessions = operation({
  method: 'GET',
  path: '/api/v1/sessions',
  permission: null,
  support: 'refused',
  reply: z.object({
    data: z.array(
      z.object({
        id: z.uuid(),
        ip: z.string().nullable(),
        user_agent: z.string().nullable(),
        created_at: instant,
        /** Time at which its tokens were last renewed; an open console renews them every quarter of an hour. */
        used_at: instant,
        verified: z.boolean(),
        current: z.boolean(),
        /** Person of support who sees the console in this session, and why; null for the caller's own sessions. */
        support: z.object({ name: z.string(), reason: z.string(), ends_at: instant }).nullable(),
      }),
    ),
  }),
});

/** Signs out one session, all other sessions, or all. */
export const endSessions = operation({
  method: 'POST',
  path: '/api/v1/sessions/end',
  permission: null,
  body: z.object({ sessions: z.union([z.enum(['others', 'all']), z.uuid()]) }),
  reply: doneReply,
  errors: ['not_found'],
});

export const numberValidationRules = operation({
  method: 'GET',
  path: '/api/v1/validation-rules/number',
  permission: null,
  reply: z.object({
    min: z.int(),
    max: z.int(),
    start: z.string(),
    start_with_any_msisdn: z.boolean(),
    national: z.object({ country_code: z.string(), trunk_prefix: z.string(), start: z.string() }).nullable(),
  }),
});
