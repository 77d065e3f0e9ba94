import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callerOf, makeStage, PRICE } from '../campaigns/stage.ts';
import { addCard } from '../carrier-costs/applied-card.ts';

const stage = await makeStage({ after });
const { owner, home, tenant, callers } = stage;
const pool = home.pool('owner');
callers.set('operator', callerOf(tenant, 'super_admin', { scope_level: 0, seen_level: 0, corporation_id: null }));
await pool.query("UPDATE corporation SET currency = 'EUR'");
const link = Number(await home.one('SELECT min(id) AS id FROM link'));
await addCard(pool, link, { '63917': PRICE * 1_000 + 1, '63918': PRICE * 1_000 - 1, '63919': PRICE * 1_000 - 1 });

const setting = (value: string) =>
  owner
    .insertInto('global_configuration')
    .values({ key: 'negative_margins', name: 'n', value, description: '' })
    .onConflict((at) => at.column('key').doUpdateSet({ value }))
    .execute();
const NUMBERS = ['639170000001', '639170000002', '639180000001', '639990000001'].join();

test('a quote shows its expected margin to the platform’s people only', async () => {
  await setting('warn');
  const quote = await stage.quote({ custom_numbers: NUMBERS });
  assert.deepEqual([quote.refusal, quote.margin], [null, null]);
  const { body } = await stage.call<{ data: typeof quote }>('operator', 'GET', `/api/v1/campaigns/quotes/${quote.id}`);
  const { margin } = body.data;
  assert.deepEqual(
    [margin?.price, margin?.cost, margin?.margin, margin?.unknown_parts, margin?.currency],
    ['1.050', '1.050001', '-0.000001', 1, 'EUR'],
  );
  assert.deepEqual(
    margin?.losses.map(({ messages, margin: lost, link_name }) => [messages, lost, link_name]),
    [[2, '-0.000002', 'Carrier']],
  );
});

test('a quote that loses as a whole is refused without a word about cost', async () => {
  await setting('refuse');
  const quote = await stage.quote({ custom_numbers: NUMBERS });
  assert.equal(quote.refusal, 'destination_unavailable');
  assert.equal(JSON.stringify(quote).includes('1.050001'), false);
  const { status, body } = await stage.call<{ code: string }>('boss', 'POST', '/api/v1/campaigns', {
    quote_id: quote.id,
    name: 'Refused',
  });
  assert.deepEqual([status, body.code], [409, 'destination_unavailable']);
});

test('a quote with a gain as a whole is taken, whatever single numbers lose', async () => {
  await setting('refuse');
  const quote = await stage.quote({ custom_numbers: `${NUMBERS},639180000002,639190000001` });
  assert.equal(quote.refusal, null);
});
