import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '#modules/billing';
import { PostgresSession } from '../../src/modules/delivery/postgres-session.ts';
import { resolveOrphans } from '../../src/modules/delivery/sweeps/resolve-orphans.ts';
import { settleUnanswered } from '../../src/modules/delivery/sweeps/settle-unanswered.ts';
import { connectionSettings } from '../../src/platform/database/db.ts';
import { ownWriter } from './outcome-writer.ts';
import { ownCarrier } from './own-carrier.ts';
import { FUNDS, logOf, numbers, stage, UNIT_PRICE, until } from './stage.ts';

const DAY = 86_400_000;

// Each test has its own stage and mostly waits.
describe('messages without an answer', { concurrency: true }, () => {
  test('a message that the carrier never answers stays submitted and is never sent again', async (t) => {
    const s = await stage(t);
    const simulator = await s.simulator();
    await s.addLink({ port: simulator.smppPort });
    const first = await s.sender();
    const campaign = await s.campaign(numbers(20, '9906'));
    await until('all were handed over', () => simulator.counts().unanswered === 20);
    await first.stop();
    await s.sender();
    await sleep(2_000);
    assert.equal(logOf(simulator).length, 20);
    assert.deepEqual(await s.states(), { submitted: 20 });
    const { processed, submitted, charged, released } = await s.counters(campaign.id);
    assert.deepEqual(
      { processed, submitted, charged, released },
      { processed: 20, submitted: 0, charged: 0, released: 0 },
    );
    assert.equal((await s.account()).reserved, 20 * UNIT_PRICE);
    assert.deepEqual(await reconcile(s.owner), []);
  });

  test('an answer after the response timeout resolves its message, which was sent once', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, (submit, { accept, receipt }) => {
      setTimeout(() => {
        accept(submit);
        receipt(submit, String(submit.number));
      }, 2_500);
    });
    await s.addLink({ port: carrier.port, response_seconds: 1 });
    await s.sender();
    const campaign = await s.campaign(numbers(10));
    // A late answer may be stored after its receipt.
    await until('all are delivered, and their answers are on record', async () => {
      const { delivered, submitted } = await s.counters(campaign.id);
      return delivered === 10 && submitted === 10;
    });
    assert.equal((await s.counters(campaign.id)).charged, 10 * UNIT_PRICE);
    assert.equal(carrier.submits.length, 10);
  });

  test('an unanswered message fails 72 hours after its validity and frees its reserve', async (t) => {
    const s = await stage(t);
    await s.addLink({ port: 9 });
    const campaign = await s.campaign(numbers(30).map((m) => ({ ...m, parts: 2, text: 'x'.repeat(200) })));
    // The same campaign five days ago: half of it handed over and never answered, the other half accepted.
    const past = Math.floor(Date.now() / DAY - 5) * 2 ** 28 + 1;
    await s.owner.query('UPDATE message SET id = ($1::bigint << 10) + (id & 1023)', [past]);
    await s.owner.query(`UPDATE chunk SET id = $1, cursor = 30, state = 'done'`, [past]);
    await s.owner.query(`UPDATE campaign SET expires_at = now() - interval '73 hours', state = 'completed'`);
    await s.owner.query('UPDATE campaign_counter SET processed = 30');
    await s.owner.query(
      `INSERT INTO submission (message_id, part, corporation_id, link_id, carrier_id, command_status, answered_at)
     SELECT id, p, corporation_id, $1, id || '/' || p, 0, now() - interval '5 days' FROM message, generate_series(1, 2) p WHERE (id & 1023) < 15`,
      [s.linkId],
    );
    const session = new PostgresSession(connectionSettings({ DATABASE_URL: s.database.url }, 'sender'), 'test');
    s.closing.push(() => session.end());
    const client = await session.client();
    assert.equal(await settleUnanswered(client, 'a'), 1);
    assert.equal(await settleUnanswered(client, 'b'), 0, 'it is done for good');
    assert.deepEqual(await s.states(), { submitted: 15, failed_submit: 15 });
    const { failed, released } = await s.counters(campaign.id);
    assert.deepEqual({ failed, released }, { failed: 15, released: 15 * 2 * UNIT_PRICE });
    assert.equal((await s.account()).credit_balance, FUNDS - 15 * 2 * UNIT_PRICE);
  });
});

describe('receipts that find no message, or cannot be stored', { concurrency: true }, () => {
  test('a receipt with an unknown id finds its message if only one fits', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, () => undefined);
    await s.addLink({ port: carrier.port, response_seconds: 600 });
    await s.sender();
    const to = (end: number, text: string) => ({ msisdn: `63917000000${end}`, text });
    const campaign = await s.campaign([
      to(1, 'Known by its reference'),
      to(2, 'Known by number, time and text'),
      to(3, 'Known though the receipt has no id'),
      to(4, 'Twice the same to one phone'),
      to(4, 'Twice the same to one phone'),
      to(5, 'Accepted without an id'),
      to(6, 'Of this one nothing is heard'),
      { ...to(7, 'long '.repeat(50)), parts: 2 },
    ]);
    await until('all were handed over', () => carrier.submits.length === 9);
    const of = (end: number, part = 0) =>
      carrier.submits.filter(({ pdu }) => pdu.destination_addr === `63917000000${end}`)[part]!;
    assert.equal(new Set(carrier.submits.map(({ pdu }) => pdu.tlvs?.user_message_reference)).size, 9);
    carrier.accept(of(5), '');
    carrier.receipt(of(1), 'x1');
    carrier.receipt(of(2), 'x2', { withReference: false, text: 'Known by number, time and text' });
    carrier.receipt(of(3), '');
    carrier.receipt(of(4), 'x4', { withReference: false, text: 'Twice the same to one phone' });
    carrier.receipt(of(5), 'x5', { state: 'undeliverable', error: '027' });
    carrier.receipt(of(6), 'x6', { withReference: false, text: 'Something else altogether' });
    carrier.receipt(of(7, 0), 'x7');
    carrier.receipt(of(7, 1), 'x8');
    await until('the receipts are answered', () => carrier.answers.filter((status) => status === 0).length >= 8);
    await until('the answer without an id is on record', async () => {
      const { answers } = await s.one<{ answers: number }>('SELECT count(*) AS answers FROM submission_row');
      return answers === 1;
    });
    const writer = ownWriter(s);
    const resolve = async () => {
      await resolveOrphans(s.database.pool('sender'), s.config(), writer, { oldestSeconds: 600, youngestSeconds: 0 });
      await writer.flushed();
    };
    await resolve();
    // Two processes, or one that restarts, find each match only once.
    await resolve();
    assert.deepEqual(await s.states(), { delivered: 4, failed_other: 1, submitted: 3 });
    const { rows } = await s.owner.query<{ msisdn: string; carrier_id: string | null }>(
      'SELECT msisdn, carrier_id FROM submission_row JOIN message m ON m.id = message_id ORDER BY msisdn, part',
    );
    assert.deepEqual(
      rows.map(({ msisdn, carrier_id }) => [msisdn.at(-1), carrier_id]),
      [
        ['1', 'x1'],
        ['2', 'x2'],
        ['3', null],
        ['5', null],
        ['7', 'x7'],
        ['7', 'x8'],
      ],
    );
    const { delivered, failed, charged } = await s.counters(campaign.id);
    assert.deepEqual({ delivered, failed, charged }, { delivered: 4, failed: 1, charged: 6 * UNIT_PRICE });
    assert.equal((await s.account()).reserved, 3 * UNIT_PRICE, 'what is uncertain stays reserved');
    assert.deepEqual(await reconcile(s.owner), []);
  });

  test('an outcome that cannot be stored is set aside, and all others are stored', async (t) => {
    const s = await stage(t);
    const simulator = await s.simulator();
    await s.addLink({ port: simulator.smppPort });
    const campaign = await s.campaign(numbers(200));
    const { id } = await s.one<{ id: number }>('SELECT id FROM message WHERE (id & 1023) = 77');
    await s.owner.query(
      `ALTER TABLE receipt_pack ADD CONSTRAINT poison CHECK ('77' <> ALL (string_to_array(places, ',')))`,
    );
    await s.sender();
    await until('the others are delivered', async () => (await s.counters(campaign.id)).delivered === 199);
    await until('one is set aside', async () => {
      const { count } = await s.one<{ count: number }>('SELECT count(*) FROM set_aside');
      return count === 1;
    });
    const { kind, record } = await s.one<{ kind: string; record: { segment: unknown } }>(
      'SELECT kind, record FROM set_aside',
    );
    assert.deepEqual({ kind, segment: record.segment }, { kind: 'receipt', segment: { message_id: id, part: 1 } });
    await until('the carrier is rid of every receipt', () => simulator.counts().receipts_acknowledged === 200);
  });

  test('receipts that cannot be stored are left to the carrier, which sends them again', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, (submit, own) => own.accept(submit));
    await s.addLink({ port: carrier.port });
    await s.sender();
    const campaign = await s.campaign(numbers(50));
    await until('all were accepted', async () => (await s.counters(campaign.id)).submitted === 50);
    const taken = () => carrier.answers.filter((status) => status === 0).length;
    // A lock timeout means a busy database, which counts as unavailable.
    const blocker = await s.owner.connect();
    await blocker.query('BEGIN; LOCK TABLE receipt_pack IN ACCESS EXCLUSIVE MODE');
    const { rows } = await s.owner.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%writer%'`,
    );
    for (const submit of carrier.submits) carrier.receipt(submit, String(submit.number));
    await sleep(1_500);
    assert.equal(taken(), 0, 'no receipt is answered before it is stored');
    for (const { pid } of rows) await s.owner.query('SELECT pg_terminate_backend($1, 60000)', [pid]);
    await sleep(300);
    await blocker.query('ROLLBACK');
    blocker.release();
    await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 50);
    await until('the carrier is rid of every receipt', () => taken() >= 50);
    assert.deepEqual(await s.states(), { delivered: 50 });
  });
});
