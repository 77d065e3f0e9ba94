import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { enqueueMessages } from '#modules/delivery';
import { inboxStage, PHONE, SHORT } from './bring.ts';

const stage = await inboxStage({ after });
const { api, bring, one, all, routing } = stage;
const corporate = await api.as('corporate');
const user = await one<{ id: number; department_id: number }>(
  "SELECT id, department_id FROM user_account WHERE email = 'user@heliograph.test'",
);
await routing({ keyword: 'sale', campaign_name: 'Spring sale', user_id: user.id });
await routing({
  keyword: 'VOTE',
  valid_replies: ['A', 'Plan B'],
  valid_reply_message: 'Thank you for your vote.',
  invalid_reply_message: 'Please send VOTE A or VOTE PLAN B.',
});
const rest = await routing({ valid_reply_message: null });
const explain = async (text: string, number = SHORT) => {
  const { body } = await corporate('GET', `/api/v1/routings/explain?${new URLSearchParams({ number, text })}`);
  return (
    body as {
      data: {
        routing: { id: number } | null;
        opt: string | null;
        alias_of: string | null;
        answer: string | null;
        rules: { verdict: string }[];
      };
    }
  ).data;
};
let phones = 0;
/** Returns a phone number that is not used yet. */
const newPhone = () => `63918${String(++phones).padStart(7, '0')}`;

test('the first word finds its routing in any case and width; others get the catch-all', async () => {
  const texts: [text: string, keyword: string | null][] = [
    ['SALE', 'sale'],
    ['  sale please', 'sale'],
    ['“Sale!” now', 'sale'],
    ['ＳＡＬＥ', 'sale'],
    ['offer', 'sale'],
    ['PROMO for me', 'sale'],
    ['vote a', 'VOTE'],
    ['sales', null],
    ['I want the sale', null],
    ['', null],
    ['???', null],
    ['你好', null],
    ['x'.repeat(1_500), null],
  ];
  const rows = await bring(...texts.map(([text]) => ({ from: newPhone(), text })));
  assert.deepEqual(
    rows.map(({ message, keyword, handled }) => [message, keyword, handled]),
    texts.map(([text, keyword]) => [text, keyword, 'inbox']),
  );
  // The explain call gives the same routing as the real message.
  for (const [place, [text]] of texts.entries())
    assert.equal((await explain(text)).routing?.id, rows[place]!.routing_id, text);
  assert.equal((await explain('offer')).alias_of, 'sale');
  assert.deepEqual(
    (await explain('vote a')).rules.map(({ verdict }) => verdict),
    ['keyword', 'chosen', 'outdone'],
  );
});

test('a message goes to the person of its routing, or to the owner of the number', async () => {
  const [own, elsewhere, nobodys, binary] = await bring(
    { text: 'sale' },
    { text: 'hello', to: 'acmedeals' },
    { text: 'hello', to: '777777' },
    { text: '0605040b8423f0', is_binary: true },
  );
  assert.deepEqual([own!.user_id, own!.department_id], [user.id, user.department_id]);
  assert.deepEqual([elsewhere!.corporation_id, elsewhere!.routing_id], [stage.acme, null]);
  assert.deepEqual([nobodys!.corporation_id, nobodys!.handled], [null, 'unrouted']);
  assert.deepEqual([binary!.routing_id, binary!.handled], [rest, 'inbox']);
  assert.equal(await one<{ count: number }>('SELECT count(*) AS count FROM inbound_message').then((r) => r.count), 0);
});

test('a listed reply gets the valid message, and any other reply the invalid one', async () => {
  const phone = newPhone();
  const [valid, other] = await bring({ from: phone, text: 'VOTE plan  b!' }, { from: phone, text: 'vote C' });
  assert.deepEqual(
    [valid, other].map((row) => [row!.valid, row!.reply_message]),
    [
      [true, 'Thank you for your vote.'],
      [false, 'Please send VOTE A or VOTE PLAN B.'],
    ],
  );
  const sent = await all<{ number: string; sender_id: string; class: string; text: string; unit_price: number }>(
    `SELECT m.number, m.sender_id, k.class, m.text, m.unit_price FROM message_row m JOIN chunk k ON k.id = m.id >> 10
     WHERE m.id = ANY ($1) ORDER BY m.id`,
    [[valid!.sent_message_id, other!.sent_message_id]],
  );
  assert.deepEqual(
    sent.map(({ number, sender_id, class: name, unit_price }) => [number, sender_id, name, unit_price > 0]),
    [
      [phone, SHORT, 'transactional', true],
      [phone, SHORT, 'transactional', true],
    ],
  );
  assert.deepEqual(await reconcile(api.database.pool('worker')), []);
  assert.equal((await explain('vote C')).answer, 'Please send VOTE A or VOTE PLAN B.');
});

test('one phone gets at most five answers in ten minutes, and our own numbers get none', async () => {
  const phone = newPhone();
  const rows = await bring(...Array.from({ length: 8 }, () => ({ from: phone, text: 'vote a' })));
  assert.equal(rows.filter(({ reply_message }) => reply_message !== null).length, 5);
  const [again] = await bring({ from: phone, text: 'vote a' });
  assert.equal(again!.reply_message, null);
  const [loop] = await bring({ from: SHORT, text: 'vote a' });
  assert.deepEqual([loop!.handled, loop!.reply_message], ['loop', null]);
});

test('an answer that cannot be paid is not sent, and the message shows the reason', async () => {
  await all('UPDATE billing_account SET suspended = true WHERE corporation_id = $1', [stage.acme]);
  const [row, stop] = await bring({ from: newPhone(), text: 'vote a' }, { from: newPhone(), text: 'stop' });
  await all('UPDATE billing_account SET suspended = false WHERE corporation_id = $1', [stage.acme]);
  assert.deepEqual([row!.reply_message, row!.reply_error], [null, 'billing_account_suspended']);
  assert.deepEqual([stop!.handled, stop!.reply_error], ['opt_out', 'billing_account_suspended']);
  assert.deepEqual(await reconcile(api.database.pool('worker')), []);
});

test('a reply belongs to the last campaign its number sent the phone within 72 hours', async () => {
  const phone = newPhone();
  const campaign = async (name: string, sender: string, age: string) => {
    const { id, billing_account_id } = await one<{ id: number; billing_account_id: number }>(
      `INSERT INTO campaign (corporation_id, department_id, created_by, billing_account_id, name, content, sender_id, total_count, expires_at)
       SELECT $1, $2, $3, min(b.id), $4, '{"content_type":"single","content":"Hi","flash":false,"sms_validity":12,"sender_id":1}', $5, 1, now() FROM billing_account b WHERE b.corporation_id = $1
       RETURNING id, billing_account_id`,
      [stage.acme, user.department_id, user.id, name, sender],
    );
    await all('INSERT INTO campaign_counter (campaign_id, corporation_id) VALUES ($1, $2)', [id, stage.acme]);
    const shared = {
      corporation_id: stage.acme,
      department_id: user.department_id,
      user_id: user.id,
      billing_account_id,
      campaign_id: id,
      class: 'bulk' as const,
      sender_id: sender,
      flash: false,
      charge_on_delivery: false,
      common_text: 'Hi',
      text_key: null,
    };
    const message = { msisdn: phone, name: null, text: null, unicode: false, parts: 1, unit_price: 0 };
    await enqueueMessages(api.database.db('owner'), shared, [message]);
    await all(`UPDATE chunk SET cursor = 1, state = 'done', created_at = now() - $2::interval WHERE campaign_id = $1`, [
      id,
      age,
    ]);
    return id;
  };
  await campaign('Too old', SHORT, '73 hours');
  const first = await campaign('First', SHORT, '2 hours');
  await campaign('Of another sender', 'ACME', '1 minute');
  const last = await campaign('Last', SHORT, '1 hour');
  assert.ok(last > first);
  const [row, other] = await bring({ from: phone, text: 'hello' }, { from: newPhone(), text: 'hello' });
  assert.deepEqual([row!.campaign_id, row!.user_id], [last, user.id]);
  assert.equal(other!.campaign_id, null);
  const { status, body } = await corporate('GET', `/api/v1/campaigns/${last}`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((body as { data: { replies: number } }).data.replies, 1);
  assert.equal(
    (await bring({ from: '639170001000', text: 'hi' }))[0]!.campaign_id,
    null,
    `sent by ACME, not by ${SHORT}`,
  );
  assert.ok(PHONE);
});

test('a routing with an existing keyword, or with an alias of one, is refused', async () => {
  for (const keyword of ['SALE', 'Promo', null]) {
    const { status, body } = await corporate('POST', '/api/v1/routings', {
      corporation_id: stage.acme,
      number: SHORT,
      keyword,
      action: 'inbox',
    });
    assert.deepEqual([status, (body as { message: string }).message], [409, 'Routing already exists'], String(keyword));
  }
});

test('a routing needs a number of its corporation and a public address', async () => {
  const post = async (fields: object) => {
    const { status, body } = await corporate('POST', '/api/v1/routings', {
      corporation_id: stage.acme,
      number: SHORT,
      keyword: `k${Math.random()}`.replace('.', ''),
      action: 'url',
      url: 'https://example.com/in',
      ...fields,
    });
    return { status, errors: Object.keys((body as { errors?: object }).errors ?? {}), body };
  };
  for (const [fields, field] of [
    [{ number: '3030' }, 'number'],
    [{ url: null }, 'url'],
    [{ url: 'https://me:secret@example.com/' }, 'url'],
    [{ url: 'http://127.1/' }, 'url'],
    [{ url: 'http://[::ffff:169.254.169.254]/' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
  ] as const) {
    const { status, errors } = await post(fields);
    assert.deepEqual([status, errors], [422, [field]], JSON.stringify(fields));
  }
  const made = await post({ username: 'acme', password: 'Lantern-secret-1' });
  assert.equal(made.status, 201);
  assert.ok(!JSON.stringify(made.body).includes('Lantern-secret-1'));
  const { data } = made.body as { data: { id: number; password_set_at: string | null } };
  assert.ok(data.password_set_at);
  const { password_sealed } = await one<{ password_sealed: string }>(
    'SELECT password_sealed FROM routing WHERE id = $1',
    [data.id],
  );
  assert.ok(password_sealed.startsWith('v1.'));
  assert.equal((await corporate('DELETE', `/api/v1/routings/${data.id}`)).status, 200);
});

test('a user with routings cannot be deleted', async () => {
  const { status, body } = await corporate('DELETE', `/api/v1/users/${user.id}`);
  assert.deepEqual([status, (body as { message: string }).message], [409, 'This user has routings.']);
});
