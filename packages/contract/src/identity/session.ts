import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';

const tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** Seconds until the access token ends. */
  expires_in: z.int(),
});

const named = z.object({ id: z.int(), name: z.string() });

/** Sign in with e-mail and password; JSON or form. */
export const signIn = operation({
  method: 'POST',
  path: '/api/v1/oauth/token',
  session: 'public',
  permission: null,
  body: z.object({ username: z.string().min(1).max(254), password: z.string().min(1).max(200) }),
  reply: tokens.extend({
    token_type: z.literal('Bearer'),
    /** False while a one-time password is still to be entered. */
    verified: z.boolean(),
    is_reseller: z.boolean(),
    owned_by_reseller: z.boolean(),
    reseller_corporations: z.array(named),
    reseller_all_corporations: z.array(named),
  }),
  errors: ['wrong_credentials', 'account_locked', 'account_disabled', 'password_expired'],
});

/** A new pair of tokens for a refresh token; replaying an old one ends the whole family, save for 30 s of grace. */
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
  permission: null,
  reply: doneReply,
});

/** What the application looks like here: answered by Host, before anybody signs in. */
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
    /** Key of the live-event endpoint `/app/{key}`. */
    broadcast_key: z.string(),
    /** Logins of the demo, present only where the demo seed is in. */
    demo_logins: z.array(z.object({ username: z.string(), password: z.string(), role: z.string() })).optional(),
    simulator_url: z.string().optional(),
  }),
});

export const profile = operation({
  method: 'GET',
  path: '/api/v1/profiles',
  session: 'unverified',
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
      verified: z.boolean(),
    }),
    roles: z.array(z.string()),
    /** IANA name of the zone in which the console shows times. */
    corporationTimeZone: z.string(),
  }),
});

export const updateProfile = operation({
  method: 'PATCH',
  path: '/api/v1/profiles',
  permission: null,
  body: z.object({
    name: z.string().trim().min(1).max(100).optional(),
    phone: z.string().trim().max(20).nullable().optional(),
    preferred_language: z.enum(LOCALES).optional(),
  }),
  reply: doneReply,
});

export const numberValidationRules = operation({
  method: 'GET',
  path: '/api/v1/validation-rules/number',
  permission: null,
  reply: z.object({ min: z.int(), max: z.int(), start: z.string(), start_with_any_msisdn: z.boolean() }),
});
