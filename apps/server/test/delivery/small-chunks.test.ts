import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reserve } from '#modules/billing';
import { enqueueMessages } from '#modules/delivery';
import { logOf, stage, UNIT_PRICE, until } from './stage.ts';

const CHUNKS = 300;
const EACH = 3;

test('small chunks are sent once each although one of them cannot be read', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  const shared = {
    corporation_id: s.corporationId,
    department_id: null,
    user_id: s.userId,
    billing_account_id: s.accountId,
    campaign_id: null,
    class: 'transactional' as const,
    sender_id: 'Acme',
    flash: false,
    charge_on_delivery: false,
    common_text: null,
    text_key: null,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const expected = new Map<string, string>();
  let torn = 0;
  await s.transaction(async (client) => {
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      const messages = Array.from({ length: EACH }, (_, i) => ({
        msisdn: `63917${String(chunk * EACH + i).padStart(7, '0')}`,
        name: null,
        text: `No. ${chunk * EACH + i}, "${chunk}"`,
        unicode: false,
        parts: 1,
        unit_price: UNIT_PRICE,
      }));
      const ids = await enqueueMessages(client, shared, messages);
      await reserve(client, {
        key: `chunk ${chunk}`,
        billing_account_id: s.accountId,
        corporation_id: s.corporationId,
        amount: EACH * UNIT_PRICE,
      });
      if (chunk === 20) torn = ids[1]!;
      else for (const { msisdn, text } of messages) expected.set(msisdn, text);
    }
  });
  await s.owner.query('DELETE FROM message WHERE id = $1', [torn]);
  await s.sender();
  await until('all that can be read have left', () => logOf(simulator).length >= expected.size);
  const left = logOf(simulator).map(({ to, text }) => [to, text] as const);
  assert.equal(left.length, expected.size);
  assert.deepEqual(new Map([...left].sort()), new Map([...expected].sort()));
});
