import { sql } from 'kysely';

/** Figures that the statistics count. */
export const COUNTS = ['messages', 'parts', 'delivered', 'failed', 'blocked', 'expired'] as const;

export type Counts = Record<(typeof COUNTS)[number] | 'spend', number>;

export const NOTHING: Counts = { messages: 0, parts: 0, delivered: 0, failed: 0, blocked: 0, expired: 0, spend: 0 };

/** SQL for the sums of a selection of the statistics; `spend` is in thousandths. */
export const SUMS = sql.raw(
  [...COUNTS, 'spend'].map((column) => `coalesce(sum(${column}), 0)::bigint AS ${column}`).join(', '),
);
