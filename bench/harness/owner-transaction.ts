import type pg from 'pg';

/** Runs work of the database's owner in one transaction, with the scope in which it may add what belongs to everybody. */
export async function ownerTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  await client.query("SELECT set_config('app.level', '0', true)");
  const result = await work();
  await client.query('COMMIT');
  return result;
}
