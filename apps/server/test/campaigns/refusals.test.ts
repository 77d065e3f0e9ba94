import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { refusalsOf } from '../../src/modules/campaigns/quoted-audience.ts';
import { makeCast, msisdn } from './cast.ts';

const { stage } = await makeCast({ after });
const { owner, tenant, home } = stage;
const pool = home.pool('owner');
const now = () => refusalsOf(owner, tenant.corporation_id);

const ADD = 'INSERT INTO blacklist_number (corporation_id, number) SELECT $1, unnest($2::text[])';
const numbersFrom = (first: number, count = 3) => Array.from({ length: count }, (_, i) => msisdn(first + i));

/** Checks that something changes the fingerprint, which is then new. */
async function changes(change: () => Promise<unknown>, seen: Set<string>): Promise<void> {
  await change();
  const fingerprint = await now();
  assert.ok(!seen.has(fingerprint), fingerprint);
  seen.add(fingerprint);
}

test('each committed change of a blacklist gives a fingerprint that was never there', async () => {
  const seen = new Set([await now()]);
  const of = tenant.corporation_id;
  await changes(() => pool.query(ADD, [of, numbersFrom(1)]), seen);
  await changes(() => pool.query(`UPDATE blacklist_number SET channel = 'api' WHERE corporation_id = $1`, [of]), seen);
  await changes(() => pool.query('DELETE FROM blacklist_number WHERE corporation_id = $1', [of]), seen);
  await changes(() => pool.query(ADD, [of, numbersFrom(1)]), seen);
  assert.equal(await now(), await now());
});

test('changes at the same time wait for nobody, and each is seen when it is committed', async () => {
  const sessions = await Promise.all([1, 2, 3].map(() => pool.connect()));
  try {
    const seen = new Set([await now()]);
    for (const [at, session] of sessions.entries()) {
      await session.query('BEGIN');
      // With a lock that waits this would fail, as the sessions before have not committed.
      await session.query(`SET LOCAL lock_timeout = '1s'`);
      await session.query(ADD, [tenant.corporation_id, numbersFrom(100 * (at + 1))]);
    }
    assert.ok(seen.has(await now()), 'nothing is committed');
    const [first, second, third] = sessions;
    await changes(() => third!.query('COMMIT'), seen);
    await changes(() => first!.query('COMMIT'), seen);
    await second!.query('ROLLBACK');
    assert.ok(seen.has(await now()), 'what was rolled back is no change');
  } finally {
    for (const session of sessions) session.release();
  }
});

test('a change of another corporation is none, and a deleted one leaves nothing', async () => {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO corporation (name, reseller_id) SELECT 'Other list', reseller_id FROM corporation WHERE id = $1 RETURNING id`,
    [tenant.corporation_id],
  );
  const before = await now();
  await pool.query(ADD, [rows[0]!.id, numbersFrom(1)]);
  assert.equal(await now(), before);
  await pool.query('DELETE FROM blacklist_number WHERE corporation_id = $1', [rows[0]!.id]);
  await pool.query('DELETE FROM corporation WHERE id = $1', [rows[0]!.id]);
  const left = await pool.query('SELECT FROM blacklist_version WHERE corporation_id = $1', [rows[0]!.id]);
  assert.equal(left.rowCount, 0);
});
