import { z } from 'zod';
import { id, instant, label, newSecret, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';

/** Protocols of identity providers. */
export const SIGN_IN_PROTOCOLS = ['oidc', 'saml'] as const;

/** Domain of email addresses. */
export const emailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/, { error: 'email_domain' });

/** Address of a provider: over TLS, except on the machine itself. */
const providerUrl = z
  .url({ protocol: /^https?$/, error: 'provider_url' })
  .trim()
  .max(500)
  .regex(/^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/])[^?#@\s]*$/, { error: 'provider_url' });

/** Address at which a provider of SAML signs people in; it may have a query. */
const signOnUrl = z
  .url({ protocol: /^https?$/, error: 'sign_on_url' })
  .trim()
  .max(1000)
  .regex(/^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/])[^#\s]*$/, { error: 'sign_on_url' });

/** Role of people in a group of the provider; rules are tried in order, and the first that fits counts. */
const roleRule = z.object({
  group: label(200),
  role_id: id,
  /** Department of people whose role is within one; the provider's own if left out. */
  department_id: id.nullable().default(null),
});

const input = z.object({
  /** Corporation whose people sign in; empty for the platform's own people. */
  corporation_id: reference('corporations').nullable(),
  name: label(60),
  protocol: z.enum(SIGN_IN_PROTOCOLS),
  /** Issuer of the provider; `/.well-known/openid-configuration` below it describes the rest. */
  issuer: providerUrl.nullable(),
  client_id: label(200).nullable(),
  /** Scopes that are asked for, with blanks between them. */
  scopes: label(200).refine((scopes) => scopes.split(/\s+/).includes('openid'), { error: 'scopes' }),
  /** Name of a provider of SAML, the address of its sign-in, and the certificates with which it signs, in PEM. */
  entity_id: label(500).nullable(),
  sso_url: signOnUrl.nullable(),
  certificates: text(40_000).nullable(),
  /** True if our requests to it are signed. */
  signs_requests: z.boolean(),
  /** Names of its attributes with a person's email and name; without such an email the subject is one. */
  email_attribute: label(200),
  name_attribute: label(200),
  /** Domains of the people's email addresses. Each counts once it is proved. */
  domains: z.array(emailDomain).max(20),
  /** True if emails count as verified when the provider does not say whether they are. */
  trusts_emails: z.boolean(),
  /** True if people without an account get one when they sign in. */
  creates_users: z.boolean(),
  /** True if the role follows the groups at every sign-in; people without a role are refused. */
  follows_groups: z.boolean(),
  /** Name of the provider's claim with a person's groups. */
  groups_claim: label(100),
  role_rules: z.array(roleRule).max(50),
  /** Role of people without a rule; empty for none. */
  role_id: reference('roles').nullable(),
  department_id: reference('departments').nullable(),
  enabled: z.boolean(),
  /** True if people of the proved domains cannot sign in without the provider. */
  enforced: z.boolean(),
  /** People who may also sign in with password and second factor, for the day on which the provider fails. */
  break_glass_ids: z.array(id).max(10),
});
const { shape } = input;

/** Proof of a domain: a TXT record in its DNS. */
const domainProof = z.object({
  domain: z.string(),
  /** Name and value of the record. */
  record: z.string(),
  value: z.string(),
  proved: z.boolean(),
});

/** Service of a company that signs its people in. */
export const identityProvider = resource({
  name: 'identity-providers',
  row: input.extend({
    corporation_name: z.string().nullable(),
    role_name: z.string().nullable(),
    department_name: z.string().nullable(),
    has_client_secret: z.boolean(),
    proofs: z.array(domainProof),
    /** Number of people who have signed in with it. */
    people: z.int(),
    last_sign_in_at: instant.nullable(),
    /** Technical reason of the last failure, and its time. */
    last_fault: z.string().nullable(),
    last_fault_at: instant.nullable(),
  }),
  create: z.object({
    corporation_id: shape.corporation_id.default(null),
    name: shape.name,
    protocol: shape.protocol.default('oidc'),
    issuer: shape.issuer.default(null),
    client_id: shape.client_id.default(null),
    /** Secret of our registration at the provider; never answered. */
    client_secret: newSecret.nullable().default(null),
    scopes: shape.scopes.default('openid email profile'),
    entity_id: shape.entity_id.default(null),
    sso_url: shape.sso_url.default(null),
    certificates: shape.certificates.default(null),
    signs_requests: z.boolean().default(false),
    email_attribute: shape.email_attribute.default('email'),
    name_attribute: shape.name_attribute.default('displayName'),
    domains: shape.domains.default([]),
    trusts_emails: z.boolean().default(false),
    creates_users: z.boolean().default(false),
    follows_groups: z.boolean().default(false),
    groups_claim: shape.groups_claim.default('groups'),
    role_rules: shape.role_rules.default([]),
    role_id: shape.role_id.default(null),
    department_id: shape.department_id.default(null),
    enabled: z.boolean().default(true),
    enforced: z.boolean().default(false),
    break_glass_ids: shape.break_glass_ids.default([]),
  }),
  update: input
    .omit({ corporation_id: true, protocol: true })
    .extend({ client_secret: newSecret.nullable() })
    .partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'corporation_name', 'created_at'],
  title: 'name',
  groups: {
    provider: [
      'name',
      'corporation_id',
      'protocol',
      'issuer',
      'client_id',
      'client_secret',
      'scopes',
      'entity_id',
      'sso_url',
      'certificates',
      'signs_requests',
      'enabled',
    ],
    domains: ['domains', 'trusts_emails'],
    people: [
      'email_attribute',
      'name_attribute',
      'creates_users',
      'groups_claim',
      'role_rules',
      'role_id',
      'department_id',
      'follows_groups',
    ],
    enforcement: ['enforced', 'break_glass_ids'],
  },
  conflicts: { identity_provider_name_key: 'identity_provider_already_exists' },
  errors: ['forbidden'],
  proof: { create: 'always', update: 'always', remove: 'always' },
});

/** Returns the addresses that the provider must know about us. */
export const providerAddresses = operation({
  method: 'GET',
  path: '/api/v1/identity-providers/:id/addresses',
  permission: 'identity-providers-show',
  params: idParams,
  reply: z.object({
    data: z.object({
      /** Address to which a provider of OpenID Connect sends people back. */
      redirect_url: z.string().nullable(),
      /** Our name and metadata for a provider of SAML, and the address to which it sends its responses. */
      entity_id: z.string().nullable(),
      acs_url: z.string().nullable(),
      /** Address at which a sign-in begins, for the provider's list of applications. */
      sign_in_url: z.string(),
      /** Address that a provider of OpenID Connect calls when a session ends there. */
      logout_url: z.string().nullable(),
    }),
  }),
  errors: ['not_found'],
});

/** Reads the metadata of a provider of SAML, and stores nothing. */
export const readProviderMetadata = operation({
  method: 'POST',
  path: '/api/v1/identity-providers/metadata',
  permission: 'identity-providers-edit',
  body: z.object({ metadata: z.string().trim().min(1).max(200_000) }),
  reply: z.object({
    data: z.object({ entity_id: z.string(), sso_url: z.string(), certificates: z.string() }),
  }),
});

/** Asks a provider of OpenID Connect for its description and keys, or checks the certificates of one of SAML, without signing anybody in. */
export const testProvider = operation({
  method: 'POST',
  path: '/api/v1/identity-providers/:id/test',
  permission: 'identity-providers-edit',
  params: idParams,
  reply: z.object({
    data: z.object({
      ok: z.boolean(),
      /** Technical reason of a failure. */
      fault: z.string().nullable(),
      authorization_url: z.string().nullable(),
      /** Number of the provider's keys that can sign. */
      keys: z.int(),
    }),
  }),
  errors: ['not_found', 'forbidden'],
});

/** Looks for the record that proves a domain. Throws `domain_not_proved` if it is not there yet. */
export const proveDomain = operation({
  method: 'POST',
  path: '/api/v1/identity-providers/:id/prove',
  permission: 'identity-providers-edit',
  params: idParams,
  body: z.object({ domain: emailDomain }),
  reply: oneReply(identityProvider.row),
  errors: ['not_found', 'forbidden', 'domain_not_proved', 'domain_taken'],
});
