import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Caller, Context } from './context.ts';

/** Fields whose values never enter a log. */
const SECRET = /password|secret|token|digest|hash|sealed/;

/** What somebody did to a record. */
export interface Activity {
  /** The area, such as `corporations`. */
  name: string;
  description: string;
  subject_type: string;
  subject_id: number | null;
  corporation_id?: number | null;
  before?: object | null;
  after?: object | null;
}

/**
 * Writes an activity log entry in the call's transaction: who, what, and what changed, without secrets. Each entry's
 * hash covers the entry before it, so that a changed or missing one shows. Entries are serialised by a lock that ends
 * with the transaction.
 */
export async function audit(
  ctx: Pick<Context, 'db' | 'clock'> & { caller: Pick<Caller, 'user_id' | 'corporation_id'> },
  activity: Activity,
): Promise<void> {
  const created_at = ctx.clock.now().toISOString();
  const entry = {
    corporation_id: activity.corporation_id ?? ctx.caller.corporation_id,
    name: activity.name,
    description: activity.description,
    subject_type: activity.subject_type,
    subject_id: activity.subject_id,
    causer_id: ctx.caller.user_id,
    properties: JSON.stringify(changes(activity.before ?? null, activity.after ?? null)),
    created_at,
  };
  await sql`SELECT pg_advisory_xact_lock(hashtext('activity_log'))`.execute(ctx.db);
  const previous =
    (await sql<{ hash: Buffer | null }>`SELECT last_activity_hash() AS hash`.execute(ctx.db)).rows[0]?.hash ?? null;
  const hash = createHash('sha256')
    .update(previous ?? '')
    .update(JSON.stringify(entry))
    .digest();
  await ctx.db
    .insertInto('activity_log')
    .values({ ...entry, previous_hash: previous, hash })
    .execute();
}

/** Before and after of the fields that differ; the whole record where it came or went. */
function changes(before: object | null, after: object | null): { before: object | null; after: object | null } {
  const b = clean(before);
  const a = clean(after);
  if (!b || !a) return { before: b, after: a };
  const differing = Object.keys(a).filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]));
  const pick = (row: Record<string, unknown>) => Object.fromEntries(differing.map((key) => [key, row[key]]));
  return { before: pick(b), after: pick(a) };
}

function clean(row: object | null): Record<string, unknown> | null {
  return row && Object.fromEntries(Object.entries(row).filter(([key]) => !SECRET.test(key)));
}
