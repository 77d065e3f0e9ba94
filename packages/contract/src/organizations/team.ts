import { z } from 'zod';
import { email, label, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams, oneReply, resource } from '../kernel/resource.ts';
import { hostName } from './corporation.ts';

/** Pictures of a reseller, with their exact size in pixels. */
export const TEAM_IMAGES = {
  logo: { width: 150, height: 45 },
  login_logo: { width: 250, height: 100 },
  favicon: { width: 32, height: 32 },
} as const;
export type TeamImage = keyof typeof TEAM_IMAGES;
export const TEAM_IMAGE_KINDS = Object.keys(TEAM_IMAGES) as readonly TeamImage[];

/** Size in bytes that every picture must stay below. */
export const TEAM_IMAGE_BYTES = 1024 * 1024;

/** Encryption of the connection to a mail server: after STARTTLS, from the start, or none. */
export const MAIL_SECURITIES = ['starttls', 'tls', 'none'] as const;

/** Mail server: a domain or an IP address. */
const mailServer = z
  .string()
  .trim()
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/,
    {
      error: 'mail_server',
    },
  );

/** Scheme, host and port of a console; no path, no IP address. */
const baseUrl = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite((url) => url.replace(/\/$/, ''))
  .max(300)
  .regex(/^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9](?::[1-9]\d{0,4})?$/, {
    error: 'base_url',
  });

const settings = z.object({
  /** Page title and name of the application; null for the corporation's own. */
  app_name: label(60).nullable(),
  /** Address of its console; visitors of this host see the reseller's look. */
  base_url: baseUrl.nullable(),
  /** Host of the short links in its customers' texts; null for the platform's. It answers nothing but these links. */
  short_link_host: hostName.nullable(),
  theme_color: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, { error: 'color' })
    .nullable(),
  /** Sender address of mails to its customers; with server and port, or without both. */
  email_address: email.nullable(),
  mail_server: mailServer.nullable(),
  mail_port: z.int().min(1).max(65_535).nullable(),
  mail_security: z.enum(MAIL_SECURITIES),
  /** User name for the mail server; null for the email address. */
  mail_user: label(200).nullable(),
  /** Carrier link for its customers' messages; null for the general routes. */
  link_id: reference('links').nullable(),
  /** Whether its people may approve, reject and suspend the sender IDs of its customers. */
  decides_senders: z.boolean(),
});

/** Password; no answer shows it. Null means none for a new reseller, and the present one for an existing reseller. */
const emailPassword = z.string().min(1).max(200).nullable();

/** Ids of the people whose downgrade the caller confirmed; if others would be downgraded, nothing is changed. */
const confirmed = z.array(z.int().positive()).max(10_000).default([]);

/** A reseller with its settings. It is a corporation that may own others. */
export const team = resource({
  name: 'teams',
  row: settings.extend({
    corporation_id: reference('corporations'),
    corporation_name: z.string(),
    enabled: z.boolean(),
    corporations_count: z.int(),
    host: z.string().nullable(),
    link_name: z.string().nullable(),
    /** Time at which the password was last entered; null if there is none. */
    mail_credentials_set_at: z.iso.datetime({ offset: true }).nullable(),
    logo_path: z.string().nullable(),
    login_logo_path: z.string().nullable(),
    favicon_path: z.string().nullable(),
  }),
  create: settings.extend({
    corporation_id: reference('corporations'),
    confirmed_user_ids: confirmed,
    app_name: settings.shape.app_name.default(null),
    base_url: settings.shape.base_url.default(null),
    short_link_host: settings.shape.short_link_host.default(null),
    theme_color: settings.shape.theme_color.default(null),
    email_address: settings.shape.email_address.default(null),
    mail_server: settings.shape.mail_server.default(null),
    mail_port: settings.shape.mail_port.default(null),
    mail_security: settings.shape.mail_security.default('starttls'),
    mail_user: settings.shape.mail_user.default(null),
    email_password: emailPassword.default(null),
    link_id: settings.shape.link_id.default(null),
    decides_senders: settings.shape.decides_senders.default(false),
  }),
  update: settings.partial().extend({ email_password: emailPassword.optional() }),
  filters: z.object({ enabled: z.stringbool().optional() }),
  sort: ['corporation_name', 'created_at'],
  title: 'corporation_name',
  groups: {
    look: ['app_name', 'base_url', 'short_link_host', 'theme_color'],
    mail: ['email_address', 'mail_server', 'mail_port', 'mail_security', 'mail_user', 'email_password'],
    carrier: ['link_id', 'decides_senders'],
  },
  conflicts: {
    reseller_corporation_id_key: 'reseller_already_exists',
    reseller_host_key: 'reseller_host_taken',
    reseller_short_link_host_key: 'short_link_host_taken',
  },
  unshown: { email_password: 'mail_credentials_set_at' },
  errors: ['changed_meanwhile', 'permission_missing', 'reseller_role_missing', 'carrier_route_already_exists'],
});

/** A person who gets another role or scope because their corporation's place changes. */
const downgrade = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role_name: z.string(),
  scope_level: z.int(),
  new_role_name: z.string(),
  new_scope_level: z.int(),
  /** Number of permissions that the person loses, and of those that they gain. */
  loses: z.int(),
  gains: z.int(),
});
const downgrades = z.object({ data: z.array(downgrade) });

/** Lists the people to be downgraded if a corporation becomes a reseller; changes nothing. */
export const previewReseller = operation({
  method: 'GET',
  path: '/api/v1/corporations/:id/new-reseller-preview',
  permission: team.permissions.create,
  params: idParams,
  reply: downgrades,
  errors: ['not_found', 'reseller_already_exists', 'reseller_role_missing'],
});

/** Lists the people to be downgraded if a reseller gets a corporation; changes nothing. */
export const previewAssignment = operation({
  method: 'GET',
  path: '/api/v1/corporations/:id/reseller-preview',
  permission: 'teams-assign',
  params: idParams,
  reply: downgrades,
  errors: ['not_found', 'corporate_admin_role_missing'],
});

/** Assigns a corporation to a reseller, or with null back to the platform. */
export const assignReseller = operation({
  method: 'POST',
  path: '/api/v1/corporations/:id/reseller',
  permission: 'teams-assign',
  params: idParams,
  body: z.object({ reseller_id: reference('corporations').nullable(), confirmed_user_ids: confirmed }),
  reply: doneReply,
  errors: [
    'not_found',
    'changed_meanwhile',
    'permission_missing',
    'corporate_admin_role_missing',
    'corporation_already_exists',
  ],
});

/** Uploads a PNG, JPEG or WebP with exactly the size of its kind. */
const uploadImage = (path: string) =>
  operation({
    method: 'POST',
    path: `/api/v1/teams/:id/${path}`,
    permission: team.permissions.edit,
    params: idParams,
    upload: true,
    reply: oneReply(team.row),
    errors: ['not_found'],
  });
const removeImage = (path: string) =>
  operation({
    method: 'DELETE',
    path: `/api/v1/teams/:id/${path}`,
    permission: team.permissions.edit,
    params: idParams,
    reply: oneReply(team.row),
    errors: ['not_found'],
  });
export const uploadLogo = uploadImage('logo');
export const uploadLoginLogo = uploadImage('login-logo');
export const uploadFavicon = uploadImage('favicon');
export const removeLogo = removeImage('logo');
export const removeLoginLogo = removeImage('login-logo');
export const removeFavicon = removeImage('favicon');

/** Calls for each picture. */
export const TEAM_IMAGE_CALLS = {
  logo: { upload: uploadLogo, remove: removeLogo },
  login_logo: { upload: uploadLoginLogo, remove: removeLoginLogo },
  favicon: { upload: uploadFavicon, remove: removeFavicon },
} as const satisfies Record<TeamImage, object>;

/** Returns a picture by an address that nobody can guess; the sign-in page shows it. */
export const teamImage = operation({
  method: 'GET',
  path: '/api/v1/team-images/:key',
  session: 'public',
  permission: null,
  params: z.object({ key: z.string().regex(/^[A-Za-z0-9_-]{32}$/) }),
  reply: z.string(),
  errors: ['not_found'],
});

/** Reasons why a mail was not sent; the sentences are `mail_fault.<code>`. */
export const MAIL_FAULTS = [
  'no_server',
  'password_unreadable',
  'unknown_host',
  'address_not_allowed',
  'port_not_allowed',
  'connection_refused',
  'timeout',
  'no_tls',
  'certificate',
  'no_answer',
  'login_refused',
  'sender_refused',
  'recipient_refused',
  'refused',
] as const;
export type MailFault = (typeof MAIL_FAULTS)[number];

/** Sends a mail through the saved server, within 15 seconds, and returns the reason of a failure. */
export const sendTestMail = operation({
  method: 'POST',
  path: '/api/v1/teams/:id/test-mail',
  permission: team.permissions.edit,
  params: idParams,
  body: z.object({ to: email }),
  reply: z.object({
    data: z.object({
      sent: z.boolean(),
      fault: z.enum(MAIL_FAULTS).nullable(),
      /** Answer of the server, such as `535 5.7.8 Authentication failed`; '' for none. */
      detail: z.string(),
    }),
  }),
  errors: ['not_found'],
});
