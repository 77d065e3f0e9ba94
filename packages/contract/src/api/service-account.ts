import { z } from 'zod';
import { day, email, id, idText, instant, label, reference } from '../kernel/fields.ts';
import { network } from '../kernel/ip-network.ts';
import { operation } from '../kernel/operation.ts';
import { API_SCOPES, type ApiScope } from '../kernel/public-operation.ts';
import { doneReply, idParams, oneReply, resource } from '../kernel/resource.ts';
import type { Permission } from '../kernel/screen-list.ts';
import { doors } from './doors.ts';

/** Permissions that a scope includes. The account's program has them, and only people who have them may give the scope. */
export const PERMISSIONS_OF_SCOPES: Readonly<Record<ApiScope, readonly Permission[]>> = {
  'messages:send': [],
  'messages:read': [],
  'balance:read': [],
  'inbound:read': ['inbox-index', 'consents-index'],
  'inbound:write': ['inbox-index', 'inbox-mark', 'consents-index', 'consents-create'],
  'events:read': [],
  'callbacks:read': ['callbacks-index'],
  'callbacks:write': ['callbacks-index', 'callbacks-create', 'callbacks-delete'],
  'invoices:read': ['invoices-index', 'invoices-show', 'invoices-download'],
  'top-ups:read': ['top-ups-index'],
  'contacts:read': [
    'contacts-index',
    'contacts-show',
    'contact-fields-index',
    'segments-index',
    'segments-show',
    'journeys-index',
    'journeys-show',
  ],
  'contacts:write': [
    'contacts-index',
    'contacts-show',
    'contacts-create',
    'contacts-edit',
    'contacts-delete',
    'segments-index',
    'segments-show',
    'segments-create',
    'segments-edit',
    'segments-delete',
    'journeys-show',
  ],
  'verifications:read': [],
  'verifications:write': [],
};

/** States of a key. A key ends with its last day. */
export const KEY_STATES = ['valid', 'ended', 'revoked'] as const;

const account = z.object({
  name: label(100),
  corporation_id: reference('corporations'),
  /** Department of the program; empty for the whole corporation. */
  department_id: reference('departments').nullable(),
  /** Account that pays for the messages; empty for the first enabled one of the corporation. */
  billing_account_id: reference('billing-accounts').nullable(),
  /** Address that gets a mail before a key ends. */
  contact_email: email,
  scopes: z.array(z.enum(API_SCOPES)).min(1),
  /** Addresses and networks from which the keys may be used; empty for all. */
  allowed_ips: z.array(network).max(50),
  /** True reads national numbers such as 0917… with the country code, by the operator's rule. */
  read_national: z.boolean(),
  /** Interfaces of other gateways that the keys may use. */
  doors,
  /** False refuses all keys of the account. */
  enabled: z.boolean(),
});
const { shape } = account;

/** Accounts of programs. No person can sign in with them. */
export const serviceAccount = resource({
  name: 'service-accounts',
  proof: { update: 'sometimes' },
  row: account.extend({
    corporation_name: z.string(),
    department_name: z.string().nullable(),
    billing_account_name: z.string().nullable(),
    created_by_name: z.string().nullable(),
    /** Number of keys that work. */
    keys: z.int(),
    /** Earliest last day of the keys that work; null if none of them ends. */
    ends_next: day.nullable(),
    last_used_at: instant.nullable(),
    last_used_ip: z.string().nullable(),
  }),
  create: account.extend({
    department_id: shape.department_id.default(null),
    billing_account_id: shape.billing_account_id.default(null),
    scopes: shape.scopes.default(['messages:send', 'messages:read']),
    allowed_ips: shape.allowed_ips.default([]),
    read_national: shape.read_national.default(false),
    doors: shape.doors.default([]),
    enabled: shape.enabled.default(true),
  }),
  update: account.omit({ corporation_id: true, department_id: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'corporation_name', 'ends_next', 'last_used_at', 'created_at'],
  title: 'name',
  conflicts: { service_account_name_key: 'service_account_already_exists' },
});

const key = z.object({
  service_account_id: reference('service-accounts'),
  name: label(100),
  /** A test key sends to links for tests, costs nothing, and sees only records made by test keys. */
  mode: z.enum(['live', 'test']),
  /** Last day on which the key works, in the time zone of the corporation; empty for no end. */
  last_day: day.nullable(),
});

/** Keys of service accounts. An account has several while one replaces another. */
export const serviceAccountKey = resource({
  name: 'service-account-keys',
  area: 'service-accounts',
  proof: { create: 'always', update: 'sometimes' },
  row: key.extend({
    service_account_name: z.string(),
    corporation_id: id,
    corporation_name: z.string(),
    /** The key itself; only the answer that creates it has it. */
    key: z.string().nullable(),
    /** Token with which programs of Twilio sign in beside the account SID; only the answer that creates the key has it. */
    auth_token: z.string().nullable(),
    /** First characters of the key, by which people recognize it. */
    prefix: z.string(),
    /** Interfaces of other gateways that the account may use. */
    doors,
    state: z.enum(KEY_STATES),
    last_used_at: instant.nullable(),
    last_used_ip: z.string().nullable(),
    revoked_at: instant.nullable(),
    created_by_name: z.string().nullable(),
  }),
  create: key.extend({
    mode: key.shape.mode.default('live'),
    last_day: key.shape.last_day.default(null),
  }),
  update: key.pick({ name: true, last_day: true }).partial(),
  filters: z.object({
    service_account_id: idText.optional(),
    corporation_id: z.coerce.number().int().optional(),
    mode: key.shape.mode.optional(),
    state: z.enum(KEY_STATES).optional(),
  }),
  sort: ['name', 'service_account_name', 'last_day', 'last_used_at', 'created_at'],
  title: 'name',
  conflicts: { api_key_user_id_name_key: 'service_account_key_already_exists' },
});

/** Makes a new key, which only this answer shows, and gives the present one a last day. */
export const replaceServiceAccountKey = operation({
  method: 'POST',
  path: '/api/v1/service-account-keys/:id/replace',
  permission: 'service-accounts-edit',
  proof: 'always',
  params: idParams,
  body: z.object({
    name: key.shape.name,
    last_day: key.shape.last_day.default(null),
    /** Last day of the key that is replaced; an earlier last day stays. */
    old_last_day: day,
  }),
  reply: oneReply(z.object({ id, key: z.string(), auth_token: z.string(), prefix: z.string(), old_last_day: day })),
  errors: ['not_found', 'api_key_revoked', 'service_account_key_already_exists'],
});

/** Ends a key of a service account immediately. */
export const revokeServiceAccountKey = operation({
  method: 'POST',
  path: '/api/v1/service-account-keys/:id/revoke',
  permission: 'service-accounts-edit',
  params: idParams,
  reply: doneReply,
  errors: ['not_found'],
});
