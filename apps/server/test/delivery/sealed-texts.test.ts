import assert from 'node:assert/strict';
import { test } from 'node:test';
import { segment as segmentText } from '@heliograph/contract/kernel/segments';
import { secretKey } from '#platform/process/seal';
import { newTextKey, openTextKey } from '#platform/text/text-keys';
import { placesOf } from '../privacy/search-places.ts';
import { logOf, numbers, type Stage, stage, until } from './stage.ts';

const COMMON = 'Quokka sale starts today';
const LONG = `Quokka ${'long text '.repeat(20)}`;

/** Adds a key of the stage's corporation, which new texts use. */
async function keyOf(s: Stage, number = 1) {
  const key_sealed = newTextKey(s.config(), s.corporationId, number);
  await s.owner.query("UPDATE text_key SET state = 'kept' WHERE corporation_id = $1", [s.corporationId]);
  await s.owner.query(
    "INSERT INTO text_key (corporation_id, number, state, key_sealed) VALUES ($1, $2, 'current', $3)",
    [s.corporationId, number, key_sealed],
  );
  return openTextKey(secretKey(s.config()), { corporation_id: s.corporationId, number, key_sealed });
}

const destroy = (s: Stage) =>
  s.owner.query("UPDATE text_key SET state = 'destroyed', key_sealed = NULL, destroyed_at = now()");

test('encrypted texts reach phones as they were written, and are in no table', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  const text_key = await keyOf(s);
  const own = numbers(5, '7');
  await s.campaign(numbers(40), { shared: { common_text: COMMON, text_key } });
  await s.campaign(
    own.map((each, place) => ({
      ...each,
      text: `${LONG}${place}`,
      parts: segmentText(`${LONG}${place}`).parts.length,
    })),
    { shared: { common_text: null, text_key } },
  );
  assert.deepEqual(await placesOf(s.owner, '[Qq]uokka'), []);
  await s.sender();
  await until('all are delivered', async () => (await s.states())['delivered'] === 45);
  assert.deepEqual(await placesOf(s.owner, '[Qq]uokka'), []);
  const sent = logOf(simulator);
  assert.equal(sent.filter(({ text }) => text === COMMON).length, 40);
  for (const [place, { msisdn }] of own.entries()) {
    const parts = sent.filter(({ to }) => to === msisdn);
    assert.equal(parts.map(({ text }) => text).join(''), `${LONG}${place}`);
  }
});

test('messages under a destroyed key do not leave, and their money is released', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  const text_key = await keyOf(s);
  const before = await s.account();
  const { id } = await s.campaign(numbers(10), { shared: { common_text: COMMON, text_key } });
  await destroy(s);
  await s.sender();
  await until('all have ended', async () => (await s.states())['failed_internal'] === 10);
  assert.equal(logOf(simulator).length, 0);
  const { rows } = await s.owner.query('SELECT DISTINCT error_code FROM outcome');
  assert.deepEqual(rows, [{ error_code: 'text_key_destroyed' }]);
  await until('the money is back', async () => (await s.account()).reserved === 0);
  assert.equal((await s.account()).credit_balance, before.credit_balance);
  assert.equal((await s.counters(id))['failed'], 10);
});

test('a text that was copied to another message does not open', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  const text_key = await keyOf(s);
  const texts = numbers(2).map((each, place) => ({ ...each, text: `Quokka code ${place}` }));
  await s.campaign(texts, { shared: { common_text: null, text_key } });
  await s.owner.query(`UPDATE message SET text = (SELECT o.text FROM message o WHERE o.id <> message.id)
    WHERE id = (SELECT max(id) FROM message)`);
  await s.sender();
  await until('both have ended', async () => {
    const states = await s.states();
    return states['delivered'] === 1 && states['failed_internal'] === 1;
  });
  assert.deepEqual(
    logOf(simulator).map(({ text }) => text),
    ['Quokka code 0'],
  );
  const { rows } = await s.owner.query('SELECT error_code FROM outcome');
  assert.deepEqual(rows, [{ error_code: 'text_unreadable' }]);
});

test('texts under an earlier key are sent while new ones use the next', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  const first = await keyOf(s, 1);
  await s.campaign(numbers(2), { shared: { common_text: 'Quokka one', text_key: first } });
  const second = await keyOf(s, 2);
  await s.campaign(numbers(2), { shared: { common_text: 'Quokka two', text_key: second } });
  await s.sender();
  await until('all are delivered', async () => (await s.states())['delivered'] === 4);
  assert.deepEqual(
    logOf(simulator)
      .map(({ text }) => text)
      .sort(),
    ['Quokka one', 'Quokka one', 'Quokka two', 'Quokka two'],
  );
});
