import type pg from 'pg';
import { numberArray, plainArray, textArray } from '#platform/database/array-literal';
import type { MessageState } from '#platform/database/schema';
import { dayOf } from '../message-id.ts';
import { type Message, WHOLE } from '../segment.ts';
import { FLAGS } from './chunk-states.ts';
import type { CostSums } from './cost-sums.ts';
import type { Deltas } from './deltas.ts';
import { type Ending, errorCode, FINAL_STATES, finalState } from './entry.ts';

// Reads the last final receipt of each part. If one receipt covers the whole message, the last that contradicts its
// outcome counts. Otherwise a correction would depend on which receipts came in one batch. Receipts of this transaction
// are included.
const READ = {
  name: 'read-last-words',
  text: `
    SELECT m.id AS message_id, end_of(${FLAGS}) AS outcome, count(*) AS parts,
      (array_agg(r.state ORDER BY r.state = 'delivered', r.state = 'expired', r.part))[1] AS worst_state,
      (array_agg(r.error ORDER BY r.state = 'delivered', r.state = 'expired', r.part))[1] AS worst_error,
      extract(epoch FROM max(r.received_at))::float8 * 1000 AS at
    FROM unnest($1::bigint[], $4::boolean[]) AS m(id, is_single) JOIN chunk_state s ON s.chunk_id = m.id >> 10 CROSS JOIN LATERAL (
      SELECT DISTINCT ON (part) part, state, error, received_at FROM receipt_row
      WHERE message_id = m.id AND chunk_id = m.id >> 10 AND received_at >= to_timestamp($2::float8 / 1000) AND state = ANY ($3::text[])
      ORDER BY part, m.is_single AND (state = 'delivered') <> (end_of(${FLAGS}) = 'delivered') DESC, received_at DESC
    ) r
    GROUP BY 1, 2`,
};

const WRITE = {
  name: 'write-corrections',
  text: `
    INSERT INTO correction (message_id, corporation_id, campaign_id, state, error_code, amount, corrected_at)
    SELECT id, corporation_id, campaign_id, state, error_code, amount, to_timestamp(at / 1000)
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::message_state[], $5::text[], $6::bigint[], $7::float8[])
      AS u(id, corporation_id, campaign_id, state, error_code, amount, at)
    ON CONFLICT DO NOTHING RETURNING message_id`,
};

interface LastWords {
  message_id: number;
  outcome: MessageState;
  parts: number;
  worst_state: string;
  worst_error: string | null;
  at: number;
}

interface Correction extends Ending {
  amount: number;
}

/**
 * Records corrections of ended messages if a later receipt says the contrary: delivered after all, or not. The final
 * state stays; if the account pays on delivery, the money is corrected. A message gets at most one correction.
 */
export async function correctOutcomes(
  client: pg.Client,
  messages: ReadonlyMap<number, Message>,
  deltas: Deltas,
  costs: CostSums,
): Promise<void> {
  const ids = [...messages.keys()];
  const since = dayOf(ids.reduce((least, id) => Math.min(least, id)));
  const singles = [...messages.values()].map(({ parts, reference }) => parts === 1 || reference === WHOLE);
  const values = [numberArray(ids), since, textArray(FINAL_STATES), singles];
  const { rows } = await client.query<LastWords>({ ...READ, values });
  const corrections = rows.flatMap((row) => correctionOf(row, messages.get(row.message_id)!) ?? []);
  if (corrections.length === 0) return;
  const written = await client.query<{ message_id: number }>({
    ...WRITE,
    values: [
      numberArray(corrections.map(({ message }) => message.id)),
      numberArray(corrections.map(({ message }) => message.chunk.corporation_id)),
      numberArray(corrections.map(({ message }) => message.chunk.campaign_id)),
      plainArray(corrections.map(({ state }) => state)),
      textArray(corrections.map(({ error }) => error)),
      numberArray(corrections.map(({ amount }) => amount)),
      numberArray(corrections.map(({ at }) => at)),
    ],
  });
  const fresh = new Set(written.rows.map(({ message_id }) => message_id));
  for (const correction of corrections) {
    if (!fresh.has(correction.message.id)) continue;
    deltas.correction(correction);
    costs.corrected(correction.message, correction.state === 'delivered');
  }
}

function correctionOf(row: LastWords, message: Message): Correction | undefined {
  const { outcome, parts, worst_state, worst_error, at } = row;
  const state = finalState(worst_state);
  if (!state || (state === 'delivered') === (outcome === 'delivered')) return undefined;
  // Delivered means that all parts were.
  if (state === 'delivered' && message.reference !== WHOLE && parts < message.parts) return undefined;
  const price = message.chunk.charge_on_delivery ? message.parts * message.unit_price : 0;
  return {
    message,
    state,
    error: errorCode(worst_state, worst_error ?? ''),
    amount: state === 'delivered' ? price : -price,
    at,
  };
}
