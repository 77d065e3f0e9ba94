import { journey } from '@heliograph/contract/journeys/journey';
import type { JourneyDefinition } from '@heliograph/contract/journeys/journey-definition';
import { type AliasedRawBuilder, sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { knowNames, missing, readDefinition } from './definition.ts';
import { requireHeard } from './keywords.ts';
import { withTextFields } from './texts.ts';

/** Journeys with the names of other records. Names that depend on the caller are looked up for each answer. */
const ROWS =
  sql`(SELECT j.id, j.corporation_id, c.name AS corporation_name, c.currency, j.name, j.budget, j.spent, j.definition,
    j.state, j.pause_reason, v.number AS version, v.definition IS DISTINCT FROM j.definition AS changed, j.entered,
    u.name AS created_by_name, j.created_at, j.updated_at, '{"segments": {}, "fields": {}, "senders": {}, "campaigns": {}}'::jsonb AS names
  FROM journey j JOIN corporation c ON c.id = j.corporation_id LEFT JOIN journey_version v ON v.id = j.version_id
  LEFT JOIN user_account u ON u.id = j.created_by)`.as('journey_row');

export const stored = tableStore(journey, { table: 'journey', from: ROWS as AliasedRawBuilder<unknown, string> });
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

/** Adds to journeys the names of what they refer to, as far as the caller sees it. */
export async function withNames(ctx: Context, rows: readonly Row[]): Promise<Row[]> {
  const found: Row[] = [];
  for (const row of rows) {
    const definition = readDefinition(row.definition);
    const names = await knowNames(ctx.db, row.corporation_id, [definition]);
    found.push({ ...row, definition, names });
  }
  return found;
}

/** Returns one journey with its names. Throws `not_found`. */
export async function findJourney(ctx: Context, id: number): Promise<Row> {
  const { data } = await stored.get(ctx, { params: { id }, query: {}, body: {} });
  const [row] = await withNames(ctx, [data]);
  return row!;
}

/**
 * Returns a definition as it is stored. Throws on `definition` if it refers to a segment, field, sender ID or campaign that the
 * caller does not see.
 */
async function checked(
  ctx: Context,
  corporationId: number,
  given: unknown,
  before?: unknown,
): Promise<JourneyDefinition> {
  const definition = await withTextFields(
    ctx,
    corporationId,
    readDefinition(given),
    before === undefined ? undefined : readDefinition(before),
  );
  const names = await knowNames(ctx.db, corporationId, [definition]);
  const { segments, fields, senders, campaigns } = missing(definition, names);
  if (segments) throw fieldError('definition', 'journey_lacks_segment');
  if (fields) throw fieldError('definition', 'journey_lacks_field');
  if (senders) throw fieldError('definition', 'journey_lacks_sender');
  if (campaigns) throw fieldError('definition.trigger.campaign_id', 'journey_lacks_campaign');
  if (definition.trigger.on === 'keyword') await requireHeard(ctx, corporationId, definition.trigger);
  return definition;
}

/** Returns the body with its definition as the document that is stored. */
const storedBody = <Body extends { definition?: unknown }>(body: Body): Body =>
  body.definition === undefined ? body : { ...body, definition: JSON.stringify(body.definition) };

/** Journeys of a corporation; people of a department see those of their department. */
export const journeys: ResourceHandlers<typeof journey> = {
  ...stored,
  async list(ctx, call) {
    const { data, meta } = await stored.list(ctx, call);
    return { data: await withNames(ctx, data), meta };
  },
  async get(ctx, call) {
    return { data: await findJourney(ctx, call.params.id) };
  },
  async create(ctx, call) {
    const { corporation_id } = call.body;
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    const definition = await checked(ctx, corporation_id, call.body.definition);
    const { caller } = ctx;
    const department_id = caller.corporation_id === corporation_id ? caller.department_id : null;
    const given = storedBody({ ...call.body, definition });
    const body = { ...given, department_id, created_by: caller.user_id } as typeof call.body;
    const { data, message } = await stored.create(ctx, { ...call, body });
    const [row] = await withNames(ctx, [data]);
    return { data: row!, ...(message !== undefined && { message }) };
  },
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    const given = call.body.definition;
    const definition = given && (await checked(ctx, before.corporation_id, given, before.definition));
    const updated_at = ctx.clock.now().toISOString();
    const changes = storedBody({ ...call.body, ...(definition && { definition }) });
    const body = Object.keys(changes).length === 0 ? {} : { ...changes, updated_at };
    const { data, message } = await stored.update(ctx, { ...call, body });
    const [row] = await withNames(ctx, [data]);
    return { data: row!, ...(message !== undefined && { message }) };
  },
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    if (data.state === 'running' || data.state === 'paused') throw new BusinessError('journey_runs');
    return stored.remove(ctx, call);
  },
};
