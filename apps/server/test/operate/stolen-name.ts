import type pg from 'pg';
import { reserve } from '#modules/billing';
import { openChunkWriter, wakeSenders } from '#modules/delivery';
import { numbers, type Stage, UNIT_PRICE } from '../delivery/stage.ts';

/** Queues messages under a name that was suspended before the backup; returns a count of those that were stopped. */
export async function queueUnderStolenName(pool: pg.Pool, stage: Stage, count: number): Promise<() => Promise<number>> {
  const client = await pool.connect();
  await client.query('BEGIN');
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const writer = openChunkWriter(client, stage.shared({ sender_id: 'Stolen', class: 'transactional', expires_at }));
  for (const { msisdn } of numbers(count, '003'))
    await writer.add({ msisdn, name: null, text: null, unicode: false, parts: 1, unit_price: UNIT_PRICE });
  const { amount } = await writer.flush();
  const account = { billing_account_id: stage.accountId, corporation_id: stage.corporationId };
  await reserve(client, { key: 'stolen', ...account, campaign_id: null, amount });
  await client.query('COMMIT');
  client.release();
  await wakeSenders(pool);
  return async () => {
    const { rows } = await pool.query<{ stopped: number }>(
      `SELECT count(*) AS stopped FROM message_row m JOIN chunk k ON k.id = m.id >> 10
       WHERE k.sender_id = 'Stolen' AND m.state = 'blocked' AND m.error_code = 'sender_not_allowed'`,
    );
    return Number(rows[0]!.stopped);
  };
}
