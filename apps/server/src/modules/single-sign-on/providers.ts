import { identityProvider } from '@heliograph/contract/single-sign-on/identity-provider';
import { type Kysely, sql } from 'kysely';
import { requireReader } from '#platform/access/hidden-texts';
import { requireVisible } from '#platform/access/visible';
import type { Caller, Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { seal, secretKey } from '#platform/process/seal';
import { tableStore } from '#platform/records/table-store';
import { certificatesIn, makeOwnKey } from './own-certificate.ts';
import { checkEmergency, checkRoles } from './provider-rules.ts';
import { clientSecretContext, ownKeyContext } from './read-provider.ts';

/** Row of a provider, as its caller sees it. */
export type ProviderRow = Awaited<ReturnType<ResourceHandlers<typeof identityProvider>['get']>>['data'];

/**
 * Tells if a caller may change a provider. It can sign in as everybody of its corporation: nobody below the whole
 * corporation may, and for the platform's own people only who stands above all of them.
 */
const owns = ({ scope_level }: Caller, { corporation_id }: Pick<ProviderRow, 'corporation_id'>): boolean =>
  corporation_id === null ? scope_level === 0 : scope_level <= 2;

const stored = tableStore(identityProvider, {
  table: 'identity_provider',
  from: 'identity_provider_row',
  searched: ['name', 'corporation_name', 'domains'],
  apart: { fields: ['domains'], save: (db, id, { domains }) => saveDomains(db, id, domains as string[] | undefined) },
  may(row, caller) {
    const own = owns(caller, row);
    return { edit: own, delete: own };
  },
});

/** Makes the domains of a provider these. Those that stay keep their proof. */
async function saveDomains(db: Kysely<Database>, id: number, domains: readonly string[] | undefined): Promise<void> {
  if (domains === undefined) return;
  await sql`DELETE FROM identity_domain WHERE identity_provider_id = ${id} AND domain <> ALL (${[...domains]}::text[])`.execute(
    db,
  );
  await sql`INSERT INTO identity_domain (identity_provider_id, domain)
    SELECT ${id}, unnest(${[...new Set(domains)]}::text[]) ON CONFLICT (identity_provider_id, domain) DO NOTHING`.execute(
    db,
  );
}

/** Finds a provider that the caller may change. Throws `not_found` and `forbidden`. */
export async function ownProvider(ctx: Context, id: number): Promise<ProviderRow> {
  const { data } = await stored.get(ctx, { params: { id }, query: {}, body: {} });
  requireOwner(ctx, data);
  return data;
}

function requireOwner(ctx: Context, row: Pick<ProviderRow, 'corporation_id'>): void {
  if (!owns(ctx.caller, row)) throw new BusinessError('forbidden');
  // Somebody who signs in as a person who reads texts would read them too.
  requireReader(ctx, 'name');
}

/** Answers the corporation of a new provider: a tenant's own if none is named. */
async function ownerOf(ctx: Context, asked: number | null): Promise<number | null> {
  const { caller } = ctx;
  const corporation_id = asked ?? caller.corporation_id;
  if (corporation_id !== null && corporation_id !== caller.corporation_id)
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
  requireOwner(ctx, { corporation_id });
  return corporation_id;
}

const NEEDED = { oidc: ['issuer', 'client_id'], saml: ['entity_id', 'sso_url', 'certificates'] } as const;

type Registration = Pick<ProviderRow, 'protocol' | (typeof NEEDED)[keyof typeof NEEDED][number]>;

/** Throws if a field is missing that the protocol needs, or a certificate cannot be used. */
function checkRegistration(wanted: Registration): void {
  for (const field of NEEDED[wanted.protocol]) if (!wanted[field]) throw fieldError(field, 'required');
  if (wanted.protocol === 'saml' && !certificatesIn(wanted.certificates ?? ''))
    throw fieldError('certificates', 'certificates');
}

/** Gives a provider of SAML our own key, sealed for its row. */
async function addOwnKey(ctx: Context, id: number): Promise<void> {
  const { private_key, certificate } = await makeOwnKey('single sign-on', ctx.clock.now());
  const own_key_sealed = seal(secretKey(ctx.config), private_key, ownKeyContext(id));
  await ctx.db
    .updateTable('identity_provider')
    .set({ own_key_sealed, own_certificate: certificate })
    .where('id', '=', id)
    .execute();
}

async function setSecret(ctx: Context, id: number, secret: string | null | undefined): Promise<void> {
  if (secret === undefined) return;
  const client_secret_sealed = secret === null ? null : seal(secretKey(ctx.config), secret, clientSecretContext(id));
  await ctx.db.updateTable('identity_provider').set({ client_secret_sealed }).where('id', '=', id).execute();
}

/** Makes a body fit the table: rules are stored as JSON. */
const columnsOf = <Body extends { role_rules?: unknown }>(body: Body): Body =>
  body.role_rules === undefined ? body : { ...body, role_rules: JSON.stringify(body.role_rules) };

/** Identity providers. The secret can be set and is never answered. */
export const providers: ResourceHandlers<typeof identityProvider> = {
  ...stored,
  async create(ctx, { params, query, body: { client_secret, ...body } }) {
    const corporation_id = await ownerOf(ctx, body.corporation_id);
    const wanted = { ...body, corporation_id };
    checkRegistration(wanted);
    await checkRoles(ctx, wanted);
    await checkEmergency(ctx, wanted);
    const made = await stored.create(ctx, { params, query, body: columnsOf(wanted) as never });
    await setSecret(ctx, made.data.id, client_secret);
    if (body.protocol === 'saml') await addOwnKey(ctx, made.data.id);
    return { ...made, ...(await stored.get(ctx, { params: { id: made.data.id }, query: {}, body: {} })) };
  },
  async update(ctx, { params, query, body: { client_secret, ...body } }) {
    const before = await ownProvider(ctx, params.id);
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const wanted: ProviderRow = { ...before, ...given };
    checkRegistration(wanted);
    if (['role_rules', 'role_id', 'department_id'].some((field) => field in given)) await checkRoles(ctx, wanted);
    if ('enforced' in given || 'break_glass_ids' in given) await checkEmergency(ctx, wanted);
    const moved = wanted.issuer !== before.issuer || wanted.entity_id !== before.entity_id;
    // The secret of one provider is not sent to another.
    if (moved && before.has_client_secret && client_secret === undefined)
      throw fieldError('client_secret', 'client_secret_again');
    // The same subject of another provider is another person.
    if (moved) await ctx.db.deleteFrom('external_identity').where('identity_provider_id', '=', params.id).execute();
    await setSecret(ctx, params.id, client_secret);
    return stored.update(ctx, { params, query, body: columnsOf(body) as never });
  },
  async remove(ctx, call) {
    await ownProvider(ctx, call.params.id);
    return stored.remove(ctx, call);
  },
};
