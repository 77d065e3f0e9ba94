import type { Caller, Context, Supporter } from '../context.ts';

/** Fields whose values never enter a log. */
const SECRET = /password|secret|token|authorization|digest|hash|sealed/;

/** Entries that one statement writes. */
const ROWS_AT_ONCE = 1_000;

type AuditContext = Pick<Context, 'db' | 'clock'> & {
  caller: {
    user_id: Caller['user_id'] | null;
    corporation_id: Caller['corporation_id'];
    support?: Pick<Supporter, 'user_id'>;
  };
};

/** Change that a person made to a record. */
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
 * Writes an entry of the activity log in the call's transaction: the person, the action, and the changed fields without
 * secrets. The table's trigger gives it its place in the chain. Each entry's hash covers the entry before it, so that a
 * changed or missing entry is found. A lock that ends with the transaction keeps the entries in order.
 */
export async function audit(ctx: AuditContext, activity: Activity): Promise<void> {
  await auditAll(ctx, [activity]);
}

/** Writes an entry for each change, in their order, as `audit` does. */
export async function auditAll(ctx: AuditContext, activities: readonly Activity[]): Promise<void> {
  const created_at = ctx.clock.now().toISOString();
  for (let at = 0; at < activities.length; at += ROWS_AT_ONCE)
    await ctx.db
      .insertInto('activity_log')
      .values(
        activities.slice(at, at + ROWS_AT_ONCE).map((activity) => ({
          corporation_id: activity.corporation_id ?? ctx.caller.corporation_id,
          name: activity.name,
          description: activity.description,
          subject_type: activity.subject_type,
          subject_id: activity.subject_id,
          // In a support session the person who acts is not the one whose console it is.
          causer_id: ctx.caller.support?.user_id ?? ctx.caller.user_id,
          properties: JSON.stringify(changes(activity.before ?? null, activity.after ?? null)),
          created_at,
        })),
      )
      .execute();
}

/** Answers the fields that differ, before and after; the whole record if it was added or removed. */
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
