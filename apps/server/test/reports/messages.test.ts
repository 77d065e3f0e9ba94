import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { getMessage } from '@heliograph/contract/reports/transaction';
import { encodePdu } from '@heliograph/smpp';
import { startTestApi } from '../test-api.ts';
import { makeTraffic } from './made-traffic.ts';
import { all, DAY, manila, now } from './transaction-pages.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');

test('parts are charged when accepted, or when delivered if the account says so', async () => {
  const [, ...rules] = [
    ['parts', 'answers', 'outcome', 'on delivery', 'charge in thousandths'],
    [1, [0], 'delivered', false, 500],
    [1, [0], 'expired', false, 500],
    [1, [0], undefined, false, 500],
    [1, [69], 'failed_submit', false, 0],
    [3, [0, 0, 0], 'delivered', false, 1500],
    [3, [0, 88], undefined, false, 500],
    [1, [], 'cancelled', false, 0],
    [1, [0], 'delivered', true, 500],
    [3, [0, 0, 0], 'delivered', true, 1500],
    [3, [0, 0, 0], 'expired', true, 0],
    [1, [0], undefined, true, 0],
  ] as const;
  const client = await api.as('corporate@harbor.test');
  for (const [parts, answers, outcome, charge_on_delivery, charge] of rules) {
    const [id] = await makeTraffic(owner, {
      corporation: 'Blue Harbor Bank',
      at: new Date(now - 3 * DAY),
      unit_price: 500,
      charge_on_delivery,
      messages: [{ parts, answers: [...answers], ...(outcome && { outcome }) }],
    });
    const { data } = getMessage.reply.parse((await client('GET', `/api/v1/messages/${id}`)).body);
    assert.equal(toThousandths(data.charge), charge, `${parts} parts, ${answers}, ${outcome}, ${charge_on_delivery}`);
    assert.equal(data.segments.length, answers.length);
  }
});

test('a message without an outcome gets its state from its place in the queue', async () => {
  const chunk = { corporation: 'Green Valley Clinic', at: new Date(now - 4 * DAY), cursor: 1 };
  const messages = [{ answers: [0] }, {}];
  const client = await api.as('corporate@valley.test');
  for (const [state, expected] of [
    ['open', ['submitted', 'pending']],
    ['cancelled', ['submitted', 'cancelled']],
    ['expired', ['submitted', 'expired']],
  ] as const) {
    const ids = await makeTraffic(owner, { ...chunk, state, messages });
    const rows = (await all(client, { sender_id: 'MADE' })).filter((row) => ids.includes(row.id));
    assert.deepEqual(rows.map((row) => row.state).reverse(), expected);
  }
});

test('texts are shown only if both the person and the billing account may show them', async () => {
  const [id] = await makeTraffic(owner, {
    corporation: 'Acme Retail',
    at: new Date(now - DAY),
    messages: [{ text: 'A secret of its own' }],
  });
  const client = await api.as('corporate');
  const text = async () => getMessage.reply.parse((await client('GET', `/api/v1/messages/${id}`)).body).data.text;
  assert.equal(await text(), 'A secret of its own');
  await owner.query("UPDATE billing_account SET content_visible = false WHERE key = 'AC-2001'");
  assert.equal(await text(), null);
  await owner.query("UPDATE billing_account SET content_visible = true WHERE key = 'AC-2001'");
  await owner.query("UPDATE user_account SET content_visible = false WHERE email = 'corporate@heliograph.test'");
  assert.equal(await text(), null);
  for (const row of await all(client, { sender_id: 'MADE' })) assert.equal(row.text, null);
  await owner.query("UPDATE user_account SET content_visible = true WHERE email = 'corporate@heliograph.test'");
});

test('a message is shown with segments and receipts, and a foreign one does not exist', async () => {
  const at = new Date(now - DAY);
  const [id] = await makeTraffic(owner, {
    corporation: 'Acme Retail',
    at,
    messages: [{ parts: 2, answers: [0, 0], outcome: 'delivered' }],
  });
  for (const [part, state] of [
    [2, 'delivered'],
    [1, 'delivered'],
  ] as const)
    await owner.query(
      `INSERT INTO receipt (received_at, link_id, carrier_id, message_id, part, state, error, raw)
       VALUES ($1, (SELECT min(id) FROM link), $2, $3, $4, $5, '000', '\\x00')`,
      [new Date(at.getTime() + part * 1000).toISOString(), `c${id}-${part - 1}`, id, part, state],
    );
  const { body } = await (await api.as('corporate'))('GET', `/api/v1/messages/${id}`);
  const { data } = getMessage.reply.parse(body);
  assert.deepEqual(
    data.segments.map(({ part, command_status }) => [part, command_status]),
    [
      [1, 0],
      [2, 0],
    ],
  );
  const { body: whole } = await (await api.as('superadmin'))('GET', `/api/v1/messages/${id}`);
  assert.deepEqual(
    getMessage.reply.parse(whole).data.segments.map(({ link_name, carrier_id }) => [link_name, carrier_id]),
    [
      ['Carrier simulator', `c${id}-0`],
      ['Carrier simulator', `c${id}-1`],
    ],
  );
  for (const login of ['corporate', 'reseller']) {
    const { body: told } = await (await api.as(login))('GET', `/api/v1/messages/${id}`);
    assert.doesNotMatch(JSON.stringify(told), new RegExp(`simulator|c${id}-|submit_sm|deliver_sm`, 'i'), login);
    const { data: seen } = getMessage.reply.parse(told);
    assert.deepEqual([seen.pdus, seen.route], [[], null]);
    const period = { from: manila(now - DAY), to: manila(now) };
    for (const [method, path, asked] of [
      ['GET', `/api/v1/transactions?${new URLSearchParams({ ...period, link_id: '1' })}`, undefined],
      ['POST', '/api/v1/transactions/exports', { ...period, link_id: 1 }],
      ['GET', `/api/v1/transactions?${new URLSearchParams({ ...period, network_id: '1' })}`, undefined],
      ['POST', '/api/v1/transactions/exports', { ...period, network_id: 1 }],
    ] as const) {
      const { status, body: refused } = await (await api.as(login))(method, path, asked);
      const field = path.includes('network_id') || (asked && 'network_id' in asked) ? 'network_id' : 'link_id';
      assert.deepEqual([status, Object.keys((refused as { errors: object }).errors)], [422, [field]], path);
    }
  }
  assert.deepEqual(
    data.receipts.map(({ part, error }) => [part, error]),
    [
      [1, '000'],
      [2, '000'],
    ],
  );
  for (const login of ['corporate@harbor.test', 'user'])
    assert.equal((await (await api.as(login))('GET', `/api/v1/messages/${id}`)).status, 404, login);
  assert.equal((await (await api.as('superadmin'))('GET', '/api/v1/messages/1')).status, 404);
});

test('only the administration sees the PDUs of a message', async () => {
  const at = new Date(now - 3_600_000);
  const [id] = await makeTraffic(owner, { corporation: 'Acme Retail', at, messages: [{ answers: [0] }] });
  const told = 'id:77 stat:DELIVRD err:000 text:Hidden words';
  const raw = encodePdu({
    ...{ command: 'deliver_sm', sequence: 1, status: 0, service_type: '', source_addr_ton: 1, source_addr_npi: 1 },
    ...{ source_addr: '639990000001', dest_addr_ton: 5, dest_addr_npi: 0, destination_addr: 'MADE', esm_class: 4 },
    ...{ protocol_id: 0, priority_flag: 0, schedule_delivery_time: '', validity_period: '', registered_delivery: 0 },
    ...{ replace_if_present_flag: 0, data_coding: 0, sm_default_msg_id: 0, short_message: Buffer.from(told) },
    tlvs: { receipted_message_id: '77' },
  } as Parameters<typeof encodePdu>[0]);
  await owner.query(
    `INSERT INTO receipt_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, sizes, raw)
     SELECT $1::bigint >> 10, corporation_id, 1, $2, '9,0', '0,5', E'a\\x1f77', $3, $4 FROM message WHERE id = $1`,
    [id, at.toISOString(), `3,${raw.length}`, Buffer.concat([Buffer.from('abc'), raw])],
  );
  const look = async (login = 'superadmin') =>
    getMessage.reply.parse((await (await api.as(login))('GET', `/api/v1/messages/${id}`)).body).data.pdus;
  assert.deepEqual(await look('corporate'), []);
  const [sent, answer, pdu] = await look();
  assert.deepEqual([answer?.command, answer?.source], ['submit_sm_resp', 'recorded']);
  assert.deepEqual([pdu?.command, pdu?.source], ['deliver_sm', 'kept']);
  const field = (name: string) => pdu?.fields.find((each) => each.name === name)?.value;
  assert.deepEqual([sent?.command, sent?.source], ['submit_sm', 'rebuilt']);
  assert.ok(sent?.fields.some(({ name, value }) => name === 'short_message (text)' && value === 'The common text'));
  assert.equal(field('esm_class'), '4');
  assert.equal(field('tlvs.receipted_message_id'), '77');
  assert.equal(field('short_message (text)'), told);

  await owner.query(`UPDATE billing_account SET content_visible = false`);
  const hidden = JSON.stringify(await look());
  assert.match(hidden, /esm_class/);
  assert.doesNotMatch(hidden, /Hidden|48696464656e/);
});
