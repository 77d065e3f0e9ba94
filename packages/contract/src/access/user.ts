import { z } from 'zod';
import { email, idText, instant, label, newSecret, reference, routeName } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams, oneReply, resource } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';
import { ROLES } from './role-permissions.ts';

/** Scope level: 0 super admin, 1 admin, 2 corporation, 3 department, 4 user. */
export const scopeLevel = z.int().min(0).max(4);

const named = z.object({ id: z.int(), name: z.string() });
const supervisorIds = z.array(z.int().positive()).max(20);
const input = z.object({
  name: label(),
  email,
  phone: z.string().trim().max(20).nullable(),
  corporation_id: reference('corporations').nullable(),
  department_id: reference('departments').nullable(),
  billing_account_id: reference('billing-accounts').nullable(),
  preferred_language: z.enum(LOCALES),
  /**
   * Standard role that provides the first permissions; those missing from the person's own role are granted directly.
   */
  permission_template: z.enum(ROLES).nullable(),
  role_id: reference('roles'),
  scope_level: scopeLevel,
  landing_page: routeName,
  connection_type_id: z.int().positive().nullable(),
  /** True requires a sign-in code by SMS and email at every sign-in. */
  otp: z.boolean(),
  /** Whether the person may see message texts. */
  content_visible: z.boolean(),
  /** Whether the person may see the numbers of recipients and repliers; otherwise they are masked. */
  numbers_visible: z.boolean(),
  enabled: z.boolean(),
  skip_blacklist: z.boolean(),
  skip_signature: z.boolean(),
  skip_blackout: z.boolean(),
});

const off = z.boolean().default(false);

export const user = resource({
  name: 'users',
  proof: { create: 'always', update: 'sometimes' },
  row: input.extend({
    corporation_name: z.string().nullable(),
    department_name: z.string().nullable(),
    billing_account_name: z.string().nullable(),
    role_name: z.string(),
    connection_type_name: z.string().nullable(),
    supervisors: z.array(named),
    permissions_count: z.int(),
    /** True if the person holds every permission. */
    unlimited: z.boolean(),
    /** True for 15 minutes after too many failed sign-ins. */
    locked: z.boolean(),
    image_path: z.string().nullable(),
    activated_at: instant.nullable(),
    /** Time of the invitation of a person who has not chosen a password yet; null for everybody else. */
    invited_at: instant.nullable(),
    updated_at: instant,
    /** Name of the person who created the account. */
    created_by_name: z.string().nullable(),
  }),
  create: input.extend({
    password: newSecret,
    password_confirmation: newSecret,
    phone: input.shape.phone.default(null),
    corporation_id: input.shape.corporation_id.default(null),
    department_id: input.shape.department_id.default(null),
    billing_account_id: input.shape.billing_account_id.default(null),
    preferred_language: input.shape.preferred_language.default('en'),
    permission_template: input.shape.permission_template.default(null),
    landing_page: routeName.default('dashboard'),
    connection_type_id: input.shape.connection_type_id.default(null),
    supervisor_ids: supervisorIds.default([]),
    otp: off,
    content_visible: z.boolean().default(true),
    numbers_visible: z.boolean().default(true),
    enabled: z.boolean().default(true),
    skip_blacklist: off,
    skip_signature: off,
    skip_blackout: off,
  }),
  update: input.partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    department_id: z.coerce.number().int().optional(),
    role_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
    otp: z.stringbool().optional(),
  }),
  sort: ['name', 'email', 'corporation_name', 'role_name', 'created_at'],
  title: 'name',
  groups: {
    person: ['name', 'email', 'phone', 'preferred_language', 'password', 'password_confirmation'],
    place: [
      'permission_template',
      'role_id',
      'scope_level',
      'corporation_id',
      'department_id',
      'billing_account_id',
      'landing_page',
      'connection_type_id',
      'supervisor_ids',
    ],
    access: ['enabled', 'otp', 'content_visible', 'numbers_visible'],
    sending: ['skip_blacklist', 'skip_signature', 'skip_blackout'],
  },
  conflicts: { user_account_email_key: 'user_already_exists' },
  changedElsewhere: ['supervisors'],
  errors: ['forbidden', 'own_user', 'user_is_supervisor', 'user_has_routings', 'user_delete_failed'],
});

/** Returns the choices of the forms about people: those that the caller sees and may grant. */
export const fillingData = operation({
  method: 'GET',
  path: '/api/v1/users/fillingData',
  permission: 'users-index',
  reply: z.object({
    /** Screens that can be the landing page. */
    menus: z.array(
      z.object({
        id: z.int(),
        url: z.string(),
        title: z.string(),
        labels: z.record(z.string(), z.string()).nullable(),
        permission: z.string().nullable(),
      }),
    ),
    roles: z.array(named.extend({ level: scopeLevel, permissions: z.array(z.string()) })),
    connection_types: z.array(named),
    /** At most 1,000 of each kind, in the order of their names; forms search for more. */
    departments: z.array(named.extend({ corporation_id: z.int() })),
    corporations: z.array(named),
    billing_accounts: z.array(named.extend({ corporation_id: z.int() })),
    scope_levels: z.array(z.object({ id: scopeLevel, name: z.string() })),
    languages: z.array(z.enum(LOCALES)),
  }),
});

/** Lists the people who may approve for the people of a corporation, or of a department if one is given. */
export const supervisorCandidates = operation({
  method: 'GET',
  path: '/api/v1/users/supervisor-candidates',
  permission: 'users-index',
  query: z.object({
    corporation_id: idText,
    department_id: idText.optional(),
    /** Person to be supervised: nobody can supervise themselves. */
    user_id: idText.optional(),
    search: z.string().trim().max(100).optional(),
  }),
  reply: z.object({ data: z.array(named.extend({ email: z.string() })) }),
});

/** Sets the people who approve a person's campaigns. */
export const setSupervisors = operation({
  method: 'PUT',
  path: '/api/v1/users/:id/supervisors',
  permission: 'users-supervisors',
  params: idParams,
  body: z.object({ supervisor_ids: supervisorIds }),
  reply: oneReply(user.row),
  errors: ['not_found', 'forbidden', 'edit_conflict'],
});

/**
 * Sets a password that the person must change at the next sign-in. Without a password, mails a link for choosing one.
 * Ends the person's sessions; `two_factor` also removes a lost authenticator, passkeys and the connection with an identity
 * provider. Unless the platform asks one administrator only, the first call with it only asks, and the same call of another
 * one within a day does it.
 */
export const resetUserPassword = operation({
  method: 'POST',
  path: '/api/v1/users/:id/reset-password',
  permission: 'users-reset-password',
  proof: 'always',
  params: idParams,
  body: z.object({
    password: newSecret.nullable().default(null),
    password_confirmation: newSecret.nullable().default(null),
    two_factor: z.boolean().default(false),
  }),
  reply: doneReply,
  errors: ['not_found', 'forbidden', 'own_user', 'password_reset_failed', 'recovery_four_eyes'],
});

/** Signs a person out on all their devices. They can sign in again. */
export const endUserSessions = operation({
  method: 'POST',
  path: '/api/v1/users/:id/end-sessions',
  permission: 'users-unlock',
  params: idParams,
  reply: doneReply,
  errors: ['not_found', 'forbidden', 'own_user'],
});

/** Removes the lock set by too many failed sign-ins. */
export const unlockUser = operation({
  method: 'POST',
  path: '/api/v1/users/:id/unlock',
  permission: 'users-unlock',
  params: idParams,
  reply: oneReply(user.row),
  errors: ['not_found', 'forbidden', 'own_user', 'unlock_failed'],
});

/** Mails an invitation again to a person who has not chosen a password yet. The link works for seven days. */
export const inviteUser = operation({
  method: 'POST',
  path: '/api/v1/users/:id/invitations',
  permission: 'users-reset-password',
  params: idParams,
  reply: doneReply,
  errors: ['not_found', 'forbidden', 'own_user', 'invitation_accepted'],
});
