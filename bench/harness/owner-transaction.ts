import type pg from 'pg';

/** Runs work of the database's owner in one transaction, with the scope that may add records of the platform. */
export async function ownerTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  await client.query("SELECT set_config('app.level', '0', true)");
  const result = await work();
  await client.query('COMMIT');
  return result;
}
