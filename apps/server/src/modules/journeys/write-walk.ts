import { type Kysely, sql } from 'kysely';
import { numberArray, textArray } from '#platform/database/array-literal';
import type { Database } from '#platform/database/db';
import type { Running } from './advance.ts';
import type { Walker } from './walk.ts';

/** Figures of steps, by version and step. */
export type Counts = Map<string, { passed: number; sent: number; refused: number; spent: number }>;

interface Walked {
  journey: Pick<Running, 'id' | 'corporation_id'>;
  walkers: readonly Walker[];
  /** Counts of messages; passed steps are added from the trails. */
  counts: Counts;
  /** People who began the journey. */
  begun: number;
  /** Cost of the messages. */
  spent: number;
  now: Date;
}

/** Writes where people have come, in one statement for all, and the figures of the steps. */
export async function writeWalk(db: Kysely<Database>, walked: Walked): Promise<void> {
  const { journey, walkers, counts, begun, spent, now } = walked;
  for (const { version, trail } of walkers)
    for (let at = 0; at < trail.length; at += 2) {
      const key = `${version.id} ${trail[at]}`;
      const count = counts.get(key) ?? { passed: 0, sent: 0, refused: 0, spent: 0 };
      count.passed += 1;
      counts.set(key, count);
    }
  const at = now.toISOString();
  await sql`UPDATE journey_person p SET step = u.step, due_at = u.due_at,
      ended_at = CASE WHEN u.due_at IS NULL THEN ${at}::timestamptz END, trail = p.trail || u.trail::integer[]
    FROM unnest(${textArray(walkers.map(({ number }) => number))}::text[],
      ${numberArray(walkers.map(({ rest }) => rest?.step ?? 0))}::smallint[],
      ${textArray(walkers.map(({ rest }) => rest?.due.toISOString() ?? null))}::timestamptz[],
      ${textArray(walkers.map(({ trail }) => `{${trail.join()}}`))}::text[]) AS u(number, step, due_at, trail)
    WHERE p.number = u.number AND p.journey_id = ${journey.id}`.execute(db);
  const rows = [...counts].map(([key, count]) => {
    const [version, step] = key.split(' ').map(Number) as [number, number];
    return { version, step, ...count };
  });
  const of = (field: 'version' | 'step' | 'passed' | 'sent' | 'refused' | 'spent') =>
    numberArray(rows.map((row) => row[field]));
  if (rows.length > 0)
    await sql`INSERT INTO journey_step AS s (version_id, step, corporation_id, passed, sent, refused, spent)
      SELECT u.version_id, u.step, ${journey.corporation_id}, u.passed, u.sent, u.refused, u.spent
      FROM unnest(${of('version')}::bigint[], ${of('step')}::smallint[], ${of('passed')}::bigint[], ${of('sent')}::bigint[],
        ${of('refused')}::bigint[], ${of('spent')}::bigint[]) AS u(version_id, step, passed, sent, refused, spent)
      ON CONFLICT (version_id, step) DO UPDATE SET passed = s.passed + excluded.passed, sent = s.sent + excluded.sent,
        refused = s.refused + excluded.refused, spent = s.spent + excluded.spent`.execute(db);
  if (begun > 0 || spent > 0)
    await sql`UPDATE journey SET entered = entered + ${begun}, spent = spent + ${spent}
      WHERE id = ${journey.id}`.execute(db);
}
