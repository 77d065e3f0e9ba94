import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { optWordOf } from '#modules/inbound-routing';
import { inboxStage, SHORT } from './bring.ts';

const stage = await inboxStage({ after });
const { bring, one, all, acme } = stage;
let phones = 0;
const newPhone = () => `63919${String(++phones).padStart(7, '0')}`;
const optedOut = async (number: string) =>
  await all<{ corporation_id: number; keyword: string; message: string; recipient: string }>(
    'SELECT corporation_id, keyword, message, recipient FROM opt_out WHERE number = $1 AND ended_at IS NULL',
    [number],
  );

test('opt-out words are known in all languages; other sentences are left alone', () => {
  for (const text of [
    'STOP',
    'stop',
    ' Stop. ',
    '"STOP"',
    'ＳＴＯＰ',
    'Stop all',
    'STOPALL',
    'stop sending me this',
    'Unsubscribe',
    'UNSUBSCRIBE please',
    'CANCEL',
    'cancel please',
    'End',
    'QUIT',
    'quit now',
    'revoke',
    'OPTOUT',
    'opt-out',
    'Opt out',
    '退订',
    '退訂',
    '退订。',
    'TD',
    'td',
    '取消',
    '取消订阅',
    '取消訂閱',
    '停止',
    'TIGIL',
    'itigil na po',
    'Hinto',
    'hinto na po',
  ])
    assert.equal(optWordOf(text)?.kind, 'opt_out', text);
  for (const text of ['start', 'UNSTOP', '恢复', '訂閱', 'Simula']) assert.equal(optWordOf(text)?.kind, 'opt_in', text);
  for (const text of [
    '',
    'end of the month',
    'cancel my order',
    'quit smoking course',
    'nonstop',
    'started',
    'start of sale',
    'yes',
    '停止营业了吗',
  ])
    assert.equal(optWordOf(text), null, text);
});

test('an opt-out is stored with its proof, and confirmed once in its language', async () => {
  for (const [word, sentence] of [
    [
      'STOP',
      'You have been unsubscribed from Acme Retail and will get no more messages. Reply START to subscribe again.',
    ],
    ['退订', '您已退订Acme Retail的短信，将不再收到短信。回复 START 可重新订阅。'],
    ['退訂', '您已退訂Acme Retail的簡訊，將不再收到簡訊。回覆 START 可重新訂閱。'],
    [
      'TIGIL',
      'Naka-unsubscribe ka na sa Acme Retail at wala ka nang matatanggap na mensahe. Mag-reply ng START para mag-subscribe ulit.',
    ],
  ] as const) {
    const phone = newPhone();
    const [first, second] = await bring({ from: `+${phone}`, text: word }, { from: phone, text: word });
    assert.deepEqual(
      [first!.handled, first!.reply_message, second!.handled, second!.reply_message],
      ['opt_out', sentence, 'opt_out', null],
    );
    assert.ok(first!.read_at);
    assert.deepEqual(await optedOut(phone), [
      { corporation_id: acme, keyword: word.toLowerCase(), message: word, recipient: SHORT },
    ]);
    const chunk = await one<{ confirms_opt_out: boolean }>(
      'SELECT confirms_opt_out FROM chunk WHERE id = $1::bigint >> 10',
      [first!.sent_message_id],
    );
    assert.equal(chunk.confirms_opt_out, true);
  }
});

test('START ends an opt-out and is confirmed once; otherwise it is a normal message', async () => {
  const phone = newPhone();
  const [start] = await bring({ from: phone, text: 'START' });
  assert.deepEqual([start!.handled, start!.reply_message], ['inbox', null]);
  const rows = await bring(
    { from: phone, text: 'stop' },
    { from: phone, text: 'start' },
    { from: phone, text: 'start' },
  );
  assert.deepEqual(
    rows.map(({ handled }) => handled),
    ['opt_out', 'opt_in', 'inbox'],
  );
  assert.match(rows[1]!.reply_message ?? '', /^Welcome back/);
  assert.deepEqual(await optedOut(phone), []);
});

test('a sender ID can have its own opt-out word', async () => {
  await all("UPDATE sender_id SET optout_keyword = 'NoDeals' WHERE sender_id = 'AcmeDeals'");
  await stage.routing({ keyword: 'VOTE', valid_reply_message: 'Thank you.' });
  const phone = newPhone();
  const [out, vote] = await bring({ from: phone, text: 'nodeals' }, { from: phone, text: 'vote a' });
  assert.deepEqual([out!.handled, vote!.handled, vote!.reply_message], ['opt_out', 'inbox', null]);
  const { sender_id } = await one<{ sender_id: string }>(
    'SELECT s.sender_id FROM opt_out o JOIN sender_id s ON s.id = o.sender_id_id WHERE o.number = $1',
    [phone],
  );
  assert.equal(sender_id, 'AcmeDeals');
});

test('an opt-out on a shared number applies to all, or only to a recent sender', async () => {
  const { id: harbor } = await one<{ id: number }>("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'");
  await all('INSERT INTO routing (corporation_id, number, keyword, action) VALUES ($1, $2, $3, $4)', [
    harbor,
    SHORT,
    'CARD',
    'inbox',
  ]);
  const phone = newPhone();
  await bring({ from: phone, text: 'stop' });
  assert.deepEqual((await optedOut(phone)).map((row) => row.corporation_id).sort(), [acme, harbor].sort());
  const written = newPhone();
  // The automatic answer is the last message that the number sent.
  const [vote] = await bring({ from: written, text: 'vote a' });
  assert.equal(vote!.reply_message, 'Thank you.');
  await all("UPDATE chunk SET cursor = size, state = 'done' WHERE id = $1::bigint >> 10", [vote!.sent_message_id]);
  await bring({ from: written, text: 'stop' });
  assert.deepEqual(
    (await optedOut(written)).map((row) => row.corporation_id),
    [acme],
  );
});
