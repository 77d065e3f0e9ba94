import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startVictim } from '@heliograph/fault-kit';
import { STATUS } from '@heliograph/smpp';
import { reconcile } from '#modules/billing';
import { type OwnCarrier, ownCarrier, type Submitted } from './own-carrier.ts';
import { numbers, type Stage, stage, UNIT_PRICE, until } from './stage.ts';

const SENDER = join(import.meta.dirname, '../../src/processes/sender.ts');
const OTP = { shared: { class: 'otp' as const } };

/** Counts how often each number was submitted. */
const tries = ({ submits }: OwnCarrier): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { pdu } of submits) counts[pdu.destination_addr] = (counts[pdu.destination_addr] ?? 0) + 1;
  return counts;
};

/** Returns which try of its number a segment is, from 1. */
const tryOf = (submit: Submitted, { submits }: OwnCarrier): number =>
  submits.filter(({ number, pdu }) => number <= submit.number && pdu.destination_addr === submit.pdu.destination_addr)
    .length;

const resends = async (s: Stage) => (await s.one<{ count: number }>('SELECT count(*) AS count FROM resend')).count;

// Each test has its own stage and mostly waits.
describe('sign-in codes', { concurrency: true }, () => {
  test('a code without an answer is sent once more with the same reference', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, (submit, own) => {
      if (tryOf(submit, own) === 2) {
        own.accept(submit);
        own.receipt(submit, String(submit.number));
      }
    });
    await s.addLink({ port: carrier.port, response_seconds: 1 });
    await s.sender();
    const campaign = await s.campaign(numbers(5), OTP);
    await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 5);
    assert.deepEqual(Object.values(tries(carrier)), [2, 2, 2, 2, 2]);
    const references = new Set(
      carrier.submits.map(({ pdu }) => `${pdu.destination_addr} ${pdu.tlvs?.user_message_reference}`),
    );
    assert.equal(references.size, 5, 'both tries bear the same reference');
    // The carrier remembers the first try after all: the same code, both ids, one charge, one outcome.
    for (const submit of carrier.submits.slice(0, 5)) {
      carrier.accept(submit);
      carrier.receipt(submit, String(submit.number));
    }
    await until('the receipts of both are answered', () => carrier.answers.filter((a) => a === 0).length >= 10);
    await until('both answers of all are on record', async () => {
      const { rows } = await s.owner.query('SELECT first_status, second_status FROM resend');
      return rows.length === 5 && rows.every((row) => row.first_status !== null && row.second_status !== null);
    });
    const { rows } = await s.owner.query('SELECT first_status, second_status FROM resend');
    assert.deepEqual(rows, Array(5).fill({ first_status: 0, second_status: 0 }));
    const { delivered, charged, submitted } = await s.counters(campaign.id);
    assert.deepEqual({ delivered, charged, submitted }, { delivered: 5, charged: 5 * UNIT_PRICE, submitted: 5 });
    assert.deepEqual(await reconcile(s.owner), []);
  });

  test('a code leaves immediately although unanswered bulk fills the window', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, () => undefined);
    await s.addLink({ port: carrier.port, window_size: 40, response_seconds: 600 });
    await s.sender();
    await s.campaign(numbers(100));
    await until('bulk has taken its places', () => carrier.submits.length >= 38);
    await s.campaign(numbers(2, '88'), OTP);
    await until('both codes left', () => carrier.submits.length === 40);
    assert.deepEqual(
      carrier.submits.slice(38).map(({ pdu }) => pdu.destination_addr),
      numbers(2, '88').map(({ msisdn }) => msisdn),
    );
  });

  test('a code fails after late refusals of both tries', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, (submit, own) => {
      if (tryOf(submit, own) === 2) for (const each of own.submits) own.refuse(each, STATUS.RINVDSTADR);
    });
    await s.addLink({ port: carrier.port, response_seconds: 1 });
    await s.sender();
    const campaign = await s.campaign(numbers(1), OTP);
    await until('it has failed', async () => (await s.counters(campaign.id)).failed === 1);
    assert.deepEqual(await s.states(), { failed_submit: 1 });
    assert.equal(carrier.submits.length, 2);
    assert.equal((await s.account()).reserved, 0);
    assert.deepEqual(await reconcile(s.owner), []);
  });
});

describe('a sign-in code is sent twice at most', { concurrency: true }, () => {
  test('a code that is never answered is sent twice, and any other message once', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, () => undefined);
    await s.addLink({ port: carrier.port, response_seconds: 1 });
    const first = await s.sender();
    await s.campaign(numbers(4), OTP);
    await s.campaign(numbers(3, '88'));
    await until('the codes were sent twice', () => carrier.submits.length === 11);
    await sleep(2_500);
    await first.stop();
    await s.sender();
    // Longer than the next sender takes to look for messages that the previous one left.
    await sleep(5_000);
    assert.deepEqual(Object.values(tries(carrier)).sort(), [1, 1, 1, 2, 2, 2, 2]);
    assert.deepEqual(await s.states(), { submitted: 7 });
    assert.equal((await s.account()).reserved, 7 * UNIT_PRICE);
    assert.deepEqual(await reconcile(s.owner), []);
  });

  test('a code whose session ends after the bytes left is sent once more', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, (submit, own) => {
      const again = tryOf(submit, own) === 2;
      if (submit.pdu.destination_addr.endsWith('1')) {
        if (again) own.refuse(submit, STATUS.RINVDSTADR);
      } else if (again) own.accept(submit);
      else if (own.submits.length === 2) setTimeout(() => submit.session.destroy(), 50);
    });
    await s.addLink({ port: carrier.port, response_seconds: 3 });
    await s.sender();
    const campaign = await s.campaign(numbers(2), OTP);
    await until('both were tried twice', () => carrier.submits.length === 4);
    await until('one was accepted', async () => (await s.counters(campaign.id)).submitted === 1);
    const told = () =>
      s.one<{ first: number | null; second: number | null }>(
        `SELECT first_status AS first, second_status AS second FROM resend JOIN message m ON m.id = message_id WHERE msisdn LIKE '%1'`,
      );
    await until('the refusal is on record', async () => (await told()).second !== null);
    assert.deepEqual(await told(), { first: null, second: STATUS.RINVDSTADR });
    assert.deepEqual(
      await s.states(),
      { submitted: 2 },
      'the first try may have been taken: the refusal decides nothing',
    );
  });

  test('a code is sent only once more, however many senders are killed', async (t) => {
    const s = await stage(t);
    const carrier = await ownCarrier(s, () => undefined);
    await s.addLink({ port: carrier.port, response_seconds: 600 });
    const dataDir = mkdtempSync(join(tmpdir(), 'heliograph-otp-'));
    s.closing.push(async () => rmSync(dataDir, { recursive: true, force: true }));
    const environment = { DATABASE_URL: s.database.url, DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
    const freeLanes = () => s.owner.query(`UPDATE lane SET expires_at = now() - interval '1 second'`);
    const long = { text: 'x'.repeat(200), parts: 2 };
    await s.campaign([...numbers(3), { msisdn: '639180000001', ...long }], OTP);
    for (const submits of [5, 10]) {
      const victim = await startVictim(SENDER, { environment });
      s.closing.push(() => victim.kill());
      await until(`${submits} were submitted`, () => carrier.submits.length === submits);
      await victim.kill();
      await freeLanes();
    }
    // The carrier keeps a lost session as long as answers are owed to it.
    const dead = new Set(carrier.sessions);
    await s.sender();
    await until('the last sender is bound', () => carrier.sessions.some((session) => !dead.has(session)));
    await sleep(5_000);
    assert.deepEqual(Object.values(tries(carrier)).sort(), [2, 2, 2, 4]);
    assert.equal(await resends(s), 5);
    assert.deepEqual(await s.states(), { submitted: 4 });
  });
});
