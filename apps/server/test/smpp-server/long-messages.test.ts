import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { concatenationUdh, encodeShortMessage, statusName } from '@heliograph/smpp';
import { Intake } from '#modules/intake';
import { systemClock } from '#platform/clock';
import { createLogger } from '#platform/log';
import { refuseLongMessage, sweepLongMessages } from '../../src/modules/smpp-server/long-message-sweep.ts';
import { readSystemIds } from '../../src/modules/smpp-server/system-id-rows.ts';
import { bind, type Customer, type Esme, smppStage, until } from './stage.ts';

const stage = await smppStage({ after });
const { owner } = stage;
const server = await stage.server();
const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const pool = stage.database.pool('worker');

const part = (ref: number, number: number) => ({
  esm_class: 0x40,
  registered_delivery: 1,
  short_message: Buffer.concat([
    concatenationUdh({ ref, total: 2, number }),
    encodeShortMessage(`part ${number}`, 'gsm'),
  ]),
});

/** Runs the sweep as another process would. */
async function sweepElsewhere(): Promise<void> {
  const intake = new Intake(stage.database.pool('intake'), { clock: systemClock, log });
  await sweepLongMessages(pool, intake, log);
  await intake.close();
}

/** Makes a complete long message so old that the process with the last part should have handed it in. */
const age = (id: string) =>
  owner.query(`UPDATE smpp_long_message SET received_at = now() - interval '1 minute' WHERE id = $1 AND key IS NULL`, [
    id,
  ]);
const messagesOf = async ({ corporation_id }: Customer) =>
  (
    await stage.one<{ n: number }>('SELECT count(*)::integer AS n FROM message WHERE corporation_id = $1', [
      corporation_id,
    ])
  ).n;
const isOpen = async (id: string) =>
  (await owner.query('SELECT FROM smpp_long_message WHERE id = $1', [id])).rowCount === 1;

/** Locks the account of a customer during `work`; every hand-in waits for that account. */
async function whileHeld<T>(
  { billing_account_id }: Customer,
  work: (release: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = await owner.connect();
  let held = true;
  const release = async () => {
    if (held) await client.query('ROLLBACK');
    held = false;
  };
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM billing_account WHERE id = $1 FOR UPDATE', [billing_account_id]);
    return await work(release);
  } finally {
    await release();
    client.release();
  }
}

/** Returns the number of hand-ins that wait for an account now. */
const waiting = async () =>
  (
    await stage.one<{ n: number }>(
      `SELECT count(DISTINCT pid)::integer AS n FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND datname = current_database()`,
    )
  ).n;

/** Stores a long message with all its parts, without a process that hands it in. */
async function leftWhole(esme: Esme, ref: number): Promise<string> {
  const { message_id } = await esme.submit(part(ref, 1));
  await owner.query(
    `INSERT INTO smpp_part SELECT smpp_long_message_id, corporation_id, 2, body, data_coding, udh_octets, 1
     FROM smpp_part WHERE smpp_long_message_id = $1`,
    [message_id],
  );
  await owner.query('UPDATE smpp_long_message SET key = NULL WHERE id = $1', [message_id]);
  return message_id;
}

test('the sweep does not hand in a long message again while its hand-in hangs', async () => {
  const customer = await stage.customer('hanging');
  const esme = await bind(server, 'hanging');
  const first = await esme.submit(part(1, 1));
  const id = first.message_id;
  await whileHeld(customer, async (release) => {
    const last = esme.submit(part(1, 2));
    await until('the hand-in hangs', async () => (await waiting()) === 1);
    await age(id);
    let swept = false;
    const sweep = sweepElsewhere().finally(() => {
      swept = true;
    });
    await until('the sweep has left it alone, or hangs as well', async () => swept || (await waiting()) > 1);
    await release();
    await sweep;
    const { status, message_id } = await last;
    assert.deepEqual([statusName(status), message_id], ['ESME_ROK', id]);
  });
  await until('its parts are gone', async () => !(await isOpen(id)));
  assert.equal(await messagesOf(customer), 1);
  await esme.session.unbind();
});

test('a long message refused several times in parallel is reported once', async () => {
  const customer = await stage.customer('refused');
  const esme = await bind(server, 'refused', { mode: 'transmitter' });
  const [rules] = await readSystemIds(pool, [customer.id]);
  const ids = [];
  for (let ref = 10; ref < 15; ref++) ids.push(Number(await leftWhole(esme, ref)));
  await owner.query('UPDATE billing_account SET suspended = true WHERE id = $1', [customer.billing_account_id]);
  await owner.query("UPDATE smpp_long_message SET received_at = now() - interval '1 minute' WHERE id = ANY ($1)", [
    ids,
  ]);
  const envelope = { from: 'Acme', class: 'transactional' as const, flash: false, send_at: undefined };
  const whole = {
    recipient: '639170000001',
    parts: [],
    envelope: { ...envelope, validity_minutes: undefined, registered_delivery: 1 },
  };
  await Promise.all([
    sweepElsewhere(),
    ...ids.map((id) => refuseLongMessage(pool, { id, ...whole }, rules!)),
    sweepElsewhere(),
  ]);
  const { rows } = await owner.query('SELECT message_id, state FROM smpp_delivery ORDER BY message_id');
  assert.deepEqual(
    rows,
    ids.sort((a, b) => a - b).map((message_id) => ({ message_id, state: 'rejected' })),
  );
  assert.equal(await messagesOf(customer), 0);
  await esme.session.unbind();
});
