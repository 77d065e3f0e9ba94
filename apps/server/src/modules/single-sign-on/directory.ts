import { randomBytes } from 'node:crypto';
import type { endDirectory, showDirectory, startDirectory } from '@heliograph/contract/single-sign-on/directory';
import { sql } from 'kysely';
import type { Identity } from '#modules/identity';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { ownProvider, providers } from './providers.ts';
import { addressesOf } from './read-provider.ts';
import { SCIM_PATH, tokenDigest } from './scim-routes.ts';

const SHOWN = 9;

async function urlOf(identity: Identity, ctx: Context, id: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('identity_provider')
    .select(['key', 'corporation_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return `${(await addressesOf(identity.authDb, ctx.config, row)).home}${SCIM_PATH}`;
}

/** Shows the directory of a provider. */
export const show =
  (identity: Identity): Handler<typeof showDirectory> =>
  async (ctx, { params: { id } }) => {
    const { data: provider } = await providers.get(ctx, { params: { id }, query: {}, body: {} });
    const { rows } = await sql<{ prefix: string | null; called_at: string | null; people: number }>`
    SELECT p.provisioning_prefix AS prefix, p.provisioned_at AS called_at,
      (SELECT count(*)::integer FROM directory_person d WHERE d.identity_provider_id = p.id AND d.removed_at IS NULL) AS people
    FROM identity_provider p WHERE p.id = ${id}`.execute(ctx.db);
    const { rows: groups } = await sql<{ id: number; name: string; people: number }>`
    SELECT g.id, g.display_name AS name,
      (SELECT count(*)::integer FROM directory_member m WHERE m.directory_group_id = g.id) AS people
    FROM directory_group g WHERE g.identity_provider_id = ${id} ORDER BY lower(g.display_name), g.id LIMIT 1000`.execute(
      ctx.db,
    );
    const roles = await ctx.db.selectFrom('role').select(['id', 'name']).execute();
    const roleOf = (group: string) => {
      const rule = provider.role_rules.find((each) => each.group === group);
      return roles.find(({ id }) => id === rule?.role_id)?.name ?? null;
    };
    return {
      data: {
        ...rows[0]!,
        url: await urlOf(identity, ctx, id),
        groups: groups.map((group) => ({ ...group, role_name: roleOf(group.name) })),
      },
    };
  };

/** Makes the token of a directory, and ends the one before. */
export const start =
  (identity: Identity): Handler<typeof startDirectory> =>
  async (ctx, { params: { id } }) => {
    const { corporation_id } = await ownProvider(ctx, id);
    const token = `hd_${randomBytes(32).toString('base64url')}`;
    await ctx.db
      .updateTable('identity_provider')
      .set({ provisioning_digest: tokenDigest(token), provisioning_prefix: token.slice(0, SHOWN) })
      .where('id', '=', id)
      .execute();
    await told(ctx, id, corporation_id, 'directory token made');
    return {
      data: { token, url: await urlOf(identity, ctx, id) },
      message: translate(ctx.locale, 'sign_on.directory_started'),
    };
  };

/** Ends the token of a directory. */
export const end: Handler<typeof endDirectory> = async (ctx, { params: { id } }) => {
  const { corporation_id } = await ownProvider(ctx, id);
  const { numUpdatedRows } = await ctx.db
    .updateTable('identity_provider')
    .set({ provisioning_digest: null, provisioning_prefix: null })
    .where('id', '=', id)
    .where('provisioning_digest', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await told(ctx, id, corporation_id, 'directory token ended');
  return { message: translate(ctx.locale, 'sign_on.directory_ended') };
};

const told = (ctx: Context, subject_id: number, corporation_id: number | null, description: string) =>
  audit(ctx, {
    name: 'identity-providers',
    description,
    subject_type: 'identity-providers',
    subject_id,
    corporation_id,
  });
