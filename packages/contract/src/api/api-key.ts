import { z } from 'zod';
import { day, id, instant, label, reference } from '../kernel/fields.ts';
import { network } from '../kernel/ip-network.ts';
import { operation } from '../kernel/operation.ts';
import { API_SCOPES } from '../kernel/public-operation.ts';
import { doneReply, idParams, oneReply, resource } from '../kernel/resource.ts';
import { doors } from './doors.ts';
import { KEY_STATES } from './service-account.ts';

const input = z.object({
  name: label(100),
  /** Owner of the key: the program may do what its owner may, and sends at the owner's cost. */
  user_id: reference('users'),
  /** Mode of the key. A test key sends to links for tests, costs nothing, and sees only records made by test keys. */
  mode: z.enum(['live', 'test']),
  scopes: z.array(z.enum(API_SCOPES)).min(1),
  /** Addresses and networks that may use the key; empty for all. */
  allowed_ips: z.array(network).max(50),
  /** True reads national numbers such as 0917… with the country code, by the operator's rule. */
  read_national: z.boolean(),
  /** Interfaces of other gateways that the key may use. */
  doors,
  /** Last day on which the key works, in the time zone of the corporation; empty for no end. */
  last_day: day.nullable(),
});

/** Keys of the public API. */
export const apiKey = resource({
  name: 'api-keys',
  proof: { create: 'always', update: 'sometimes' },
  row: input.extend({
    corporation_id: id,
    corporation_name: z.string(),
    user_name: z.string(),
    /** The key itself; only the answer that creates it has it. */
    key: z.string().nullable(),
    /** Token with which programs of Twilio sign in beside the account SID; only the answer that creates the key has it. */
    auth_token: z.string().nullable(),
    /** First characters of the key, by which people recognize it. */
    prefix: z.string(),
    /** Prefix of the previous key, and the time until which it is valid. */
    previous_prefix: z.string().nullable(),
    previous_until: instant.nullable(),
    last_used_at: instant.nullable(),
    last_used_ip: z.string().nullable(),
    rotated_at: instant.nullable(),
    revoked_at: instant.nullable(),
    state: z.enum(KEY_STATES),
  }),
  create: input.extend({
    mode: input.shape.mode.default('live'),
    scopes: input.shape.scopes.default([...API_SCOPES]),
    allowed_ips: input.shape.allowed_ips.default([]),
    read_national: input.shape.read_national.default(false),
    doors: input.shape.doors.default([]),
    last_day: input.shape.last_day.default(null),
  }),
  update: input
    .pick({ name: true, scopes: true, allowed_ips: true, read_national: true, doors: true, last_day: true })
    .partial(),
  filters: z.object({
    user_id: z.coerce.number().int().optional(),
    corporation_id: z.coerce.number().int().optional(),
    mode: z.enum(['live', 'test']).optional(),
  }),
  sort: ['name', 'user_name', 'corporation_name', 'last_day', 'last_used_at', 'created_at'],
  title: 'name',
  conflicts: { api_key_user_id_name_key: 'api_key_already_exists' },
  errors: ['api_key_outside'],
});

/** Creates a new key, which only this answer shows. The previous one stays valid for `overlap_hours`. */
export const rotateApiKey = operation({
  method: 'POST',
  path: '/api/v1/api-keys/:id/rotate',
  permission: 'api-keys-edit',
  proof: 'always',
  params: idParams,
  body: z.object({ overlap_hours: z.int().min(0).max(168).default(24) }),
  reply: oneReply(
    z.object({ id, key: z.string(), auth_token: z.string(), prefix: z.string(), previous_until: instant.nullable() }),
  ),
  errors: ['not_found', 'api_key_revoked', 'api_key_ended', 'texts_hidden', 'key_reads_numbers'],
});

/** Ends a key and its previous one immediately. */
export const revokeApiKey = operation({
  method: 'POST',
  path: '/api/v1/api-keys/:id/revoke',
  permission: 'api-keys-edit',
  params: idParams,
  reply: doneReply,
  errors: ['not_found'],
});
