import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { pay } from '#modules/billing';
import { createDatabase } from '#platform/database/db';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const superadmin = await api.as('superadmin');
const plan = await api.database.one('SELECT min(id) AS id FROM price_plan');

type Body = { data: { id: number; currency: string }; errors?: Record<string, string[]> };
/** Adds a corporation with an account. */
async function made(name: string) {
  const { body } = await superadmin('POST', '/api/v1/corporations', { name });
  const corporation_id = (body as Body).data.id;
  const { rows } = await owner.query<{ id: number }>(
    'INSERT INTO billing_account (corporation_id, name, key, price_plan_id) VALUES ($1, $2, $2, $3) RETURNING id',
    [corporation_id, name, plan],
  );
  return { corporation_id, billing_account_id: rows[0]!.id, amount: 1_000 };
}
const change = (id: number, currency: string) => superadmin('PATCH', `/api/v1/corporations/${id}`, { currency });

test('the currency of a corporation changes only until its ledger has an entry', async () => {
  const account = await made('Fresh');
  assert.equal((await change(account.corporation_id, 'EUR')).status, 200);
  await pay(owner, { key: 'fresh', ...account });
  const { status, body } = await change(account.corporation_id, 'USD');
  assert.equal(status, 422);
  assert.ok((body as Body).errors?.['currency']);
  assert.equal((await change(account.corporation_id, 'EUR')).status, 200, 'the same currency is no change');
  await assert.rejects(owner.query("UPDATE corporation SET currency = 'USD' WHERE id = $1", [account.corporation_id]), {
    constraint: 'corporation_currency_stays',
  });
});

test('a change of the currency waits for a payment under way, and is refused', async () => {
  const account = await made('Race');
  const db = createDatabase(owner);
  let answer: ReturnType<typeof change> | undefined;
  await db.transaction().execute(async (transaction) => {
    await pay(transaction, { key: 'race', ...account });
    answer = change(account.corporation_id, 'USD');
    await until('the change waits', async () => {
      const { rows } = await owner.query(
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      return rows.length > 0;
    });
  });
  assert.equal((await answer!).status, 422);
  const { rows } = await owner.query('SELECT currency FROM corporation WHERE id = $1', [account.corporation_id]);
  assert.deepEqual(rows, [{ currency: 'PHP' }]);
});
