import {
  type countSegment as countOperation,
  SEGMENT_SAMPLE,
  type sampleSegment as sampleOperation,
  segment,
  type segmentUse as useOperation,
} from '@heliograph/contract/audience/segment';
import { type SegmentRule, segmentRule } from '@heliograph/contract/audience/segment-rule';
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { type KnownRule, knowRules } from './segment-scope.ts';

/** Time after which a count or a sample ends without an answer, in milliseconds. */
const MOST_MS = 15_000;
/** Code of PostgreSQL for a statement that took too long. */
const TOOK_TOO_LONG = '57014';

/** Segments with the name of their corporation. The parts that depend on the caller are looked up for each answer. */
const ROWS = sql`(SELECT s.id, s.corporation_id, c.name AS corporation_name, s.name, s.rule, s.created_at, s.updated_at,
    '{"fields": {}, "lists": {}, "campaigns": {}}'::jsonb AS names, '[]'::jsonb AS lacks
  FROM segment s JOIN corporation c ON c.id = s.corporation_id)`.as('segment_row');
const stored = tableStore(segment, { table: 'segment', from: ROWS as AliasedRawBuilder<unknown, string> });

/** Returns a rule with what the caller sees of it. */
export async function knowRule(ctx: Context, corporationId: number, rule: SegmentRule): Promise<KnownRule> {
  const [known] = await knowRules(ctx.db, corporationId, [rule], ctx.clock.now(), ctx.caller);
  return known!;
}

/** Refuses a rule that needs a record that the caller does not have. */
async function requireWhole(ctx: Context, corporationId: number, rule: SegmentRule): Promise<void> {
  const { lacks } = await knowRule(ctx, corporationId, rule);
  if (lacks.length > 0) throw fieldError('rule', `segment_lacks_${lacks[0]!.kind}`);
}

type Row = { corporation_id: number; rule: unknown };

/** Adds to rows of one or more corporations what their rules refer to. */
async function withNames<R extends Row>(ctx: Context, rows: readonly R[]): Promise<R[]> {
  const found: R[] = [...rows];
  for (const corporationId of new Set(rows.map(({ corporation_id }) => corporation_id))) {
    const places = [...rows.keys()].filter((at) => rows[at]!.corporation_id === corporationId);
    const rules = places.map((at) => readRule(rows[at]!.rule));
    const known = await knowRules(ctx.db, corporationId, rules, ctx.clock.now(), ctx.caller);
    for (const [at, place] of places.entries())
      found[place] = { ...rows[place]!, rule: rules[at]!, names: known[at]!.names, lacks: known[at]!.lacks };
  }
  return found;
}

/** Reads a stored rule, with the defaults of later releases. */
export const readRule = (rule: unknown): SegmentRule => segmentRule.parse(rule) as SegmentRule;

/** Segments of a corporation. People of all its departments see them; lists and campaigns in them stay as visible as they are. */
export const segments: ResourceHandlers<typeof segment> = {
  ...stored,
  async list(ctx, call) {
    const { data, meta } = await stored.list(ctx, call);
    return { data: await withNames(ctx, data), meta };
  },
  async get(ctx, call) {
    const { data } = await stored.get(ctx, call);
    const [row] = await withNames(ctx, [data]);
    return { data: row! };
  },
  async create(ctx, call) {
    const { corporation_id, rule } = call.body;
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    await requireWhole(ctx, corporation_id, rule as SegmentRule);
    const { data, message } = await stored.create(ctx, { ...call, body: storedBody(call.body) });
    const [row] = await withNames(ctx, [data]);
    return { data: row!, ...(message !== undefined && { message }) };
  },
  async update(ctx, call) {
    const { rule } = call.body;
    const { data: before } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    if (rule) await requireWhole(ctx, before.corporation_id, rule as SegmentRule);
    const updated_at = ctx.clock.now().toISOString();
    const body = Object.keys(call.body).length === 0 ? {} : { ...storedBody(call.body), updated_at };
    const { data, message } = await stored.update(ctx, { ...call, body });
    const [row] = await withNames(ctx, [data]);
    return { data: row!, ...(message !== undefined && { message }) };
  },
};

/** Returns a body with its rule as the document that is stored. */
const storedBody = <Body extends { rule?: unknown }>(body: Body): Body =>
  body.rule === undefined ? body : { ...body, rule: JSON.stringify(body.rule) };

/** Runs a query that ends after a while. Throws `segment_too_large` if it did not finish. */
async function inTime<Found>(ctx: Context, query: RawBuilder<Found>): Promise<Found[]> {
  await sql`SELECT set_config('statement_timeout', ${String(MOST_MS)}, true)`.execute(ctx.db);
  const { rows } = await query.execute(ctx.db).catch((error: unknown) => {
    const late = (error as { code?: string }).code === TOOK_TOO_LONG;
    throw late ? new BusinessError('segment_too_large', { cause: error }) : error;
  });
  return rows;
}

/** Counts the contacts of a corporation that a condition finds. */
export async function countContacts(ctx: Context, where: RawBuilder<boolean>): Promise<number> {
  const [found] = await inTime(
    ctx,
    sql<{ contacts: number }>`SELECT count(*) AS contacts FROM contact n WHERE ${where}`,
  );
  return found!.contacts;
}

/** Returns the newest contacts that a condition finds. */
export const firstContacts = (ctx: Context, where: RawBuilder<boolean>, most: number) =>
  inTime(
    ctx,
    sql<{ id: number; number: string; name: string | null; tags: string[] }>`SELECT n.id, n.number, n.name, n.tags
      FROM contact n WHERE ${where} ORDER BY n.id DESC LIMIT ${most}::integer`,
  );

/** Counts the contacts that a rule finds, and all of the corporation. */
export const countSegment: Handler<typeof countOperation> = async (ctx, { body }) => {
  requirePermission(ctx.caller, 'contacts-index');
  await requireVisible(ctx, 'corporation', body.corporation_id, 'corporation_id');
  const { where, names, lacks } = await knowRule(ctx, body.corporation_id, body.rule as SegmentRule);
  const all = await countContacts(ctx, sql`n.corporation_id = ${body.corporation_id}`);
  const contacts = lacks.length > 0 ? 0 : await countContacts(ctx, where);
  return { data: { contacts, all, names, lacks } };
};

/** Returns the newest contacts that a rule finds. */
export const sampleSegment: Handler<typeof sampleOperation> = async (ctx, { body }) => {
  requirePermission(ctx.caller, 'contacts-index');
  await requireVisible(ctx, 'corporation', body.corporation_id, 'corporation_id');
  const { where } = await knowRule(ctx, body.corporation_id, body.rule as SegmentRule);
  const data = await firstContacts(ctx, where, SEGMENT_SAMPLE);
  return { data };
};

/** Counts the drafts and waiting campaigns that use a segment. Drafts of other people count, but are not shown. */
export const countSegmentUse: Handler<typeof useOperation> = async (ctx, { params }) => {
  const { data } = await stored.get(ctx, { params, query: {}, body: {} });
  const used = sql`content -> 'segment_ids' @> ${JSON.stringify([data.id])}::jsonb`;
  const { rows } = await sql<{ drafts: number; campaigns: number }>`SELECT
    (SELECT count(*) FROM campaign_draft WHERE ${used}) AS drafts,
    (SELECT count(*) FROM campaign WHERE corporation_id = ${data.corporation_id} AND state IN ('pending', 'scheduled', 'preparing')
      AND ${used}) AS campaigns`.execute(ctx.db);
  return { data: rows[0]! };
};

/** Returns the names of the segments of a corporation whose rules compare a field. */
export async function segmentsWithField(
  { db }: Pick<Context, 'db'>,
  corporationId: number,
  fieldId: number,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM segment WHERE corporation_id = ${corporationId}
    AND jsonb_path_exists(rule, '$.**.field_id ? (@ == $id)', ${JSON.stringify({ id: fieldId })}::jsonb)
    ORDER BY name LIMIT 20`.execute(db);
  return rows.map(({ name }) => name);
}
