import type pg from 'pg';

// A transaction of another timeline may have a number that this one has not come to.
const BEFORE = {
  name: 'transaction-before',
  text: `
    SELECT pg_current_xact_id()::text AS id,
      CASE WHEN $1::xid8 < pg_current_xact_id() THEN pg_xact_status($1::xid8) END AS before`,
};

/** What is known of the transaction in which a batch was tried, of whose end nothing was heard. */
export interface Attempt {
  transaction?: string;
  /** It has committed. */
  stands?: boolean;
}

/** Looks, in a transaction, what became of the one before, and notes this one. Throws while that is not decided. */
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
