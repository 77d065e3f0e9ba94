import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import {
  type explainNetwork,
  network,
  type networkVersions,
  type restoreNetworkVersion,
} from '@heliograph/contract/networks/network';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';

/** Sets all prefixes of networks as one version. Throws if a prefix belongs to another network. */
export async function setPrefixes(
  db: Kysely<Database>,
  wanted: Readonly<Record<number, readonly string[]>>,
  source: 'form' | 'upload',
  userId: number | null,
): Promise<number | null> {
  const { rows } = await sql<{ version: number | null }>`
    SELECT set_network_prefixes(${JSON.stringify(wanted)}::jsonb, ${source}, ${userId}) AS version`.execute(db);
  return rows[0]!.version;
}

const stored = tableStore(network, {
  table: 'network',
  from: 'network_row',
  searched: ['label'],
  apart: {
    fields: ['prefixes'],
    async save(db, id, { prefixes }) {
      if (prefixes === undefined) return;
      const wanted = prefixes as string[];
      const { rows } = await sql<{ prefix: string; label: string }>`
        SELECT x AS prefix, r.label FROM network_row r, unnest(r.prefixes) x
        WHERE r.id <> ${id} AND r.prefixes && ${wanted}::text[] AND x = ANY (${wanted}::text[]) LIMIT 1`.execute(db);
      if (rows[0]) throw fieldError('prefixes', 'network_prefix_taken');
      const { rows: by } = await sql<{ id: number | null }>`SELECT scope_user() AS id`.execute(db);
      await setPrefixes(db, { [id]: wanted }, 'form', by[0]?.id ?? null);
    },
  },
});

type Codes = { mcc?: string | null | undefined; mnc?: string | null | undefined; other_codes?: string[] | undefined };

/** Throws if only one of both codes is given, or if another network has a code. */
async function checkCodes(
  ctx: Context,
  id: number,
  { mcc = null, mnc = null, other_codes = [] }: Codes,
): Promise<void> {
  if ((mcc === null) !== (mnc === null)) throw fieldError(mcc === null ? 'mcc' : 'mnc', 'required');
  const codes = mcc === null ? other_codes : [`${mcc}-${mnc}`, ...other_codes];
  if (codes.length === 0) return;
  const { rows } = await sql<{ taken: string }>`
    SELECT code AS taken FROM network n, unnest(n.other_codes || coalesce(n.mcc || '-' || n.mnc, '')) code
    WHERE n.id <> ${id} AND code = ANY (${codes}::text[]) LIMIT 1`.execute(ctx.db);
  if (!rows[0]) return;
  if (rows[0].taken === `${mcc}-${mnc}`) throw new BusinessError('network_code_taken');
  throw fieldError('other_codes', 'network_code_taken');
}

/** Networks with their prefixes, which have versions. */
export const networks: ResourceHandlers<typeof network> = {
  ...stored,
  // Names help more than the order in which two thousand networks were added.
  list: (ctx, call) => stored.list(ctx, { ...call, query: { ...call.query, sort: call.query.sort ?? 'label' } }),
  async create(ctx, call) {
    await checkCodes(ctx, 0, call.body);
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, call);
    const { mcc = before.mcc, mnc = before.mnc, other_codes = before.other_codes } = call.body;
    await checkCodes(ctx, before.id, { mcc, mnc, other_codes });
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, call);
    // Later editions of the shipped table would bring it back.
    if (data.shipped) throw new BusinessError('has_dependencies');
    await setPrefixes(ctx.db, { [data.id]: [] }, 'form', ctx.caller.user_id);
    return stored.remove(ctx, call);
  },
};

/** Tells the network of a number by its prefix, and by a lookup if one is known. */
export const explain: Handler<typeof explainNetwork> = async (ctx, { query }) => {
  const { msisdn, fault } = checkNumber(query.number, await readNumberRules(ctx.db));
  if (fault) throw fieldError('number', fault);
  const { rows } = await sql<{ id: number; label: string; prefix: string }>`
    SELECT r.id, r.label, x AS prefix FROM network_row r, unnest(r.prefixes) x
    WHERE starts_with(${msisdn}, x) ORDER BY length(x) DESC LIMIT 1`.execute(ctx.db);
  const { rows: said } = await sql<{ label: string | null; dead: boolean; source: string; looked_up_at: string }>`
    SELECT r.label, l.dead, s.name AS source, l.looked_up_at FROM number_lookup l
    JOIN number_source s ON s.id = l.number_source_id LEFT JOIN network_row r ON r.id = l.network_id
    WHERE l.msisdn = ${msisdn} AND EXISTS (SELECT FROM looked_up(ARRAY[${msisdn}]))`.execute(ctx.db);
  return { data: { number: msisdn, by_prefix: rows[0] ?? null, by_lookup: said[0] ?? null } };
};

/** Returns the version in a cursor. Throws `malformed_request`. */
function versionOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  return Number(cursor);
}

/** Lists versions, newest first. */
export const listVersions: Handler<typeof networkVersions> = async ({ db }, { query }) => {
  const rows = await db
    .selectFrom('network_version_row')
    .select(['id', 'in_force_at', 'source', 'user_name', 'networks', 'added', 'removed'])
    .$if(query.cursor !== undefined, (q) => q.where('id', '<', versionOf(query.cursor!)))
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .$castTo<Awaited<ReturnType<Handler<typeof networkVersions>>>['data'][number]>()
    .execute();
  const data = rows.slice(0, query.limit);
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
};

/** Sets all prefixes back to those of a version. */
export const restoreVersion: Handler<typeof restoreNetworkVersion> = async (ctx, { params }) => {
  const { rows } = await sql<{ version: number | null }>`
    SELECT set_network_prefixes((
      SELECT jsonb_object_agg(n.id, to_jsonb(coalesce(p.prefixes, '{}'))) FROM network n LEFT JOIN network_prefix p
        ON p.network_id = n.id AND p.from_version <= v.version AND (p.to_version IS NULL OR p.to_version > v.version)
    ), 'form', ${ctx.caller.user_id}) AS version FROM network_version v WHERE v.version = ${params.id}`.execute(ctx.db);
  if (!rows[0]) throw new BusinessError('not_found');
  const version = rows[0].version ?? params.id;
  await audit(ctx, {
    name: network.name,
    description: 'version_restored',
    subject_type: network.name,
    subject_id: null,
    after: { restored: params.id, version },
  });
  return { data: { version }, message: translate(ctx.locale, 'networks.restored', { version: params.id }) };
};
