import type pg from 'pg';

// After a restore, the number of an earlier transaction may be one that this database has not reached.
const BEFORE = {
  name: 'transaction-before',
  text: `
    SELECT pg_current_xact_id()::text AS id,
      CASE WHEN $1::xid8 < pg_current_xact_id() THEN pg_xact_status($1::xid8) END AS before`,
};

/** Status of a batch's transaction with a COMMIT that was never acknowledged. */
export interface Attempt {
  transaction?: string;
  /** True if it has committed. */
  stands?: boolean;
}

/** Checks, in a transaction, the result of the previous one, and notes this one. Throws while that is undecided. */
export async function enterAttempt(client: pg.Client, attempt: Attempt): Promise<void> {
  const { rows } = await client.query<{ id: string; before: string | null }>({
    ...BEFORE,
    values: [attempt.transaction ?? null],
  });
  const { id, before } = rows[0]!;
  if (before === 'in progress') throw new Error('the transaction before has not ended yet');
  if (before === 'committed') attempt.stands = true;
  else attempt.transaction = id;
}
