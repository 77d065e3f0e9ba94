import { postTransfers, reserve, type Transfer } from '#modules/billing';
import { idHash } from '../../src/modules/delivery/outcomes/compact-outcomes.ts';
import type { MoneyStage } from '../billing/stage.ts';

/**
 * Makes the charges and messages of the tenant's account at times that a test sets, in RFC 3339. `key` numbers the entries of the
 * ledger.
 */
export function sentParts({ owner, home, tenant }: MoneyStage, key: () => number) {
  const pool = home.pool('owner');
  const { billing_account_id, corporation_id } = tenant;
  const at = (created_at: string, amount: number): Transfer => ({
    billing_account_id,
    corporation_id,
    key: `m${key()}`,
    amount,
    created_at,
  });

  /** Reserves and charges an amount in thousandths. */
  const charge = (created_at: string, amount: number) =>
    owner.transaction().execute(async (db) => {
      await reserve(db, at(created_at, amount));
      await postTransfers(db, [{ ...at(created_at, amount), kind: 'charge' }]);
    });

  /** Stores messages that a carrier accepted at a time, as senders leave them, and charges them at another. */
  async function send(accepted: string, numbers: readonly string[], price: number, charged = accepted) {
    const day = Math.floor(Date.parse(accepted) / 86_400_000);
    await pool.query('SELECT ensure_partitions($1::date, $1::date)', [accepted.slice(0, 10)]);
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO chunk (id, corporation_id, billing_account_id, link_id, class, sender_id, common_text, size, cursor, state, settled, created_at)
       SELECT ($1::bigint << 28) | nextval('chunk_sequence'), $2, $3, (SELECT min(id) FROM link), 'bulk', 'Lamp', 'Text', $4, $4, 'done', true, $5
       RETURNING id`,
      [day, corporation_id, billing_account_id, numbers.length, accepted],
    );
    const { id } = rows[0]!;
    const ids = numbers.map((_, place) => `${id}-${place}`);
    const places = numbers.map((_, place) => place).join();
    await pool.query(
      `INSERT INTO message (id, corporation_id, unit_price, parts, unicode, msisdn)
       SELECT ($1::bigint << 10) + n.place - 1, $2, $3, 1, false, n.msisdn FROM unnest($4::text[]) WITH ORDINALITY AS n(msisdn, place)`,
      [id, corporation_id, price, numbers],
    );
    await pool.query(
      `INSERT INTO answer_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes)
       SELECT $1, $2, min(id), $3, $4, $5, $6, $7 FROM link`,
      [id, corporation_id, accepted, places, numbers.map(() => 0).join(), ids.join('\x1f'), ids.map(idHash)],
    );
    await charge(charged, numbers.length * price);
  }

  return { charge, send };
}
