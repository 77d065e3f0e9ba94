import type { Kysely } from 'kysely';
import type { ConnectedConfig } from '#platform/config/config';
import type { Database } from '#platform/database/db';
import { brandOf } from '#platform/operator/brand';
import { open, secretKey } from '#platform/process/seal';

/** Context to which the sealed secret of a registration is bound. */
export const clientSecretContext = (id: number): string => `identity_provider.client_secret.${id}`;

/** Context to which our sealed key for a provider is bound. */
export const ownKeyContext = (id: number): string => `identity_provider.own_key.${id}`;

/** Rule that gives people of a group their role. */
export interface RoleRule {
  group: string;
  role_id: number;
  department_id: number | null;
}

const columns = [
  'p.id',
  'p.key',
  'p.name',
  'p.corporation_id',
  'p.protocol',
  'p.issuer',
  'p.client_id',
  'p.client_secret_sealed',
  'p.scopes',
  'p.entity_id',
  'p.sso_url',
  'p.certificates',
  'p.signs_requests',
  'p.email_attribute',
  'p.name_attribute',
  'p.own_key_sealed',
  'p.own_certificate',
  'p.groups_claim',
  'p.trusts_emails',
  'p.creates_users',
  'p.follows_groups',
  'p.role_id',
  'p.department_id',
  'p.role_rules',
  'p.break_glass_ids',
] as const;

/** Provider with everything that a sign-in needs. */
export type Provider = Awaited<ReturnType<typeof providerOf>> & {};

/** Reads an enabled provider by its key, by the digest of its directory's token, or by a domain of emails that it has proved. */
export async function providerOf(db: Kysely<Database>, by: { key: string } | { domain: string } | { token: Buffer }) {
  const row = await db
    .selectFrom('identity_provider as p')
    .select(columns)
    .where('p.enabled', '=', true)
    .where((eb) =>
      'key' in by
        ? eb('p.key', '=', by.key)
        : 'token' in by
          ? eb('p.provisioning_digest', '=', by.token)
          : eb.exists(
              eb
                .selectFrom('identity_domain as d')
                .select('d.id')
                .whereRef('d.identity_provider_id', '=', 'p.id')
                .where('d.domain', '=', by.domain)
                .where('d.proved_at', 'is not', null),
            ),
    )
    .executeTakeFirst();
  return row && { ...row, role_rules: row.role_rules as unknown as readonly RoleRule[] };
}

/** Opens the secret of a registration; null if it has none. */
export function secretOf(
  config: ConnectedConfig,
  { id, client_secret_sealed }: { id: number; client_secret_sealed: string | null },
): string | null {
  return client_secret_sealed === null ? null : open(secretKey(config), client_secret_sealed, clientSecretContext(id));
}

/** Addresses of a provider at our console: that of the tenant whose people it signs in. */
export interface Addresses {
  /** Address of the console without a slash at the end. */
  home: string;
  redirect_url: string;
  sign_in_url: string;
  logout_url: string;
  /** Our name at a provider of SAML, which is the address of our metadata. */
  entity_id: string;
  /** Address to which a provider of SAML sends its responses. */
  acs_url: string;
}

/** Answers the addresses by which a provider knows us. */
export async function addressesOf(
  db: Kysely<Database>,
  config: ConnectedConfig,
  { key, corporation_id }: { key: string; corporation_id: number | null },
): Promise<Addresses> {
  const { url } = await brandOf(db, config, corporation_id);
  return {
    home: url,
    redirect_url: `${url}/sso/${key}`,
    sign_in_url: `${url}/sso/${key}`,
    logout_url: `${url}/api/v1/sso/${key}/logout`,
    entity_id: `${url}/api/v1/sso/${key}/metadata`,
    acs_url: `${url}/api/v1/sso/${key}/acs`,
  };
}
