import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Moderation } from '../../src/modules/moderation/screening.ts';

test('a rule fits only if all of its conditions do', () => {
  const rule = {
    id: 1,
    name: 'r',
    action: 'hold',
    traffic: 'all',
    corporation_id: null,
    network_id: null,
    sender: null,
    words: [] as string[],
    web_address: false,
    min_messages: null as number | null,
    new_days: null as number | null,
  };
  const ages = new Map([['1 NEW', 2]]);
  const networkOf = (msisdn: string) => (msisdn.startsWith('63917') ? { id: 7 } : null);
  const holds = (changes: object, text: string, { sender = 'BANK', messages = 1, msisdn = '' } = {}) =>
    new Moderation([{ ...rule, ...changes }], ages, networkOf)
      .of('programs', 1, sender)
      ?.holds({ text, messages, msisdn }) != null;
  assert.equal(holds({ words: ['loan'] }, 'a loaner'), false);
  assert.equal(holds({ words: ['loan*'] }, 'a loaner'), true);
  assert.equal(holds({ words: ['*oan'] }, 'l\u200bOAN'), true);
  assert.equal(holds({ words: ['贷款'] }, '快速贷款服务'), true);
  assert.equal(holds({ words: ['loan'], web_address: true }, 'a loan'), false);
  assert.equal(holds({ words: ['loan'], web_address: true }, 'a loan at x.com'), true);
  assert.equal(holds({ min_messages: 10 }, 'x', { messages: 9 }), false);
  assert.equal(holds({ min_messages: 10 }, 'x', { messages: 10 }), true);
  assert.equal(holds({ network_id: 7 }, 'x'), false);
  assert.equal(holds({ network_id: 7 }, 'x', { msisdn: '639181111111' }), false);
  assert.equal(holds({ network_id: 7 }, 'x', { msisdn: '639171111111' }), true);
  assert.equal(holds({ new_days: 3 }, 'x'), false);
  assert.equal(holds({ new_days: 3 }, 'x', { sender: 'NEW' }), true);
  assert.equal(holds({ sender: 'b*k' }, 'x'), true);
  assert.equal(holds({ sender: 'b*z' }, 'x'), false);
  assert.equal(holds({ corporation_id: 2 }, 'x'), false);
  assert.equal(holds({ traffic: 'campaigns', words: ['x'] }, 'x'), false);
  const begin = performance.now();
  holds({ words: ['a*a*a*a*a*a*b', `${'a'.repeat(90)}b`] }, 'a'.repeat(100_000));
  assert.ok(performance.now() - begin < 5_000);
});
