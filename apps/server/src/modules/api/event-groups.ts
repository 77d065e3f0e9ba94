import { sql } from 'kysely';
import type { Retention } from '#platform/jobs/retention';
import type { KeyHolder } from './keyring.ts';
import type { ProgramContext } from './mount-public.ts';

/** Seconds for which a connection holds a group without a sign of life. */
const HELD_SECONDS = 30;
const KEPT_DAYS = 7;

/** Deletes the places of groups that nobody uses: their events are gone. */
export const groupRetention: Retention = {
  table: 'event_group',
  days: KEPT_DAYS,
  since: 'touched_at',
  order: ['touched_at'],
  rows: 10_000,
};

/** Part of the events that the programs of a group share, with the place that is stored for it. */
export interface Group {
  corporation_id: number;
  name: string;
  share: string;
  is_test: boolean;
}

/** Returns the group of a key's corporation; those of test keys are apart. */
export const groupOf = ({ caller, is_test }: KeyHolder, name: string, share = '1/1'): Group => ({
  corporation_id: caller.corporation_id!,
  name,
  share,
  is_test,
});

const isGroup = ({ corporation_id, name, share, is_test }: Group) =>
  sql`corporation_id = ${corporation_id} AND name = ${name} AND share = ${share} AND is_test = ${is_test}`;

/** Returns the place that is stored for a group; null if none is. */
export async function storedPlace({ db }: ProgramContext, group: Group): Promise<string | null> {
  const { rows } = await sql<{ cursor: string | null }>`
    UPDATE event_group SET touched_at = now() WHERE ${isGroup(group)} RETURNING cursor`.execute(db);
  return rows[0]?.cursor ?? null;
}

/** Stores the place of a group, and returns when. */
export async function storePlace({ db }: ProgramContext, group: Group, cursor: string): Promise<string> {
  const { corporation_id, name, share, is_test } = group;
  const { rows } = await sql<{ stored_at: string }>`
    INSERT INTO event_group (corporation_id, name, share, is_test, cursor, stored_at)
    VALUES (${corporation_id}, ${name}, ${share}, ${is_test}, ${cursor}, now())
    ON CONFLICT (corporation_id, name, share, is_test)
      DO UPDATE SET cursor = excluded.cursor, stored_at = excluded.stored_at, touched_at = now()
    RETURNING stored_at`.execute(db);
  return rows[0]!.stored_at;
}

/** Takes a group for a connection, or keeps it. Returns false while another connection has it. */
export async function holdGroup({ db }: ProgramContext, group: Group, reader: string): Promise<boolean> {
  const { corporation_id, name, share, is_test } = group;
  const { rows } = await sql`
    INSERT INTO event_group (corporation_id, name, share, is_test, reader, held_until)
    VALUES (${corporation_id}, ${name}, ${share}, ${is_test}, ${reader}, now() + ${HELD_SECONDS} * interval '1 second')
    ON CONFLICT (corporation_id, name, share, is_test)
      DO UPDATE SET reader = excluded.reader, held_until = excluded.held_until, touched_at = now()
      WHERE event_group.reader IS NULL OR event_group.reader = excluded.reader OR event_group.held_until < now()
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Lets another connection have a group. */
export const releaseGroup = ({ db }: ProgramContext, group: Group, reader: string) =>
  sql`UPDATE event_group SET reader = NULL, held_until = NULL WHERE ${isGroup(group)} AND reader = ${reader}`.execute(
    db,
  );
