import type { EventType } from '@heliograph/contract/kernel/events';
import type { NewEvent } from '#modules/events';
import type { FinalState } from './deltas.ts';
import type { Ending } from './entry.ts';

const TYPES: Readonly<Record<FinalState, EventType>> = {
  delivered: 'message.delivered',
  expired: 'message.expired',
  cancelled: 'message.failed',
  failed_submit: 'message.failed',
  failed_other: 'message.failed',
  failed_internal: 'message.failed',
  failed_billing: 'message.failed',
  blocked: 'message.failed',
};

/** Builds the event of a message's outcome. */
export const eventOf = (ending: Ending): NewEvent => eventAs(TYPES[ending.state], ending);

/** Builds the event of a receipt that contradicts a message's outcome; the outcome stays. */
export const correctionEventOf = (ending: Ending): NewEvent => eventAs('message.corrected', ending);

function eventAs(type: EventType, { message: { id, chunk }, state, error, at, receipt }: Ending): NewEvent {
  return {
    corporation_id: chunk.corporation_id,
    department_id: chunk.department_id || null,
    user_id: chunk.user_id || null,
    type,
    message_id: id,
    data: {
      state,
      error_code: error,
      at: new Date(at).toISOString(),
      ...(receipt?.parameters && { parameters: receipt.parameters }),
    },
  };
}

/** Builds the expression for the error of chunk `k`, whose messages expired unsent: null if nobody rejected them. */
export const errorOfExpired = (k: string): string =>
  `(SELECT 'moderation' FROM moderation_item i WHERE i.chunk_id = ${k}.id AND i.state = 'rejected' LIMIT 1)`;

/**
 * Builds the statement that adds events of the messages behind the cursors of chunks `source`: they ended in `state`
 * before they were handed over.
 */
export const tellUnsent = (source: string, state: 'expired' | 'cancelled'): string => `
  INSERT INTO event (corporation_id, department_id, user_id, type, message_id, data)
  SELECT k.corporation_id, k.department_id, k.user_id, '${TYPES[state]}', (k.id << 10) + place,
    jsonb_build_object('state', '${state}', 'error_code', ${state === 'expired' ? errorOfExpired('k') : 'NULL'}, 'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  FROM ${source} k CROSS JOIN generate_series(k.cursor, k.size - 1) AS place WHERE k.tells`;
