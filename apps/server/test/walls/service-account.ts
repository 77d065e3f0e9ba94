import type pg from 'pg';
import type { Place } from './world.ts';

/** Makes a service account of a corporation; returns its id. */
export async function makeAccount(owner: pg.Pool, corporationId: number): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO service_account (corporation_id, name, contact_email, scopes)
      VALUES ($1, 'Payroll', 'payroll@heliograph.test', '{messages:send}') RETURNING id`,
    [corporationId],
  );
  return rows[0]!.id;
}

/** Makes a key of the place's service account, beside the key of its person. */
export async function makeKeyOfAccount(owner: pg.Pool, { ids }: Place, word: string): Promise<void> {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO api_key (corporation_id, user_id, service_account_id, name, mode, prefix, digest, scopes)
      SELECT corporation_id, user_id, id, $2, 'live', $2, sha256(convert_to($2, 'UTF8')), '{}'
      FROM service_account WHERE id = $1 RETURNING id`,
    [ids['service_account'], word],
  );
  ids['service_account_key_row'] = rows[0]!.id;
}
