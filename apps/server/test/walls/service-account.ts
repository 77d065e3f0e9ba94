import { owner } from './places.ts';

/** Makes a service account of a corporation; returns its id. */
export async function makeAccount(corporationId: number): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO service_account (corporation_id, name, contact_email, scopes)
      VALUES ($1, 'Payroll', 'payroll@heliograph.test', '{messages:send}') RETURNING id`,
    [corporationId],
  );
  return rows[0]!.id;
}
