import { z } from 'zod';
import { day, reference } from '../kernel/fields.ts';
import { network } from '../kernel/ip-network.ts';
import { resource } from '../kernel/resource.ts';
import { SUPPORT_CONSENTS } from './support.ts';

/** People who need a passkey: nobody, those whose level is a department's or above, or all. */
export const PASSKEY_NEEDS = ['optional', 'administrators', 'everyone'] as const;
/** Lowest level of people who count as administrators of a sign-in policy; see scope.ts. */
export const ADMINISTRATOR_LEVEL = 3;

const input = z.object({
  /** Corporation whose people the rules are for, and the customers' if it is a reseller; empty for the platform's people. */
  corporation_id: reference('corporations').nullable(),
  /** Minutes without a call after which a session ends; empty for 30 days. */
  idle_minutes: z.int().min(5).max(1_440).nullable(),
  /** Hours after the sign-in at which a session ends; empty for 90 days. */
  session_hours: z.int().min(1).max(2_160).nullable(),
  /** Addresses and networks from which people may use the console; empty for all. */
  addresses: z.array(network).max(100),
  /** True requires more than the password: a passkey, an authenticator app or a code by SMS and email. */
  second_factor: z.boolean(),
  passkeys: z.enum(PASSKEY_NEEDS),
  /** First day on which people without a passkey can only add one; before it they are reminded. Empty for now. */
  passkeys_from: day.nullable(),
  /** Shortest new password; empty for the operator's rule. */
  min_password_length: z.int().min(8).max(64).nullable(),
  /** True mails people when their account is used on a device or at an address that is new for them. */
  device_mail: z.boolean(),
  /** People who may let support see a console; `nobody` forbids support sessions. */
  support: z.enum(SUPPORT_CONSENTS),
});
const { shape } = input;

/** Rules for the sign-in and the sessions of a corporation. Of two that are for the same people the stricter holds. */
export const signInPolicy = resource({
  name: 'sign-in-policies',
  proof: { create: 'always', update: 'always', remove: 'always' },
  row: input.extend({ corporation_name: z.string().nullable() }),
  create: z.object({
    corporation_id: shape.corporation_id.default(null),
    idle_minutes: shape.idle_minutes.default(null),
    session_hours: shape.session_hours.default(null),
    addresses: shape.addresses.default([]),
    second_factor: z.boolean().default(false),
    passkeys: shape.passkeys.default('optional'),
    passkeys_from: shape.passkeys_from.default(null),
    min_password_length: shape.min_password_length.default(null),
    device_mail: z.boolean().default(false),
    support: shape.support.default('everyone'),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional() }),
  sort: ['corporation_name', 'created_at'],
  title: 'corporation_name',
  groups: {
    sessions: ['corporation_id', 'idle_minutes', 'session_hours', 'addresses', 'support'],
    ways: ['second_factor', 'passkeys', 'passkeys_from', 'min_password_length', 'device_mail'],
  },
  conflicts: { sign_in_policy_owner_key: 'sign_in_policy_already_exists' },
});
