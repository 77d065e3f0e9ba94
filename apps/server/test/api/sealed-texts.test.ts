import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeCallbacks } from '../../src/modules/callbacks/make-callbacks.ts';
import { routeOrSetAside } from '../../src/modules/inbox/route-inbound.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newTextKey } from '../../src/platform/text/text-keys.ts';
import { placesOf } from '../privacy/search-places.ts';
import { apiStage } from './stage.ts';

const stage = await apiStage({ after });
const { acme, api } = stage;
const owner = api.database.pool('owner');
const { corporation_id } = acme;
const SENTENCE = /^The text cannot be shown: its key was destroyed on/;

await owner.query("INSERT INTO text_key (corporation_id, number, state, key_sealed) VALUES ($1, 1, 'current', $2)", [
  corporation_id,
  newTextKey(api.config, corporation_id, 1),
]);
const { key } = await stage.makeKey({ name: 'encrypted', as: 'corporate' });
const call = stage.by(key);
const from = acme.sender;
const ids: string[] = [];

test('texts that a program hands in are in no table, and the program reads them', async () => {
  const sent = await call('POST', '/v1/messages', {
    from,
    to: '+639170000001',
    text: 'Quokka code 4711',
    class: 'otp',
  });
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  ids.push((sent.body as { id: string }).id);
  const batch = await call('POST', '/v1/batches', {
    from,
    class: 'transactional',
    recipients: ['one', 'two'].map((word, place) => ({ to: `+63917000001${place}`, text: `Quokka ${word}` })),
  });
  assert.ok(batch.status < 300, JSON.stringify(batch.body));
  assert.deepEqual(await placesOf(owner, '[Qq]uokka'), []);
  const { rows } = await owner.query('SELECT id FROM message WHERE corporation_id = $1 ORDER BY id DESC LIMIT 3', [
    corporation_id,
  ]);
  const read = await Promise.all(rows.map(({ id }) => call('GET', `/v1/messages/${id}`)));
  assert.deepEqual(read.map(({ body }) => (body as { text: string }).text).sort(), [
    'Quokka code 4711',
    'Quokka one',
    'Quokka two',
  ]);
});

test('a callback about a reply waits encrypted, and its record shows the text', async () => {
  const corporate = await api.as('corporate');
  const made = await corporate('POST', '/api/v1/callbacks', { corporation_id, url: 'https://sms.example.com/told' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await owner.query(
    `INSERT INTO inbound_message (link_id, sender, recipient, text, parts, total, received_at)
     SELECT 1, '639171112299', number, 'Quokka reply', 1, 1, now() FROM routing WHERE corporation_id = $1 ORDER BY id LIMIT 1`,
    [corporation_id],
  );
  const worker = { database: api.database.db('worker'), clock: systemClock, config: api.config, log: api.log };
  await routeOrSetAside(worker);
  for (let more = true; more; ) more = (await makeCallbacks(worker.database, api.log, () => 0))?.more ?? false;
  assert.deepEqual(await placesOf(owner, '[Qq]uokka'), []);
  const log = (await corporate('GET', '/api/v1/http-deliveries')).body as { data: { body: string; type: string }[] };
  const told = log.data.find(({ type }) => type === 'message.received')!;
  assert.equal(JSON.parse(told.body).data.text, 'Quokka reply');
});

test('after the key is destroyed a program reads the sentence', async () => {
  await owner.query("UPDATE text_key SET state = 'destroyed', key_sealed = NULL, destroyed_at = now()");
  const { body } = await call('GET', `/v1/messages/${ids[0]}`);
  assert.match((body as { text: string }).text, SENTENCE);
});
