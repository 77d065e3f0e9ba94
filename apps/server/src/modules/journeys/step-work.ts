import type { JourneyPause } from '@heliograph/contract/journeys/journey';
import { type Kysely, sql } from 'kysely';
import { knowRules, readContactFields, storedValue } from '#modules/audience';
import { addEvents } from '#modules/events';
import type { Submission } from '#modules/intake';
import { closedIn, heldUntil, zonesOf } from '#modules/policy';
import type { Database } from '#platform/database/db';
import type { Hours, Running } from './advance.ts';
import type { Version } from './definition.ts';
import { lacksField, textFieldsOf, textMaker, valuesFor } from './texts.ts';
import type { Outgoing, StepWork } from './walk.ts';

/** Pause of a message that the hours never let leave, in ms; the hours may change. */
const NEVER_MS = 86_400_000;

/** Returns the work of steps for a batch of a journey, in its transaction. */
export async function stepWork(db: Kysely<Database>, journey: Running, { hours }: Hours, now: Date): Promise<StepWork> {
  const { corporation_id, timezone } = journey;
  const windows = await db
    .selectFrom('blackout_time')
    .select(['start_time', 'end_time'])
    .where('corporation_id', '=', corporation_id)
    .where('enabled', '=', true)
    .execute();
  const blackouts = windows.map(({ start_time, end_time }) => ({
    window: { from: start_time, to: end_time },
    zone: timezone,
    outside: 'wait' as const,
  }));
  const held = new Map<string, Date | null>();
  const changed = sql`updated_at = ${now.toISOString()}`;
  const among = (numbers: readonly string[]) =>
    sql`corporation_id = ${corporation_id} AND number = ANY (${[...numbers].sort()}::text[])`;
  // Changes of the same people wait here for each other, in one order.
  const lock = (numbers: readonly string[]) =>
    sql`SELECT FROM contact WHERE ${among(numbers)} ORDER BY number FOR NO KEY UPDATE`.execute(db);
  return {
    heldUntil(number) {
      const zones = zonesOf(number) ?? timezone;
      let until = held.get(zones);
      if (until === undefined) {
        const found = heldUntil([...closedIn(hours, zones, true), ...blackouts], now);
        until = found ? (found.until ?? new Date(now.getTime() + NEVER_MS)) : null;
        held.set(zones, until);
      }
      return until;
    },
    found: (segmentId, version, numbers) => foundBy(db, corporation_id, version, segmentId, numbers, now),
    async set({ field_id, value }, numbers) {
      const field = (await readContactFields(db, corporation_id)).find(({ id }) => id === field_id);
      const stored = field && storedValue(field, value);
      // A field that is gone or has another type changes nothing; the people go on.
      if (!field || stored === undefined) return;
      await lock(numbers);
      await sql`UPDATE contact SET ${sql.ref(field.slot)} = ${stored}, ${changed} WHERE ${among(numbers)}
        AND ${sql.ref(field.slot)} IS DISTINCT FROM ${stored}`.execute(db);
    },
    async tag({ tag, add }, numbers) {
      await lock(numbers);
      if (add)
        await sql`UPDATE contact SET tags = tags || ${[tag]}::text[], ${changed} WHERE ${among(numbers)}
          AND NOT tags @> ${[tag]}::text[] AND cardinality(tags) < 50`.execute(db);
      else
        await sql`UPDATE contact SET tags = array_remove(tags, ${tag}), ${changed} WHERE ${among(numbers)}
          AND tags @> ${[tag]}::text[]`.execute(db);
    },
    async call({ id: step, name }, numbers) {
      const { rows } = await sql<{ id: number; number: string }>`SELECT id, number FROM contact
        WHERE ${among(numbers)}`.execute(db);
      const contacts = new Map(rows.map(({ id, number }) => [number, id]));
      await addEvents(
        db,
        numbers.map((number) => ({
          corporation_id,
          department_id: journey.department_id,
          user_id: journey.run_by,
          type: 'journey.step' as const,
          message_id: null,
          data: { journey_id: journey.id, step, name, contact_id: contacts.get(number) ?? null },
        })),
      );
    },
  };
}

/** Returns the numbers, among some, that a segment of a version finds. */
export async function foundBy(
  db: Kysely<Database>,
  corporationId: number,
  version: Pick<Version, 'rules'>,
  segmentId: number,
  numbers: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rule = version.rules.get(segmentId);
  if (!rule) return new Set();
  const [known] = await knowRules(db, corporationId, [rule], now);
  const { rows } = await sql<{ number: string }>`SELECT n.number FROM contact n
    WHERE n.number = ANY (${numbers}::text[]) AND ${known!.where}`.execute(db);
  return new Set(rows.map(({ number }) => number));
}

/** Messages of a batch, with those that cannot be sent now and why, and those whose people go on without them. */
export interface Written {
  sending: Outgoing[];
  submissions: Submission[];
  held: ReadonlyMap<Outgoing, JourneyPause>;
  skipped: readonly Outgoing[];
}

/**
 * Returns the messages of a batch. One whose sender ID or contact field is gone holds the journey; after a person has
 * published another version, people of earlier ones go on without it.
 */
export async function messagesOf(
  db: Kysely<Database>,
  { corporation_id, version_id }: Pick<Running, 'corporation_id' | 'version_id'>,
  outgoing: readonly Outgoing[],
): Promise<Written> {
  const written = { sending: [], submissions: [], held: new Map(), skipped: [] } as Written & {
    held: Map<Outgoing, JourneyPause>;
    skipped: Outgoing[];
  };
  if (outgoing.length === 0) return written;
  const ids = [...new Set(outgoing.map(({ step }) => step.sender_id))];
  const senders = await sql<{ id: number; name: string }>`SELECT id, sender_id AS name FROM sender_id
    WHERE corporation_id = ${corporation_id} AND id = ANY (${ids}::bigint[])`.execute(db);
  const senderNames = new Map(senders.rows.map(({ id, name }) => [id, name]));
  for (const [version, ofVersion] of Map.groupBy(outgoing, ({ walker }) => walker.version)) {
    const fields = await textFieldsOf(db, corporation_id, version.definition);
    for (const [step, messages] of Map.groupBy(ofVersion, (each) => each.step)) {
      const lack = lacksField(step, fields) ? 'field' : senderNames.has(step.sender_id) ? null : 'sender';
      if (lack && version.id === version_id) for (const each of messages) written.held.set(each, lack);
      else if (lack) written.skipped.push(...messages);
      if (lack) continue;
      const makeText = textMaker(step, fields);
      const numbers = step.text.includes('{') ? messages.map(({ walker }) => walker.number) : [];
      const values = await valuesFor(db, corporation_id, fields, numbers);
      written.sending.push(...messages);
      written.submissions.push(
        ...messages.map(
          ({ walker: { number } }): Submission => ({
            from: senderNames.get(step.sender_id)!,
            to: number,
            text: makeText(values.get(number)),
            class: 'bulk',
            tells: false,
          }),
        ),
      );
    }
  }
  return written;
}
