import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { sql } from 'kysely';
import { reconcile } from '#modules/billing';
import { tellInbox } from '../../src/modules/inbox/tell-inbox.ts';
import type { Client } from '../test-api.ts';
import { SHORT } from './bring.ts';
import { conversationStage, path } from './conversation-stage.ts';

const stage = await conversationStage({ after });
const { api, bring, one, all, corporate, user, userId, personId, newPhone, ofPhone, counts, shown, entries, change } =
  stage;
const faultOf = ({ body }: { body: unknown }) => (body as { errors?: Record<string, string[]> }).errors;

test('a conversation can only be assigned to a person of its corporation', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'corp' });
  const { id } = (await ofPhone(corporate, phone))!;
  const { data: colleagues } = (await corporate('GET', `${path}/${id}/colleagues`)).body as { data: { id: number }[] };
  const superadmin = await personId('superadmin');
  assert.ok(colleagues.some((each) => each.id === userId));
  assert.ok(!colleagues.some((each) => each.id === superadmin));
  assert.equal((await change(corporate, id, { assigned_to: superadmin })).status, 422);
  const before = await counts(user);
  assert.equal((await change(corporate, id, { assigned_to: userId })).status, 200);
  assert.equal((await ofPhone(user, phone, 'mine'))!.id, id);
  assert.equal((await counts(user)).mine, before.mine + 1);
  assert.equal(await ofPhone(corporate, phone, 'unassigned'), undefined);
  // The person in charge sees the next messages too.
  await bring({ from: phone, text: 'corp next' });
  assert.equal((await ofPhone(user, phone, 'mine'))!.message, 'corp next');
  // The person who gives it away no longer sees it.
  const given = await change(user, id, { assigned_to: null });
  assert.deepEqual([given.status, (given.body as { data: unknown }).data], [200, null]);
  assert.equal((await user('GET', `${path}/${id}`)).status, 404);
});

test('of two people who change a conversation, the second is told what the first did', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'hello' });
  const { id, etag } = await shown(user, (await ofPhone(user, phone))!.id);
  assert.equal((await change(corporate, id, { open: false }, etag)).status, 200);
  const late = await change(user, id, { assigned_to: userId }, etag);
  assert.deepEqual([late.status, (late.body as { code: string }).code], [409, 'edit_conflict']);
});

test('an answer leaves from a number the phone wrote to, after the last one was read', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'is it open?' });
  const before = await shown(user, (await ofPhone(user, phone))!.id);
  assert.deepEqual([before.senders, Number(before.price) > 0, before.last_answer_id], [[SHORT], true, null]);
  const send = (client: Client, message: string, more: object = {}) =>
    client('POST', `${path}/${before.id}/replies`, { message, after: null, ...more });
  assert.deepEqual(Object.keys(faultOf(await send(user, 'x', { sender: 'OTHER' })) ?? {}), ['sender']);
  const { status, body } = await send(user, 'Yes, until 6. 😀');
  assert.equal(status, 201, JSON.stringify(body));
  const { data } = body as { data: { message_id: number; parts: number; cost: string } };
  assert.deepEqual([data.parts, Number(data.cost) > 0], [1, true]);
  assert.deepEqual(await one('SELECT sender_id, number, encoding FROM message_row WHERE id = $1', [data.message_id]), {
    sender_id: SHORT,
    number: phone,
    encoding: 'ucs2',
  });
  const second = await send(corporate, 'Closed today.');
  assert.deepEqual([second.status, (second.body as { code: string }).code], [409, 'answered_meanwhile']);
  const row = (await ofPhone(user, phone))!;
  assert.deepEqual([row.message, row.direction, row.unread], ['Yes, until 6. 😀', 'out', 0]);
  await bring({ from: phone, text: 'thanks' });
  for (const client of [user, corporate])
    assert.deepEqual(
      (await entries(client, before.id)).data.map(({ kind, text, user_name }) => [kind, text, user_name !== null]),
      [
        ['in', 'thanks', false],
        ['out', 'Yes, until 6. 😀', true],
        ['in', 'is it open?', false],
      ],
    );
  assert.deepEqual(await reconcile(api.database.pool('worker')), []);
});

test('a reply is refused to opted-out phones, to names, and if its text is too long', async () => {
  const phone = newPhone();
  const stranger = newPhone();
  await bring(
    { from: phone, text: 'hi' },
    { from: 'MyBank', text: 'hi' },
    { from: stranger, text: 'hi', to: '888222' },
  );
  const refused = async (client: Client, oa: string, message = 'x') =>
    (await client('POST', `${path}/${(await ofPhone(client, oa))!.id}/replies`, { message })).status;
  assert.equal(await refused(user, phone, 'ü😀'.repeat(500)), 422);
  await bring({ from: phone, text: 'stop' });
  assert.equal(await refused(user, phone), 422);
  const { opted_out } = await shown(user, (await ofPhone(user, phone))!.id);
  assert.deepEqual([opted_out!.source, opted_out!.text], ['message', 'stop']);
  assert.equal(await refused(user, 'MYBANK'), 422);
  assert.equal(await refused(await api.as('superadmin'), stranger), 422);
  assert.equal(
    (
      await all(
        'SELECT FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE msisdn = $1 AND NOT k.confirms_opt_out',
        [phone],
      )
    ).length,
    0,
  );
});

test('blocked words are sent neither by a person’s reply nor by an automatic one', async () => {
  await all("INSERT INTO blacklist_text (text) VALUES ('casino')");
  await stage.routing({ keyword: 'PLAY', valid_reply_message: 'Come to the C A S I N O tonight' });
  const phone = newPhone();
  const [, play] = await bring({ from: phone, text: 'hi' }, { from: phone, text: 'play' });
  assert.deepEqual([play!.reply_message, play!.reply_error], [null, 'blocked_text']);
  const { id } = (await ofPhone(user, phone))!;
  const answer = await user('POST', `${path}/${id}/replies`, { message: 'The cаsino is open' });
  assert.deepEqual(
    [answer.status, faultOf(answer)?.['message']],
    [422, ['The text contains words that may not be sent.']],
  );
  assert.equal((await all('SELECT FROM message WHERE msisdn = $1', [phone])).length, 0);
  const [, confirmed] = await bring({ from: phone, text: 'play' }, { from: phone, text: 'stop' });
  assert.ok(confirmed!.reply_message, 'an opt-out is confirmed all the same');
  await all("DELETE FROM blacklist_text WHERE text = 'casino'");
});

test('a note is seen by colleagues and never sent', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'hi' });
  const { id } = (await ofPhone(user, phone))!;
  assert.equal((await user('POST', `${path}/${id}/notes`, { text: 'Prefers calls.' })).status, 201);
  assert.deepEqual(
    (await entries(corporate, id)).data.map(({ kind, text, user_name }) => [kind, text, user_name]),
    [
      ['note', 'Prefers calls.', 'Acme marketing user'],
      ['in', 'hi', null],
    ],
  );
  assert.equal((await all('SELECT FROM message WHERE msisdn = $1', [phone])).length, 0);
  await all('SELECT redact_texts(current_date)');
  assert.equal((await entries(corporate, id)).data.find(({ kind }) => kind === 'note')!.text, '[removed]');
});

test('a change reaches all who have the inbox open, also those its author cannot see', async () => {
  const told = await api.database
    .db('api')
    .transaction()
    .execute(async (db) => {
      await sql`SELECT set_config('app.level', '4', true), set_config('app.corporations', ${`{${stage.acme}}`}, true),
      set_config('app.department', '0', true), set_config('app.user', ${String(userId)}, true)`.execute(db);
      return tellInbox(db, 'inbox.changed', [stage.acme]);
    });
  assert.ok(told.includes(await personId('corporate')) && told.includes(userId));
});

test('colleagues hear that a person writes a reply, and nobody else can say so', async (t) => {
  const phone = newPhone();
  await bring({ from: phone, text: 'MINE hello' });
  const { id } = (await ofPhone(user, phone))!;
  const heard: { channel: string; data: { type: string; user_id: number; conversation_ids: number[] } }[] = [];
  const client = await api.database.pool('owner').connect();
  t.after(() => client.release(true));
  client.on('notification', ({ payload }) => heard.push(JSON.parse(payload!)));
  await client.query('LISTEN heliograph_events');
  assert.equal((await user('POST', `${path}/${id}/typing`)).status, 200);
  const channel = `private-App.Models.User.${await personId('corporate')}`;
  const told = await until('the colleague hears it', async () => {
    await client.query('SELECT 1');
    return heard.find((each) => each.channel === channel && each.data.type === 'conversation.typing');
  });
  assert.deepEqual([told.data.user_id, told.data.conversation_ids], [userId, [id]]);
  assert.ok(!heard.some((each) => each.channel === `private-App.Models.User.${userId}`), 'the writer is not told');
  const others = newPhone();
  await bring({ from: others, text: 'CORP hello' });
  const foreign = (await ofPhone(corporate, others))!;
  assert.equal((await user('POST', `${path}/${foreign.id}/typing`)).status, 404);
  assert.equal((await all('SELECT FROM conversation WHERE id = $1 AND assigned_to IS NOT NULL', [id])).length, 0);
});
