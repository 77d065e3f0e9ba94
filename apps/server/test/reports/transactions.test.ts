import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getMessage, transactions } from '@heliograph/contract/delivery/transaction';
import { toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { encodePdu } from '@heliograph/smpp';
import { type Client, startTestApi } from '../test-api.ts';
import { makeTraffic } from './made-traffic.ts';

type Row = ReplyOf<typeof transactions>['data'][number];

const DAY = 86_400_000;
const now = Date.now();
const api = await startTestApi({ after });
const owner = api.database.pool('owner');
/** Returns the date in Manila, the time zone of all demo tenants. */
const manila = (time: number) => new Date(time + 8 * 3_600_000).toISOString().slice(0, 10);
const week = { from: manila(now - 8 * DAY), to: manila(now) };

async function page(client: Client, query: Record<string, string | number>) {
  const { status, body } = await client(
    'GET',
    `/api/v1/transactions?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return transactions.reply.parse(body);
}

/** Reads the whole selection, page by page. */
async function all(client: Client, query: Record<string, string | number> = {}, limit = 200): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const reply = await page(client, { ...week, limit, ...query, ...(cursor && { cursor }) });
    rows.push(...reply.data);
    assert.equal(reply.has_more, reply.next_cursor !== null);
    cursor = reply.next_cursor;
  } while (cursor);
  return rows;
}

test('pages of any size join to the same whole, newest first, each message once', async () => {
  const client = await api.as('corporate');
  const whole = await all(client);
  assert.ok(whole.length > 2_000, String(whole.length));
  assert.deepEqual(
    whole.map((row) => row.id),
    [...new Set(whole.map((row) => row.id))].sort((a, b) => b - a),
  );
  const campaign_id = whole[0]!.campaign_id!;
  const small = await all(client, { campaign_id }, 37);
  assert.deepEqual(
    small.map((row) => row.id),
    whole.filter((row) => row.campaign_id === campaign_id).map((row) => row.id),
  );
});

test('pages over consecutive chunks miss no message', async () => {
  const at = new Date(now - 2 * DAY);
  const ids: number[] = [];
  for (const size of [1, 3, 1, 2, 1, 1])
    ids.push(
      ...(await makeTraffic(owner, {
        corporation: 'Northwind Telecom',
        at,
        messages: Array.from({ length: size }, () => ({})),
      })),
    );
  const { rows } = await owner.query<{ id: number }>("SELECT id FROM corporation WHERE name = 'Northwind Telecom'");
  for (const limit of [1, 2, 4, 9]) {
    const found = await all(await api.as('reseller'), { corporation_id: rows[0]!.id }, limit);
    assert.deepEqual(
      found.map((row) => row.id),
      ids.toReversed(),
      `${limit} a page`,
    );
  }
});

test('the charge in the report is the charge in the ledger', async () => {
  const rows = await all(await api.as('superadmin'));
  const charged = rows.reduce((sum, row) => sum + toThousandths(row.charge), 0);
  const { rows: ledger } = await owner.query<{ charged: number }>(
    "SELECT -sum(amount)::bigint AS charged FROM ledger_transfer WHERE kind = 'charge'",
  );
  assert.ok(charged > 0);
  assert.equal(charged, ledger[0]!.charged);
});

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

test('a day begins and ends at midnight of the time zone of the corporation', async () => {
  const day = '2026-03-10';
  const clocked = await startTestApi({ after }, { clock: { now: () => new Date('2026-03-20T10:00:00Z') } });
  const edges = [
    '2026-03-09T15:59:59.999Z',
    '2026-03-09T16:00:00Z',
    '2026-03-10T15:59:59.999Z',
    '2026-03-10T16:00:00Z',
  ];
  const ids: number[] = [];
  for (const at of edges) {
    ids.push(
      ...(await makeTraffic(clocked.database.pool('owner'), {
        corporation: 'Acme Retail',
        at: new Date(at),
        messages: [{}],
      })),
    );
  }
  const { data } = await page(await clocked.as('corporate'), { from: day, to: day });
  assert.deepEqual(data.map((row) => row.id).reverse(), ids.slice(1, 3));
});

test('each filter leaves exactly the messages that match it', async () => {
  const client = await api.as('corporate');
  const longest = '639170001999999';
  await makeTraffic(owner, { corporation: 'Acme Retail', at: new Date(now - DAY), messages: [{ msisdn: longest }] });
  const whole = await all(client);
  for (const state of MESSAGE_STATES) {
    assert.deepEqual(
      await all(client, { state }),
      whole.filter((row) => row.state === state),
      state,
    );
  }
  const number = whole[100]!.number;
  for (const [typed, digits] of [
    [number, number],
    [`+${number.slice(0, 2)} ${number.slice(2, 5)}-${number.slice(5)}`, number],
    [number.slice(0, 10), number.slice(0, 10)],
    [number.slice(0, 4), number.slice(0, 4)],
    [longest.slice(0, 9), longest.slice(0, 9)],
    ['999', '999'],
  ] as const) {
    const found = await all(client, { number: typed });
    const expected = whole.filter((row) => row.number.startsWith(digits));
    assert.deepEqual(found, expected, typed);
  }
  const sender_id = whole[0]!.sender_id;
  assert.deepEqual(
    await all(client, { sender_id }),
    whole.filter((row) => row.sender_id === sender_id),
  );
  const letters = await client('GET', `/api/v1/transactions?${new URLSearchParams({ ...week, number: '0917-CALL' })}`);
  assert.equal(letters.status, 422);
});

test('nobody sees a message of a corporation, department or person beyond their own', async () => {
  const numbers = async (login: string, query = {}) =>
    new Set((await all(await api.as(login), query)).map((row) => `${row.corporation_name}/${row.user_name}`));
  assert.deepEqual(await numbers('user'), new Set(['Acme Retail/Acme marketing user']));
  assert.deepEqual(await numbers('readonly'), await numbers('department'), 'all of the department');
  for (const who of await numbers('corporate@harbor.test')) assert.match(who, /^Blue Harbor Bank\//);
  for (const who of await numbers('reseller')) assert.match(who, /^(Northwind Telecom|Acme Retail)\//);
  const { rows } = await owner.query<{ id: number }>("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'");
  for (const login of ['reseller', 'corporate', 'department', 'user'])
    assert.equal((await numbers(login, { corporation_id: rows[0]!.id })).size, 0, login);
  assert.ok((await numbers('admin', { corporation_id: rows[0]!.id })).size > 0);
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
    ] as const) {
      const { status, body: refused } = await (await api.as(login))(method, path, asked);
      assert.deepEqual([status, Object.keys((refused as { errors: object }).errors)], [422, ['link_id']], path);
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

test('a period that is too long, too old or backwards is refused at its end date', async () => {
  const client = await api.as('corporate');
  for (const [from, to] of [
    [manila(now - 40 * DAY), manila(now)],
    [manila(now - 400 * DAY), manila(now - 390 * DAY)],
    [manila(now), manila(now - DAY)],
  ] as const) {
    const { status, body } = await client('GET', `/api/v1/transactions?${new URLSearchParams({ from, to })}`);
    assert.equal(status, 422);
    assert.deepEqual(Object.keys((body as { errors: object }).errors), ['to']);
    const exported = await client('POST', '/api/v1/transactions/exports', { from, to });
    assert.equal(exported.status, 422);
  }
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
