import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { cancelRest } from '#modules/delivery';
import { addEvents, type Event, fromNow, readEvents } from '#modules/events';
import { expireChunks } from '../../src/modules/delivery/sweeps/expire-chunks.ts';
import { ownCarrier } from '../delivery/own-carrier.ts';
import { numbers, type Stage, stage, until } from '../delivery/stage.ts';
import { testDatabase } from '../template-database.ts';

const event = (n: number) => ({
  corporation_id: 1,
  department_id: null,
  user_id: null,
  type: 'message.received' as const,
  message_id: null,
  data: { n },
});

/** Reads until no event is left for now. */
async function drain(db: pg.Pool, after: string | null, limit = 2): Promise<{ seen: number[]; cursor: string }> {
  const seen: number[] = [];
  for (let cursor = after; ; ) {
    const page = await readEvents(db, { after: cursor, limit });
    assert.ok(page);
    seen.push(...page.events.map(({ data }) => data['n'] as number));
    cursor = page.cursor;
    if (!page.more) return { seen, cursor };
  }
}

test('a reader sees each event once, and waits for no transaction in progress', async (t) => {
  const db = (await testDatabase(t)).pool('worker');
  const slow = await db.connect();
  try {
    await slow.query('BEGIN');
    await addEvents(slow, [event(1), event(2), event(3)]);
    await addEvents(db, [4, 5, 6, 7, 8].map(event));
    const first = await drain(db, null);
    assert.deepEqual(first.seen, [4, 5, 6, 7, 8]);
    // A page of a round that began earlier sees no more than it did then.
    const half = await readEvents(db, { limit: 3 });
    await addEvents(db, [event(9)]);
    await slow.query('COMMIT');
    const round = await drain(db, half!.cursor);
    assert.deepEqual(round.seen, [7, 8]);
    const rest = await drain(db, round.cursor);
    assert.deepEqual(rest.seen, [1, 2, 3, 9]);
    assert.deepEqual((await drain(db, first.cursor)).seen, [1, 2, 3, 9]);
    assert.deepEqual((await drain(db, rest.cursor)).seen, []);
    await addEvents(db, [event(10)]);
    assert.deepEqual((await drain(db, await fromNow(db))).seen, []);
    assert.equal((await readEvents(db, { limit: 9, filter: { corporation_id: 2 } }))?.events.length, 0);
    assert.equal((await readEvents(db, { limit: 99, filter: { corporation_id: 1 } }))?.events.length, 10);
  } finally {
    slow.release();
  }
});

test('a cursor that is invalid or from another database is refused', async (t) => {
  const db = (await testDatabase(t)).pool('worker');
  const strange = Buffer.from(JSON.stringify({ seen: '99999999999:99999999999:' })).toString('base64url');
  for (const after of ['x', 'e30', strange]) assert.equal(await readEvents(db, { after, limit: 9 }), undefined);
});

async function told(s: Stage): Promise<Event[]> {
  return (await readEvents(s.owner, { limit: 1_000 }))!.events;
}
const states = (events: readonly Event[]) =>
  Object.entries(Object.groupBy(events, ({ type, data }) => `${type} ${data['state']} ${data['error_code']}`))
    .map(([what, all]) => `${what} ${all!.length}`)
    .sort();

test('each final outcome is reported once, in the transaction that records it', async (t) => {
  const s = await stage(t);
  const late: (() => void)[] = [];
  const carrier = await ownCarrier(s, (submit, own) => {
    own.accept(submit);
    const to = submit.pdu.destination_addr;
    const say = (state: 'delivered' | 'expired' | 'undeliverable') =>
      own.receipt(submit, String(submit.number), { state, error: '027' });
    if (to.endsWith('7')) {
      say('undeliverable');
      late.push(() => say('delivered'));
    } else if (to.endsWith('8')) say('expired');
    else say('delivered');
    if (to.endsWith('1')) say('delivered');
  });
  await s.addLink({ port: carrier.port });
  const sender = await s.sender();
  const quiet = await s.campaign(numbers(5));
  const loud = await s.campaign(numbers(100), { shared: { tells: true } });
  const all = async (id: number, ended: number) => {
    const { delivered = 0, failed = 0, expired = 0 } = await s.counters(id);
    return delivered + failed + expired === ended;
  };
  await until('all have their end', async () => (await all(quiet.id, 5)) && (await all(loud.id, 100)));
  const messages = async () => (await told(s)).filter(({ type }) => type.startsWith('message.'));
  assert.deepEqual(states(await messages()), [
    'message.delivered delivered null 80',
    'message.expired expired expired:027 10',
    'message.failed failed_other undeliverable:027 10',
  ]);
  const ids = (await messages()).map(({ message_id }) => message_id);
  assert.equal(new Set(ids).size, 100);
  for (const say of late) say();
  await until('the late receipts are told', async () => (await messages()).length === 110);
  const again = (await messages()).slice(100);
  assert.deepEqual(states(again), ['message.corrected delivered null 10']);
  // The ends of the campaigns are reported as well.
  await until('both campaigns have ended', async () => (await told(s)).length === 112);
  await sender.stop();
});

test('a message that expires or is cancelled before sending is reported once', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 1 });
  await s.campaign(numbers(3), { shared: { tells: true }, expiresIn: '-1 second' });
  const { id } = await s.campaign(numbers(4), { shared: { tells: true } });
  await expireChunks(s.owner);
  await expireChunks(s.owner);
  assert.deepEqual(states(await told(s)), ['message.expired expired null 3']);
  for (const _ of [1, 2])
    await s.transaction(async (client) => {
      await client.query(`UPDATE campaign SET state = 'stopped' WHERE id = $1`, [id]);
      await cancelRest(client, id);
    });
  const events = await told(s);
  assert.deepEqual(states(events), ['message.expired expired null 3', 'message.failed cancelled null 4']);
  const { rows } = await s.owner.query<{ id: number }>('SELECT id FROM message ORDER BY id');
  assert.deepEqual(
    events.map(({ message_id }) => message_id).sort((a, b) => a! - b!),
    rows.map((row) => row.id),
  );
});

test('message events are made if the corporation or the department has an endpoint', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 1 });
  const tells = async () => {
    await s.campaign(numbers(1));
    return (await s.one<{ tells: boolean }>('SELECT tells FROM chunk ORDER BY id DESC LIMIT 1')).tells;
  };
  assert.equal(await tells(), false);
  await s.owner.query(`UPDATE corporation SET callback_url = 'https://example.com/' WHERE id = $1`, [s.corporationId]);
  assert.equal(await tells(), true);
  await s.owner.query('UPDATE corporation SET callback_url = NULL WHERE id = $1', [s.corporationId]);
  assert.equal(await tells(), false);
});

test('a balance that crosses its limit is reported', async (t) => {
  const s = await stage(t);
  await s.owner.query(
    `INSERT INTO balance_alert (corporation_id, billing_account_id, kind, balance) VALUES ($1, $2, 'low_balance', 9500)`,
    [s.corporationId, s.accountId],
  );
  const [event] = await told(s);
  assert.deepEqual(
    [event?.type, event?.data],
    ['balance.low', { billing_account_id: s.accountId, limit: 'low_balance', balance: 9500 }],
  );
});
