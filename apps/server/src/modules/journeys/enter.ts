import type { SegmentRule } from '@heliograph/contract/audience/segment-rule';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { knowRules } from '#modules/audience';
import type { Database } from '#platform/database/db';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { dateIn } from '#platform/records/period';
import { versionOf } from './definition.ts';
import { pauseJourney } from './pause.ts';
import { momentOf } from './wait.ts';

/** Maximum people who enter in one transaction. */
const AT_ONCE = 20_000;
/** Days before today whose people still enter, after nobody has looked for a while. */
const DAYS_BACK = 2;
const DAY_MS = 86_400_000;

interface Entering {
  id: number;
  corporation_id: number;
  looked_at: string | null;
  timezone: string;
  version_id: number;
  definition: unknown;
  rules: Record<string, unknown>;
}

type Worker = Pick<WorkerContext, 'database' | 'clock'>;

/**
 * Lets the people enter that the trigger of a journey finds now. Returns how many there were. It may be ended at any
 * moment: the next look goes on.
 */
export async function enterFound({ database, clock }: Worker, journeyId: number, signal: AbortSignal): Promise<number> {
  const now = clock.now();
  const { rows } =
    await sql<Entering>`SELECT j.id, j.corporation_id, j.looked_at, c.timezone, v.id AS version_id, v.definition, v.rules
    FROM journey j JOIN corporation c ON c.id = j.corporation_id JOIN journey_version v ON v.id = j.version_id
    WHERE j.id = ${journeyId} AND j.state = 'running'`.execute(database);
  const [journey] = rows;
  if (!journey) return 0;
  let entered = 0;
  for (const where of await conditionsOf(database, journey, now)) {
    if (where === null) {
      await pauseJourney(database, journeyId, 'segment');
      return entered;
    }
    for (let more = AT_ONCE; more === AT_ONCE; entered += more) {
      if (signal.aborted) return entered;
      more = await database.transaction().execute((db) => enter(db, journey, where, now));
    }
  }
  await sql`UPDATE journey SET looked_at = ${now.toISOString()} WHERE id = ${journeyId}`.execute(database);
  return entered;
}

/** Returns the conditions for rows `n` of contact who enter now; null for one whose segment or field is gone. */
async function conditionsOf(
  db: Kysely<Database>,
  journey: Entering,
  now: Date,
): Promise<(RawBuilder<boolean> | null)[]> {
  const { definition, rules } = versionOf(journey.version_id, journey.definition, journey.rules);
  const { trigger } = definition;
  const whereOf = async (rule: SegmentRule | undefined, at: Date) => {
    if (!rule) return null;
    const [known] = await knowRules(db, journey.corporation_id, [rule], at);
    return known!.lacks.length > 0 ? null : known!.where;
  };
  if (trigger.on === 'segment') return [await whereOf(rules.get(trigger.segment_id), now)];
  if (trigger.on !== 'date') return [];
  const { field_id, yearly, days } = trigger;
  const op = yearly ? ('birthday' as const) : ('in_days' as const);
  const condition = { on: 'date' as const, field_id, op, day: null, to: null, days: -days, not: false };
  const rule: SegmentRule = { version: 1, match: 'all', rules: [condition] };
  const moments = dueMoments(journey, trigger.at, now);
  return Promise.all(moments.map((at) => whereOf(rule, at)));
}

/** Returns the moments since the last look at which people enter by a date. */
export function dueMoments(
  { looked_at, timezone }: Pick<Entering, 'looked_at' | 'timezone'>,
  at: string,
  now: Date,
): Date[] {
  const since = looked_at === null ? now : new Date(looked_at);
  const days = Array.from(
    { length: DAYS_BACK + 1 },
    (_, back) => new Date(now.getTime() - (DAYS_BACK - back) * DAY_MS),
  );
  const moments = days.map((day) => momentOf(dateIn(timezone, day), at, timezone));
  return moments.filter((moment) => moment > since && moment <= now);
}

/** Lets some people enter who are not under way, and who may enter again if they have been in the journey. */
async function enter(db: Kysely<Database>, journey: Entering, where: RawBuilder<boolean>, now: Date): Promise<number> {
  const { definition } = versionOf(journey.version_id, journey.definition, journey.rules);
  // A person who pauses or stops the journey waits, and so does one who publishes another version.
  const { rows } = await sql`SELECT FROM journey WHERE id = ${journey.id} AND state = 'running'
    AND version_id = ${journey.version_id} FOR SHARE`.execute(db);
  if (rows.length === 0) return 0;
  const at = now.toISOString();
  const again = againBefore(definition.again_days, now);
  const { numAffectedRows } = await sql`
    INSERT INTO journey_person AS p (journey_id, number, corporation_id, version_id, due_at, entered_at)
    SELECT ${journey.id}, n.number, ${journey.corporation_id}, ${journey.version_id}, ${at}, ${at} FROM contact n
    WHERE ${where} AND NOT EXISTS (SELECT FROM journey_person o WHERE o.number = n.number AND o.journey_id = ${journey.id}
      AND (o.due_at IS NOT NULL OR o.ended_at > ${again}))
    LIMIT ${AT_ONCE}::integer
    ON CONFLICT (number, journey_id) DO UPDATE SET version_id = excluded.version_id, step = 0, due_at = excluded.due_at,
      entered_at = excluded.entered_at, ended_at = NULL, trail = '{}' WHERE p.due_at IS NULL`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Returns the time before which people must have ended to enter again. */
export const againBefore = (days: number | null, now: Date): string =>
  days === null ? '-infinity' : new Date(now.getTime() - days * DAY_MS).toISOString();
