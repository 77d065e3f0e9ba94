import { LATENCY_BOUNDS } from '@heliograph/contract/carrier-quality/carrier-quality';
import { type SenderKind, senderKind } from '@heliograph/contract/senders/sender-id';
import type pg from 'pg';
import { numberArray, plainArray, textArray } from '#platform/database/array-literal';

/** Milliseconds of a slot: messages that were submitted within it are counted together. */
export const SLOT_MS = 300_000;
const BUCKETS = LATENCY_BOUNDS.length + 1;

/** Network of a number that no network has. */
export const NO_NETWORK = 0;

/** Message, as far as its quality needs it. */
export interface Measured {
  msisdn: string;
  /** Epoch milliseconds of the carrier's first answer; 0 if it is not known. */
  answered_at: number;
  chunk: { sender_id: string };
}

/** Messages of one slot, link, network and kind of sender. */
interface QualitySum {
  slot: number;
  link_id: number;
  network_id: number;
  sender_kind: SenderKind;
  accepted: number;
  refused: number;
  delivered: number;
  undelivered: number;
  latencies: number[];
}

const COUNTS = ['accepted', 'refused', 'delivered', 'undelivered'] as const;

/** Returns the bucket of a time from submit to final receipt, given in milliseconds. */
export function bucketOf(ms: number): number {
  const seconds = ms / 1_000;
  const bucket = LATENCY_BOUNDS.findIndex((bound) => seconds <= bound);
  return bucket === -1 ? LATENCY_BOUNDS.length : bucket;
}

/**
 * Counts of a batch of outcomes for the quality of links. Each message counts in the slot of its submit, so that a slot
 * shows what became of the messages that left within it.
 */
export class QualitySums {
  readonly #sums = new Map<string, QualitySum>();
  /** Sums of the latest slot and link of each chunk by network: nearly all messages of a chunk leave together. */
  readonly #near = new Map<Measured['chunk'], { slot: number; link_id: number; sums: Map<number, QualitySum> }>();
  readonly #networkOf: (msisdn: string) => { id: number } | null;

  constructor(networkOf: (msisdn: string) => { id: number } | null) {
    this.#networkOf = networkOf;
  }

  #sum({ msisdn, chunk }: Measured, link_id: number, submittedAt: number): QualitySum {
    const slot = Math.floor(submittedAt / SLOT_MS) * SLOT_MS;
    const network_id = this.#networkOf(msisdn)?.id ?? NO_NETWORK;
    let near = this.#near.get(chunk);
    if (near?.slot !== slot || near.link_id !== link_id) {
      near = { slot, link_id, sums: new Map() };
      this.#near.set(chunk, near);
    }
    const known = near.sums.get(network_id);
    if (known) return known;
    const sender_kind = senderKind(chunk.sender_id);
    const key = `${slot}/${link_id}/${network_id}/${sender_kind}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      const counts = { accepted: 0, refused: 0, delivered: 0, undelivered: 0 };
      sum = { slot, link_id, network_id, sender_kind, ...counts, latencies: new Array<number>(BUCKETS).fill(0) };
      this.#sums.set(key, sum);
    }
    near.sums.set(network_id, sum);
    return sum;
  }

  /** Counts the carrier's answer to a message, at a time in epoch milliseconds. */
  answered(message: Measured, linkId: number, accepted: boolean, at: number): void {
    this.#sum(message, linkId, message.answered_at || at)[accepted ? 'accepted' : 'refused']++;
  }

  /** Counts the end that a final receipt gave to a message. */
  ended(message: Measured, linkId: number, delivered: boolean, at: number): void {
    const submittedAt = message.answered_at || at;
    const sum = this.#sum(message, linkId, submittedAt);
    sum[delivered ? 'delivered' : 'undelivered']++;
    sum.latencies[bucketOf(Math.max(0, at - submittedAt))]!++;
  }

  /** Returns the sums, in one order everywhere, to avoid deadlocks between batches. */
  rows(): QualitySum[] {
    return [...this.#sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
  }
}

/** Expression for the sum of two arrays of buckets. */
const added = (a: string, b: string) =>
  `ARRAY[${Array.from({ length: BUCKETS }, (_, i) => `${a}[${i + 1}] + ${b}[${i + 1}]`).join()}]`;

/** Assignments that add excluded rows to present ones. */
const ADDED = `${COUNTS.map((count) => `${count} = q.${count} + EXCLUDED.${count}`).join()},
  latencies = ${added('q.latencies', 'EXCLUDED.latencies')}`;

/** Expression for the sum of a group's buckets. */
export const SUMMED_LATENCIES = `ARRAY[${Array.from({ length: BUCKETS }, (_, i) => `sum(q.latencies[${i + 1}])`).join()}]::bigint[]`;

const ADD = {
  name: 'add-quality',
  text: `
    INSERT INTO carrier_quality AS q (slot, link_id, network_id, sender_kind, ${COUNTS.join()}, latencies)
    SELECT to_timestamp(d.slot / 1000), d.link_id, d.network_id, d.sender_kind, ${COUNTS.map((count) => `d.${count}`).join()},
      d.latencies::bigint[]
    FROM unnest($1::float8[], $2::bigint[], $3::bigint[], $4::text[], ${COUNTS.map((_, i) => `$${i + 5}::bigint[]`).join()}, $${COUNTS.length + 5}::text[])
      AS d(slot, link_id, network_id, sender_kind, ${COUNTS.join()}, latencies)
    ON CONFLICT (slot, link_id, network_id, sender_kind) DO UPDATE SET ${ADDED}`,
};

/** Adds the sums of a batch, in the transaction that records its outcomes. */
export async function addQuality(client: Pick<pg.ClientBase, 'query'>, sums: QualitySums): Promise<void> {
  const rows = sums.rows();
  if (rows.length === 0) return;
  await client.query({
    ...ADD,
    values: [
      ...(['slot', 'link_id', 'network_id'] as const).map((field) => numberArray(rows.map((row) => row[field]))),
      plainArray(rows.map((row) => row.sender_kind)),
      ...COUNTS.map((field) => numberArray(rows.map((row) => row[field]))),
      textArray(rows.map((row) => numberArray(row.latencies))),
    ],
  });
}

/** Statements that fold slots: five minutes become hours after a day, and hours become days of UTC after eight days. */
export const FOLDS = [
  ['1 day', 'hour'],
  ['8 days', 'day'],
].map(
  ([age, unit]) => `
  WITH gone AS (
    DELETE FROM carrier_quality WHERE slot < date_trunc('${unit}', now() - interval '${age}', 'UTC') AND slot <> date_trunc('${unit}', slot, 'UTC')
    RETURNING *
  )
  INSERT INTO carrier_quality AS q (slot, link_id, network_id, sender_kind, ${COUNTS.join()}, latencies)
  SELECT date_trunc('${unit}', q.slot, 'UTC'), q.link_id, q.network_id, q.sender_kind, ${COUNTS.map((count) => `sum(q.${count})`).join()}, ${SUMMED_LATENCIES}
  FROM gone q GROUP BY 1, 2, 3, 4
  ON CONFLICT (slot, link_id, network_id, sender_kind) DO UPDATE SET ${ADDED}`,
);
