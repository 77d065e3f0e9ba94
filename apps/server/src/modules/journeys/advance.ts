import type { JourneyPause } from '@heliograph/contract/journeys/journey';
import { type Kysely, sql } from 'kysely';
import type { OwnIntake, OwnMessages, Program, Result } from '#modules/intake';
import type { ClosedHours } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type Version, versionOf } from './definition.ts';
import { pauseJourney } from './pause.ts';
import { messagesOf, stepWork } from './step-work.ts';
import { type Outgoing, pass, settleDown, stay, type Walker, walk, walkerOf } from './walk.ts';
import { type Counts, writeWalk } from './write-walk.ts';

/** Maximum people of a batch, which is one transaction. */
const BATCH = 2_000;
/** Pause before a message is tried again that a limit of the day or the month refused, in ms. */
const AGAIN_MS = 3_600_000;

/** Journey that runs, as a batch reads it behind its lock. */
export interface Running {
  id: number;
  corporation_id: number;
  department_id: number | null;
  /** Version that people enter. */
  version_id: number | null;
  name: string;
  run_by: number | null;
  billing_account_id: number | null;
  budget: number | null;
  spent: number;
  timezone: string;
}

/** Refusals after which the person waits at the message, and the journey pauses. */
const PAUSES: Readonly<Record<string, JourneyPause>> = {
  insufficient_credit: 'credit',
  billing_account_missing: 'credit',
  billing_account_suspended: 'credit',
  billing_account_held: 'credit',
  reseller_account_unavailable: 'credit',
  sender_not_allowed: 'sender',
  sender_not_registered: 'sender',
  program_disabled: 'sending',
  no_route: 'sending',
};
/** Refusals after which the person waits and the message is tried again. */
const LATER: ReadonlySet<string> = new Set(['sending_limit_reached', 'outside_hours', 'unavailable']);

class OverBudget extends Error {}

/** Rules about hours, as they are at a look. */
export interface Hours {
  hours: readonly ClosedHours[];
}

type Worker = Pick<WorkerContext, 'clock'> & { intake: OwnIntake; versions: Map<number, Version> };

/**
 * Leads people on who are due, up to 2,000, in one transaction with everything that their steps do. Returns how many
 * there were. People of a journey that another worker leads are left to it.
 */
export async function advance(worker: Worker, journeyId: number, hours: Hours): Promise<number> {
  for (let most = BATCH; ; most = Math.ceil(most / 2)) {
    let people = 0;
    try {
      await worker.intake.write(async (db) => {
        const batch = await prepare(worker, db, journeyId, hours, most);
        people = batch?.people ?? 0;
        return batch?.messages ?? null;
      });
      failpoint('journeys.after-commit');
      return people;
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      if (most > 1) continue;
      await worker.intake.write(async (db) => {
        await pauseJourney(db, journeyId, 'budget');
        return null;
      });
      return people;
    }
  }
}

async function prepare(
  worker: Worker,
  db: Kysely<Database>,
  journeyId: number,
  hours: Hours,
  most: number,
): Promise<{ people: number; messages: OwnMessages } | null> {
  const now = worker.clock.now();
  const journey = await lockRunning(db, journeyId);
  if (!journey) return null;
  const { rows } = await sql<{ number: string; version_id: number; step: number; entered: number }>`
    SELECT number, version_id, step, extract(epoch FROM entered_at)::double precision AS entered FROM journey_person
    WHERE journey_id = ${journeyId} AND due_at <= ${now.toISOString()} ORDER BY due_at LIMIT ${most}::integer
    FOR UPDATE SKIP LOCKED`.execute(db);
  if (rows.length === 0) return null;
  await readVersions(db, worker.versions, rows);
  const walkers = rows.map((row) => walkerOf(row, worker.versions.get(row.version_id)!, now));
  const begun = rows.filter(({ step }) => step === 0).length;
  const work = await stepWork(db, journey, hours, now);
  const outgoing = await walk(walkers, work, { now, zone: journey.timezone, journeyId });
  const { sending, submissions, held, skipped } = await messagesOf(db, journey, outgoing);
  const program: Program = {
    corporation_id: journey.corporation_id,
    department_id: journey.department_id,
    user_id: journey.run_by ?? 0,
    billing_account_id: journey.billing_account_id ?? 0,
    api_key_id: null,
    smpp_system_id: null,
    read_national: false,
    is_test: false,
  };
  for (const { walker } of held.keys()) stay(walker, now);
  const settle = async (results: readonly Result[]) => {
    const counts: Counts = new Map();
    const { spent, pause } = settleMessages(sending, results, counts, now);
    for (const { walker, step } of skipped) {
      countMessage(counts, walker, step.id, null);
      passMessage(walker, step.id, now);
    }
    if (journey.budget !== null && journey.spent + spent > journey.budget) throw new OverBudget();
    for (const walker of walkers) settleDown(walker, now, journey.timezone);
    await writeWalk(db, { journey, walkers, counts, begun, spent, now });
    const reason = pause ?? [...held.values()][0];
    if (reason) await pauseJourney(db, journeyId, reason);
    failpoint('journeys.before-commit');
  };
  return { people: rows.length, messages: { program, submissions, settle } };
}

/** Locks a journey that runs, without the people who enter meanwhile; undefined if another worker leads it. */
async function lockRunning(db: Kysely<Database>, id: number): Promise<Running | undefined> {
  const { rows } = await sql<Running>`
    SELECT j.id, j.corporation_id, j.department_id, j.version_id, j.name, j.run_by, j.billing_account_id, j.budget, j.spent, c.timezone
    FROM journey j JOIN corporation c ON c.id = j.corporation_id
    WHERE j.id = ${id} AND j.state = 'running' FOR NO KEY UPDATE OF j SKIP LOCKED`.execute(db);
  return rows[0];
}

/** Reads the versions of people that are not known yet; a version never changes. */
async function readVersions(
  db: Kysely<Database>,
  known: Map<number, Version>,
  people: readonly { version_id: number }[],
): Promise<void> {
  const ids = [...new Set(people.map(({ version_id }) => version_id))].filter((id) => !known.has(id));
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: number; definition: unknown; rules: Record<string, unknown> }>`
    SELECT id, definition, rules FROM journey_version WHERE id = ANY (${ids}::bigint[])`.execute(db);
  for (const { id, definition, rules } of rows) known.set(id, versionOf(id, definition, rules));
}

/** Leads people on by the results of their messages. Returns the cost, and the reason to pause if there is one. */
function settleMessages(
  sending: readonly Outgoing[],
  results: readonly Result[],
  counts: Counts,
  now: Date,
): { spent: number; pause: JourneyPause | undefined } {
  let spent = 0;
  let pause: JourneyPause | undefined;
  for (const [place, { walker, step }] of sending.entries()) {
    const result = results[place]!;
    const refused = result instanceof BusinessError;
    const reason = refused ? PAUSES[result.code] : undefined;
    if (reason) {
      pause ??= reason;
      stay(walker, now);
    } else if (refused && LATER.has(result.code)) stay(walker, new Date(now.getTime() + AGAIN_MS));
    else {
      const price = refused ? null : result.price;
      spent += price ?? 0;
      countMessage(counts, walker, step.id, price);
      passMessage(walker, step.id, now);
    }
  }
  return { spent, pause };
}

/** Counts a message by its price, null for one that was not sent. */
function countMessage(counts: Counts, { version }: Walker, step: number, price: number | null): void {
  const key = `${version.id} ${step}`;
  const count = counts.get(key) ?? { passed: 0, sent: 0, refused: 0, spent: 0 };
  counts.set(key, {
    ...count,
    sent: count.sent + (price === null ? 0 : 1),
    refused: count.refused + (price === null ? 1 : 0),
    spent: count.spent + (price ?? 0),
  });
}

const passMessage = (walker: Walker, step: number, now: Date): void =>
  pass(walker, walker.version.plan.steps.get(step), now);
