import type { EventType } from '@heliograph/contract/kernel/events';
import { type Queryable, rowsOf } from '#platform/queryable';

/** Something that programs are told of. */
export interface NewEvent {
  corporation_id: number;
  department_id: number | null;
  user_id: number | null;
  type: EventType;
  /** Of one of our own messages; null for what is about something else. */
  message_id: number | null;
  /** What the type needs beyond it; small. */
  data: Readonly<Record<string, unknown>>;
}

const ADD = `
  INSERT INTO event (corporation_id, department_id, user_id, type, message_id, data)
  SELECT corporation_id, department_id, user_id, type, message_id, data
  FROM jsonb_to_recordset($1::jsonb)
    AS e(corporation_id bigint, department_id bigint, user_id bigint, type text, message_id bigint, data jsonb)`;

/** Writes events in the caller's transaction, which is that of what they tell. Readers see them when it commits. */
export async function addEvents(
  db: Queryable | { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length > 0) await rowsOf(db as Queryable, ADD, [JSON.stringify(events)]);
}
