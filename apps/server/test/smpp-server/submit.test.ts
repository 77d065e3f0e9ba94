import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  concatenationUdh,
  encodeGsm,
  encodeShortMessage,
  formatAbsoluteTime,
  formatRelativeTime,
  MESSAGE_STATE,
  STATUS,
  type SubmitMultiResp,
  statusName,
} from '@heliograph/smpp';
import { bind, receiptsOf, smppStage, until } from './stage.ts';

const stage = await smppStage({ after });
const { owner } = stage;
const simulator = await stage.carrier();
const server = await stage.server();
const harbor = await stage.customer('harbor', { octets: 'utf8' });

/** Reads the stored message that a program knows by this id. */
const stored = (id: string) =>
  stage.one<{ text: string; parts: number; unit_price: number; number: string; class: string; flash: boolean }>(
    `SELECT m.text, m.parts, m.unit_price, m.number, k.class, k.flash FROM program_message p JOIN message_row m ON m.id = p.message_id
     JOIN chunk k ON k.id = p.message_id >> 10 WHERE p.message_id = $1::bigint OR p.client_ref = $1::bigint::text`,
    [id],
  );
const errors = (outcomes: readonly { status: number }[]) => outcomes.map(({ status }) => statusName(status));
const gsm = (text: string) => encodeShortMessage(text, 'gsm');
const header = (hex: string, text: string) => Buffer.concat([Buffer.from(hex, 'hex'), gsm(text)]);

test('an accepted message is stored, priced, sent, and reported once with its id', async () => {
  const esme = await bind(server, 'harbor');
  const answers = await Promise.all(
    ['1', '2', '3'].map((n) => esme.submit({ destination_addr: `63917000000${n}`, registered_delivery: 1 })),
  );
  const silent = await esme.submit({ destination_addr: '639170000004.0' });
  assert.deepEqual(errors([...answers, silent]), ['ESME_ROK', 'ESME_ROK', 'ESME_ROK', 'ESME_ROK']);
  const ids = answers.map(({ message_id }) => message_id);
  await until('three receipts have come', () => receiptsOf(esme).length >= 3);
  assert.deepEqual(
    new Map(receiptsOf(esme).map(({ id, state }) => [id, state])),
    new Map(ids.map((id) => [id, MESSAGE_STATE.delivered])),
  );
  for (const id of ids) assert.equal((await stored(id)).unit_price, 350);
  const text = esme.received[0] as { short_message: Uint8Array; source_addr: string; destination_addr: string };
  assert.match(
    Buffer.from(text.short_message).toString('latin1'),
    /^id:\d+ sub:001 dlvrd:001 submit date:\d{10} done date:\d{10} stat:DELIVRD err:000 text:Hello/i,
  );
  assert.deepEqual([text.source_addr.slice(0, 5), text.destination_addr], ['63917', 'Acme']);
  const query = await esme.request({ command: 'query_sm', message_id: ids[0]!, source_addr: 'Acme' });
  assert.equal(query.status, STATUS.ROK);
  const { message_state, final_date } = query.pdu as { message_state: number; final_date: string };
  assert.equal(message_state, MESSAGE_STATE.delivered);
  assert.match(final_date, /^\d{12}000\+$/);
  await until('nothing waits any more', async () => (await owner.query('SELECT FROM smpp_delivery')).rowCount === 0);
  await esme.session.unbind();
});

test('a text arrives as written in each alphabet, in short_message or in a TLV', async () => {
  const esme = await bind(server, 'harbor');
  const long = '@£$¥ {}[]~€ '.repeat(40);
  const cases: [fields: Parameters<typeof esme.submit>[0], text: string][] = [
    [{ data_coding: 0, short_message: gsm('@£$¥{}[]~€') }, '@£$¥{}[]~€'],
    [{ data_coding: 1, short_message: Buffer.from('plain') }, 'plain'],
    [{ data_coding: 3, short_message: Buffer.from('àéîöÿ', 'latin1') }, 'àéîöÿ'],
    [{ data_coding: 8, short_message: encodeShortMessage('世界 😀', 'ucs2') }, '世界 😀'],
    [{ data_coding: 4, short_message: Buffer.from('octets: ö') }, 'octets: ö'],
    [{ data_coding: 0x10, short_message: gsm('on the screen') }, 'on the screen'],
    // Half of a surrogate pair cannot be stored as text.
    [{ data_coding: 8, short_message: Buffer.from([0x00, 0x41, 0xd8, 0x00]) }, 'A\ud800'],
    [{ short_message: Buffer.alloc(0), tlvs: { message_payload: gsm(long) } }, long],
  ];
  for (const [fields, text] of cases) {
    const answer = await esme.submit({ ...fields });
    assert.equal(
      statusName(answer.status),
      fields!.data_coding === 0x10 || !text.isWellFormed() ? 'ESME_RSUBMITFAIL' : 'ESME_ROK',
      text,
    );
    if (answer.status === STATUS.ROK) assert.equal((await stored(answer.message_id)).text, text);
  }
  // The account of this customer does not allow flash messages: a request for one is refused, not sent as normal.
  const data = await esme.request({
    command: 'data_sm',
    source_addr: 'Acme',
    destination_addr: '+639170000005',
    tlvs: { message_payload: gsm('by data_sm') },
  });
  assert.equal(statusName(data.status), 'ESME_ROK');
  const row = await stored(data.message_id);
  assert.deepEqual([row.text, row.number], ['by data_sm', '639170000005']);
  await esme.session.unbind();
});

test('parts in any order, over two binds, become one message with one id', async () => {
  const one = await bind(server, 'harbor');
  const two = await bind(server, 'harbor');
  const text = `${'0123456789 {}€ '.repeat(24)}the end`;
  const octets = encodeGsm(text);
  const cut = [0, 153, 305, octets.length];
  const bodies = [0, 1, 2].map((i) => Buffer.from(octets.subarray(cut[i], cut[i + 1])));
  const ways = {
    udh_8: (i: number) => ({
      esm_class: 0x40,
      short_message: Buffer.concat([concatenationUdh({ ref: 7, total: 3, number: i + 1 }), bodies[i]!]),
    }),
    udh_16: (i: number) => ({
      esm_class: 0x40,
      short_message: Buffer.concat([concatenationUdh({ ref: 700, total: 3, number: i + 1 }, true), bodies[i]!]),
    }),
    sar: (i: number) => ({
      short_message: bodies[i]!,
      tlvs: { sar_msg_ref_num: 7, sar_total_segments: 3, sar_segment_seqnum: i + 1 },
    }),
  };
  for (const [way, fieldsOf] of Object.entries(ways)) {
    const answers = [];
    // Each part is answered before the next is sent, as with a window of one. The first part comes twice.
    for (const i of [2, 0, 0, 1])
      answers.push(await (i === 0 ? two : one).submit({ ...fieldsOf(i), registered_delivery: i === 1 ? 1 : 0 }));
    assert.deepEqual(errors(answers), Array(4).fill('ESME_ROK'), way);
    assert.equal(new Set(answers.map(({ message_id }) => message_id)).size, 1, way);
    const id = answers[0]!.message_id;
    const row = await stored(id);
    assert.equal(row.text, text, way);
    assert.equal(row.parts, 3);
    const all = () => [...receiptsOf(one), ...receiptsOf(two)].filter((receipt) => receipt.id === id);
    await until('the whole is reported', () => all().length > 0);
    assert.equal(all().length, 1);
  }
  await until('no part is left', async () => (await owner.query('SELECT FROM smpp_long_message')).rowCount === 0);
  await Promise.all([one.session.unbind(), two.session.unbind()]);
});

test('incomplete parts expire as one message; complete ones survive a dead process', async () => {
  const esme = await bind(server, 'harbor');
  const part = (ref: number, number: number) => ({
    esm_class: 0x40,
    registered_delivery: 1,
    short_message: Buffer.concat([concatenationUdh({ ref, total: 2, number }), gsm(`part ${number}`)]),
  });
  const lonely = await esme.submit(part(1, 1));
  const orphaned = await esme.submit(part(2, 1));
  await owner.query(
    `INSERT INTO smpp_part SELECT smpp_long_message_id, corporation_id, 2, body, data_coding, udh_octets, 1 FROM smpp_part WHERE smpp_long_message_id = $1`,
    [orphaned.message_id],
  );
  await owner.query(
    `UPDATE smpp_long_message SET key = NULL, received_at = now() - interval '1 minute' WHERE id = $1`,
    [orphaned.message_id],
  );
  await owner.query(`UPDATE smpp_long_message SET received_at = now() - interval '11 minutes' WHERE id = $1`, [
    lonely.message_id,
  ]);
  await until('both are reported', () => receiptsOf(esme).length === 2);
  assert.deepEqual(
    new Map(receiptsOf(esme).map(({ id, state }) => [id, state])),
    new Map([
      [lonely.message_id, MESSAGE_STATE.expired],
      [orphaned.message_id, MESSAGE_STATE.delivered],
    ]),
  );
  assert.equal((await stored(orphaned.message_id)).text, 'part 1part 1');
  await esme.session.unbind();
});

test('submit_multi has one id for all recipients, and lists those it refused', async () => {
  const esme = await bind(server, 'harbor');
  const to = (destination_addr: string) => ({ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr });
  const answer = await esme.request({
    command: 'submit_multi',
    source_addr: 'Acme',
    destinations: [to('639170000011'), to('12'), to('639170000012')],
    registered_delivery: 1,
    short_message: gsm('to many'),
  });
  assert.equal(statusName(answer.status), 'ESME_ROK');
  const { message_id, unsuccess } = answer.pdu as SubmitMultiResp;
  assert.deepEqual(
    unsuccess.map(({ destination_addr, error_status_code }) => [destination_addr, error_status_code]),
    [['12', STATUS.RINVDSTADR]],
  );
  await until('both recipients are reported', () => receiptsOf(esme).length === 2);
  assert.deepEqual(esme.received.map((each) => (each as { source_addr: string }).source_addr).sort(), [
    '639170000011',
    '639170000012',
  ]);
  assert.deepEqual(new Set(receiptsOf(esme).map(({ id }) => id)), new Set([message_id]));
  await esme.session.unbind();
});

test('a scheduled message can be replaced and cancelled by its id', async () => {
  const esme = await bind(server, 'harbor');
  const reservedOf = async () =>
    (
      await stage.one<{ reserved: number }>('SELECT reserved FROM billing_account WHERE id = $1', [
        harbor.billing_account_id,
      ])
    ).reserved;
  await until('all is settled', async () => (await reservedOf()) === 0);
  const relative = await esme.submit({ schedule_delivery_time: formatRelativeTime(3_600), registered_delivery: 1 });
  const absolute = await esme.submit({
    schedule_delivery_time: formatAbsoluteTime(Date.now() + 7_200_000),
    validity_period: formatRelativeTime(600),
    registered_delivery: 1,
  });
  assert.deepEqual(errors([relative, absolute]), ['ESME_ROK', 'ESME_ROK']);
  assert.equal(await reservedOf(), 700);
  const told = { message_id: relative.message_id, source_addr: 'Acme' };
  const replaced = await esme.request({
    command: 'replace_sm',
    ...told,
    short_message: gsm('the new text'),
    registered_delivery: 1,
  });
  assert.equal(statusName(replaced.status), 'ESME_ROK');
  const { rows } = await owner.query(
    `SELECT m.text, m.state FROM program_message p JOIN message_row m ON m.id = p.message_id WHERE p.client_ref = $1`,
    [relative.message_id],
  );
  assert.deepEqual(rows, [{ text: 'the new text', state: 'pending' }]);
  assert.equal(await reservedOf(), 700);
  for (const { message_id } of [relative, absolute]) {
    const query = await esme.request({ command: 'query_sm', message_id, source_addr: 'Acme' });
    assert.equal((query.pdu as { message_state: number }).message_state, MESSAGE_STATE.enroute);
    const call = { command: 'cancel_sm' as const, message_id, source_addr: 'Acme' };
    assert.equal(statusName((await esme.request(call)).status), 'ESME_ROK');
    assert.equal(statusName((await esme.request(call)).status), 'ESME_RCANCELFAIL');
  }
  assert.equal(await reservedOf(), 0);
  await until('both are reported as deleted', () => receiptsOf(esme).length === 2);
  assert.deepEqual(
    receiptsOf(esme)
      .map(({ id, state }) => [id, state])
      .sort(),
    [relative, absolute].map(({ message_id }) => [message_id, MESSAGE_STATE.deleted]).sort(),
  );
  await esme.session.unbind();
});

test('cancel_sm without an id cancels all unsent messages of a sender to a number', async () => {
  const esme = await bind(server, 'harbor');
  const later = { schedule_delivery_time: formatRelativeTime(3_600), destination_addr: '639170000055' };
  const waiting = await Promise.all([esme.submit(later), esme.submit(later)]);
  const other = await esme.submit({ ...later, destination_addr: '639170000056' });
  const call = { command: 'cancel_sm' as const, message_id: '', source_addr: 'Acme', destination_addr: '639170000055' };
  assert.equal(statusName((await esme.request({ ...call, destination_addr: '' })).status), 'ESME_RINVDSTADR');
  assert.equal(statusName((await esme.request({ ...call, source_addr: '' })).status), 'ESME_RINVSRCADR');
  assert.equal(statusName((await esme.request(call)).status), 'ESME_ROK');
  assert.equal(statusName((await esme.request(call)).status), 'ESME_RCANCELFAIL');
  const stateOf = async ({ message_id }: { message_id: string }) => {
    const { pdu } = await esme.request({ command: 'query_sm', message_id });
    return (pdu as { message_state: number }).message_state;
  };
  assert.deepEqual(await Promise.all(waiting.map(stateOf)), Array(2).fill(MESSAGE_STATE.deleted));
  assert.equal(await stateOf(other), MESSAGE_STATE.enroute);
  const { message_id } = other;
  await esme.request({ command: 'cancel_sm', message_id, source_addr: 'Acme' });
  await esme.session.unbind();
});

test('an invalid submit is refused with its error, and nothing is stored', async () => {
  const esme = await bind(server, 'harbor');
  const before = (await owner.query('SELECT FROM message')).rowCount;
  const past = formatAbsoluteTime(Date.now() - 3_600_000);
  const wrong: [fields: Parameters<typeof esme.submit>[0], status: string][] = [
    [{ source_addr: 'Other' }, 'ESME_RINVSRCADR'],
    [{ destination_addr: '12' }, 'ESME_RINVDSTADR'],
    [{ destination_addr: '63917000000.1' }, 'ESME_RINVDSTADR'],
    [{ schedule_delivery_time: '990230000000000+x'.slice(0, 16) }, 'ESME_RINVSCHED'],
    [{ validity_period: past }, 'ESME_RINVEXPIRY'],
    [{ priority_flag: 9 }, 'ESME_RINVPRTFLG'],
    [{ esm_class: 0x04 }, 'ESME_RINVESMCLASS'],
    [{ data_coding: 5 }, 'ESME_RX_P_APPN'],
    [{ data_coding: 8, short_message: Buffer.from([1, 2, 3]) }, 'ESME_RINVMSGLEN'],
    [{ short_message: gsm('x'), tlvs: { message_payload: gsm('y') } }, 'ESME_RINVMSGLEN'],
    [{ short_message: Buffer.alloc(0) }, 'ESME_RINVMSGLEN'],
    // User data headers: ports, a national language, one longer than its text, a damaged one, one without text.
    [{ esm_class: 0x40, short_message: header('060504158a0000', 'x') }, 'ESME_RX_P_APPN'],
    [{ esm_class: 0x40, short_message: header('03240101', 'x') }, 'ESME_RX_P_APPN'],
    [{ esm_class: 0x40, short_message: header('0a00030102', '01') }, 'ESME_RINVMSGLEN'],
    [{ esm_class: 0x40, short_message: header('050006010101', 'x') }, 'ESME_RINVESMCLASS'],
    [{ esm_class: 0x40, short_message: header('050003010101', '') }, 'ESME_RINVMSGLEN'],
    [{ short_message: Buffer.alloc(0), tlvs: { message_payload: gsm('x'.repeat(2_000)) } }, 'ESME_RINVMSGLEN'],
  ];
  for (const [fields, status] of wrong) assert.equal(statusName((await esme.submit(fields)).status), status);
  const query = (message_id: string) => esme.request({ command: 'query_sm', message_id, source_addr: '' });
  assert.equal(statusName((await query('nothing')).status), 'ESME_RINVMSGID');
  assert.equal(statusName((await query('99')).status), 'ESME_RINVMSGID');
  assert.equal((await owner.query('SELECT FROM message')).rowCount, before);
  assert.equal(simulator.counts().binds, 1);
  await esme.session.unbind();
});
