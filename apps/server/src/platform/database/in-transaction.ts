import type pg from 'pg';

/** Runs work in one transaction of a session of the pool; if it throws, all of it is rolled back. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    const { command } = await client.query('COMMIT');
    // If this fails too, the pool closes the session.
    if (command !== 'COMMIT') throw new Error('The transaction was undone: a statement in it had failed.');
    return result;
  } catch (error) {
    // Where that fails too the pool closes the session.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
