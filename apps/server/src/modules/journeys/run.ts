import type { JourneyState, startJourney } from '@heliograph/contract/journeys/journey';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { tellWork } from '#platform/jobs/work-watch';
import { knowNames, missing, readDefinition } from './definition.ts';
import { findJourney, stored } from './journeys.ts';

type Action = Handler<typeof startJourney>;

interface Locked {
  id: number;
  corporation_id: number;
  state: JourneyState;
  definition: unknown;
  version_id: number | null;
}

/** Locks a journey that the caller sees; a batch that is under way ends first. Throws `not_found`. */
async function lock(ctx: Context, id: number): Promise<Locked> {
  const { data } = await stored.get(ctx, { params: { id }, query: {}, body: {} });
  const { rows } = await sql<Locked>`SELECT id, corporation_id, state, definition, version_id FROM journey
    WHERE id = ${data.id} FOR UPDATE`.execute(ctx.db);
  if (!rows[0]) throw new BusinessError('not_found');
  return rows[0];
}

/** Makes the handler of an action that changes the state of a journey. */
function action(
  from: readonly JourneyState[],
  description: string,
  change: (ctx: Context, journey: Locked) => Promise<void>,
): Action {
  return async (ctx, { params }) => {
    const journey = await lock(ctx, params.id);
    if (!from.includes(journey.state)) throw new BusinessError('invalid_transition');
    await change(ctx, journey);
    const data = await findJourney(ctx, journey.id);
    await audit(ctx, {
      name: 'journeys',
      description,
      subject_type: 'journeys',
      subject_id: journey.id,
      corporation_id: journey.corporation_id,
      before: { state: journey.state, version_id: journey.version_id },
      after: { state: data.state, version: data.version },
    });
    await tellWork(ctx.db);
    return { data };
  };
}

/**
 * Stores the definition as a new version with the rules of its segments, unless it is that of the version in force. The
 * messages then have the rights of the caller, and their account pays.
 */
async function publish(ctx: Context, journey: Locked): Promise<void> {
  const { db, caller, clock } = ctx;
  if (caller.corporation_id !== journey.corporation_id) throw new BusinessError('journey_own_people');
  const definition = readDefinition(journey.definition);
  if (definition.steps.length === 0) throw new BusinessError('journey_empty');
  const names = await knowNames(db, journey.corporation_id, [definition]);
  if (Object.values(missing(definition, names)).includes(true)) throw new BusinessError('journey_incomplete');
  const account = await payerOf(ctx, journey.corporation_id);
  const rules = await rulesOf(db, Object.keys(names.segments).map(Number));
  const { rows } = await sql<{ id: number }>`
    WITH same AS (
      SELECT v.id FROM journey_version v WHERE v.id = ${journey.version_id}::bigint
        AND v.definition = ${JSON.stringify(definition)}::jsonb AND v.rules = ${JSON.stringify(rules)}::jsonb
    ), made AS (
      INSERT INTO journey_version (journey_id, corporation_id, number, definition, rules, published_by, created_at)
      SELECT ${journey.id}, ${journey.corporation_id},
        coalesce((SELECT max(number) FROM journey_version WHERE journey_id = ${journey.id}), 0) + 1,
        ${JSON.stringify(definition)}::jsonb, ${JSON.stringify(rules)}::jsonb, ${caller.user_id}, ${clock.now().toISOString()}
      WHERE NOT EXISTS (SELECT FROM same) RETURNING id
    ) SELECT id FROM same UNION ALL SELECT id FROM made`.execute(db);
  await sql`UPDATE journey SET version_id = ${rows[0]!.id}, definition = ${JSON.stringify(definition)}::jsonb,
    run_by = ${caller.user_id}, billing_account_id = ${account} WHERE id = ${journey.id}`.execute(db);
}

/** Returns the account that pays: the caller's own, otherwise the first enabled one of the corporation. */
async function payerOf({ db, caller }: Context, corporationId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM billing_account WHERE corporation_id = ${corporationId}
    AND (id = ${caller.billing_account_id}::bigint OR enabled)
    ORDER BY (id = ${caller.billing_account_id}::bigint) IS TRUE DESC, id LIMIT 1`.execute(db);
  if (!rows[0]) throw new BusinessError('billing_account_missing');
  return rows[0].id;
}

async function rulesOf(db: Kysely<Database>, ids: readonly number[]): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ id: number; rule: unknown }>`SELECT id, rule FROM segment
    WHERE id = ANY (${ids}::bigint[]) ORDER BY id`.execute(db);
  return Object.fromEntries(rows.map(({ id, rule }) => [String(id), rule]));
}

const setState = (ctx: Context, id: number, state: JourneyState, reason: 'person' | null = null) =>
  sql`UPDATE journey SET state = ${state}, pause_reason = ${reason} WHERE id = ${id}`.execute(ctx.db);

/** Starts a journey that has not begun or was stopped. People who enter by a date do so from now on. */
export const start = action(['draft', 'stopped'], 'begun', async (ctx, journey) => {
  const { rows } = await sql`SELECT FROM journey_person WHERE journey_id = ${journey.id} AND due_at IS NOT NULL
    LIMIT 1`.execute(ctx.db);
  if (rows.length > 0) throw new BusinessError('journey_ending');
  await publish(ctx, journey);
  await sql`UPDATE journey SET looked_at = CASE WHEN definition -> 'trigger' ->> 'on' = 'date'
    THEN ${ctx.clock.now().toISOString()}::timestamptz END WHERE id = ${journey.id}`.execute(ctx.db);
  await setState(ctx, journey.id, 'running');
});

/** Publishes the changed definition of a journey that has begun. */
export const publishChanges = action(['running', 'paused'], 'published', publish);

/** Pauses a journey: nobody enters, and its people stay where they are. */
export const pause = action(['running'], 'paused', async (ctx, { id }) => {
  await setState(ctx, id, 'paused', 'person');
});

/** Lets a paused journey go on, with the rights of the caller. Steps that are due are done now. */
export const resume = action(['paused'], 'resumed', async (ctx, journey) => {
  const { caller, db } = ctx;
  if (caller.corporation_id !== journey.corporation_id) throw new BusinessError('journey_own_people');
  const account = await payerOf(ctx, journey.corporation_id);
  await sql`UPDATE journey SET run_by = ${caller.user_id}, billing_account_id = ${account}
    WHERE id = ${journey.id}`.execute(db);
  await setState(ctx, journey.id, 'running');
});

/** Stops a journey. A worker ends it for everybody who is under way. */
export const stop = action(['running', 'paused'], 'stopped', async (ctx, { id }) => {
  await setState(ctx, id, 'stopped');
});
