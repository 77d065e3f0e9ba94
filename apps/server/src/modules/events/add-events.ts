import type { EventType } from '@heliograph/contract/kernel/events';
import { type Queryable, rowsOf } from '#platform/database/queryable';

/** Event that programs can receive. */
export interface NewEvent {
  corporation_id: number;
  department_id: number | null;
  user_id: number | null;
  type: EventType;
  /** Id of one of our own messages; null for events about something else. */
  message_id: number | null;
  /** Further data that the type needs; small. */
  data: Readonly<Record<string, unknown>>;
}

const ADD = `
  INSERT INTO event (corporation_id, department_id, user_id, type, message_id, data)
  SELECT corporation_id, department_id, user_id, type, message_id, data
  FROM jsonb_to_recordset($1::jsonb)
    AS e(corporation_id bigint, department_id bigint, user_id bigint, type text, message_id bigint, data jsonb)`;

/**
 * Writes events in the caller's transaction, the same one that makes the reported change. Readers see them when it
 * commits.
 */
export async function addEvents(
  db: Queryable | { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length > 0) await rowsOf(db as Queryable, ADD, [JSON.stringify(events)]);
}
