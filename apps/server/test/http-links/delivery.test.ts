import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { logOf, numbers, UNIT_PRICE, until } from '../delivery/stage.ts';
import { FORMS, httpStage } from './http-stage.ts';

describe('links over HTTP', { concurrency: 2 }, () => {
  for (const form of FORMS) {
    test(`${form}: messages are sent once, delivered by callback and charged`, async (t) => {
      const s = await httpStage(t);
      const simulator = await s.simulator();
      await s.addHttpLink(form, simulator.httpPort);
      await s.sender();
      const long = { text: 'Łódź '.repeat(30), unicode: true, parts: 3 };
      const campaign = await s.campaign([
        ...numbers(60),
        ...numbers(5, '9903'),
        ...numbers(5, '9904'),
        { msisdn: '639180000001', ...long },
      ]);
      await until('all have ended', async () => {
        const { delivered = 0, failed_other = 0, failed_submit = 0 } = await s.states();
        return delivered === 61 && failed_other === 5 && failed_submit === 5;
      });
      const sent = logOf(simulator);
      const once = new Set(sent.map(({ to, part }) => `${to}/${part?.number ?? 1}`));
      assert.equal(once.size, sent.length, 'no message is sent twice');
      assert.equal(simulator.messagesOf('639180000001')[0]?.text, long.text);
      assert.equal((await s.counters(campaign.id))['charged'], (60 + 5 + 3) * UNIT_PRICE);
      assert.deepEqual(await reconcile(s.owner), []);
      await until('no callback waits', async () => {
        const { count } = await s.one<{ count: number }>('SELECT count(*) AS count FROM carrier_callback');
        return count === 0;
      });
    });
  }
});
