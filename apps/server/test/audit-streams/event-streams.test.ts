import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { auditStream } from '@heliograph/contract/audit/audit-stream';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { keyOfEvent } from '../../src/modules/audit-streams/items.ts';
import { streamAudit } from '../../src/modules/audit-streams/stream-audit.ts';
import { addEvents } from '../../src/modules/events/index.ts';
import { clientOf, noObjectStorage, startObjectStorage } from '../operate/object-storage.ts';
import { startNats, withoutNats } from '../platform/nats-server.ts';
import { startTestApi } from '../test-api.ts';
import { kafkaCluster, withoutKafka } from './kafka-cluster.ts';
import { httpReceiver } from './receivers.ts';

const api = await startTestApi({ after }, { settings: { PRIVATE_TARGETS: '127.0.0.0/8', HTTP_CALLBACKS: 'true' } });
const owner = api.database.pool('owner');
const time = { ahead: 0 };
const worker = {
  pool: api.database.pool('worker'),
  database: api.database.db('worker'),
  config: api.config,
  clock: { now: () => new Date(Date.now() + time.ahead) },
  log: api.log,
};
const [corporate, admin] = [await api.as('corporate'), await api.as('superadmin')];
const acme = await api.database.idOf('corporation', 'Acme Retail');
const look = () => streamAudit(worker, new AbortController().signal, 1);

async function add(body: object): Promise<number> {
  const made = await corporate('POST', '/api/v1/audit-streams', { contents: 'events', ...body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return auditStream.createOne.reply.parse(made.body).data.id;
}
const remove = (id: number) => corporate('DELETE', `/api/v1/audit-streams/${id}`);
const faultOf = async (id: number) =>
  (await owner.query('SELECT error FROM audit_stream WHERE id = $1', [id])).rows[0].error as string | null;

let number = 0;
/** Writes events of Acme, told apart by their balance, and one of another corporation. */
async function happen(count: number): Promise<string[]> {
  const named = Array.from({ length: count }, () => `${++number}.000`);
  const event = (balance: string, corporation_id = acme) => ({
    corporation_id,
    department_id: null,
    user_id: null,
    type: 'balance.low' as const,
    message_id: null,
    data: { billing_account_id: 7, limit: 'low_balance', balance: Number(balance) * 1_000 },
  });
  const other = await api.database.idOf('corporation', 'Bayview Bank').catch(() => acme + 1_000);
  await addEvents(owner as never, [...named.map((each) => event(each)), event('9999', other)]);
  return named;
}
const balanceOf = (json: string) => (JSON.parse(json) as { data: { balance: string } }).data.balance;
async function until(holds: () => boolean) {
  for (let i = 0; i < 200 && !holds(); i++) await sleep(50);
  assert.ok(holds());
}

test('events reach a topic of Kafka once, by key in order, and no other tenant’s', {
  skip: withoutKafka,
}, async (t) => {
  const { servers, records } = await kafkaCluster(t, 'sms');
  const id = await add({ name: 'Kafka', destination: 'kafka', servers, topic: 'sms', encrypted: false });
  const named = await happen(450);
  await look();
  assert.equal(await faultOf(id), null);
  await until(() => records.length >= 450);
  assert.deepEqual(
    records.map(({ payload }) => balanceOf(payload)),
    named,
  );
  const [{ key, headers, payload }] = records as [(typeof records)[0]];
  assert.equal(key, '7');
  const { id: own, type } = JSON.parse(payload) as { id: string; type: string };
  assert.deepEqual(headers, ['id', `evt_${own}`, 'type', type, 'content-type', 'application/json']);
  await look();
  await sleep(500);
  assert.equal(records.length, 450);
  await remove(id);
});

test('events of one phone have one key, in both directions', () => {
  const event = { id: 1, message_id: null, data: {} };
  const key = (type: string, told: object) => keyOfEvent({ ...event, type } as never, { ...told });
  assert.equal(key('message.received', { from: '639170000001', to: '2345' }), '639170000001');
  assert.equal(key('message.delivered', { from: 'ACME', to: '639170000001' }), '639170000001');
});

test('brokers that are away or not allowed are faults with a word', async (t) => {
  const body = { name: 'Nowhere', destination: 'kafka', topic: 'sms', encrypted: false };
  const id = await add({ ...body, servers: '127.0.0.1:9' });
  await happen(1);
  await look();
  assert.equal(await faultOf(id), 'unreachable');
  // Not within PRIVATE_TARGETS.
  await corporate('PATCH', `/api/v1/audit-streams/${id}`, { servers: '10.0.0.1:9092' });
  await owner.query('UPDATE audit_stream SET next_at = now() WHERE id = $1', [id]);
  await look();
  assert.equal(await faultOf(id), 'address_not_allowed');
  await remove(id);
  if (withoutKafka) return;
  const { servers } = await kafkaCluster(t, 'sms');
  // TLS where none is spoken: the connection fails, and nothing is sent in clear.
  const secure = await add({ ...body, name: 'Secure', servers, encrypted: true });
  await happen(1);
  await look();
  assert.ok(['unreachable', 'tls', 'interrupted', 'timeout'].includes((await faultOf(secure)) ?? ''));
  await remove(secure);
});

test('events reach JetStream once, also when they are sent twice', { skip: withoutNats }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-jetstream-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const nats = await startNats(t, { arguments: ['-js', '-sd', folder, '--user', 'helio', '--pass', 'graph-of-sun'] });
  const login = { user: 'helio', pass: 'graph-of-sun' };
  const connection = await connect({ servers: `127.0.0.1:${nats.port}`, ...login });
  t.after(() => connection.close());
  const at = { destination: 'nats', servers: `127.0.0.1:${nats.port}`, topic: 'sms', encrypted: false };
  const wrong = await add({ ...at, name: 'Wrong', username: 'helio', secret: 'something-else' });
  const id = await add({ ...at, name: 'Nats', username: 'helio', secret: 'graph-of-sun' });
  const cursor = (await owner.query('SELECT cursor FROM audit_stream WHERE id = $1', [id])).rows[0].cursor as string;
  const named = await happen(250);
  await look();
  assert.deepEqual([await faultOf(wrong), await faultOf(id)], ['sign_in_refused', 'topic_missing']);
  await remove(wrong);
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'SMS', subjects: ['sms.>'] });
  time.ahead += 60_000;
  await look();
  assert.equal(await faultOf(id), null);
  // A worker that died between the answer and its record sends all once more.
  await owner.query('UPDATE audit_stream SET cursor = $2 WHERE id = $1', [id, cursor]);
  await look();
  const { state } = await manager.streams.info('SMS');
  assert.equal(state.messages, 250);
  await manager.consumers.add('SMS', { durable_name: 'all', ack_policy: 'none' as never });
  const consumer = await jetstream(connection).consumers.get('SMS', 'all');
  const got: string[] = [];
  for await (const message of await consumer.fetch({ max_messages: 250, expires: 5_000 })) {
    assert.equal(message.subject, 'sms.balance.low');
    got.push(balanceOf(message.string()));
  }
  assert.deepEqual(got.toSorted(), named.toSorted());
  await remove(id);
});

test('an hour of events is one object, and a second try stores the same', { skip: noObjectStorage() }, async (t) => {
  const storage = await startObjectStorage(t);
  const s3 = clientOf(storage);
  t.after(() => s3.destroy());
  const id = await add({
    name: 'Archive',
    destination: 's3',
    endpoint: storage.S3_ENDPOINT,
    bucket: storage.S3_BUCKET,
    username: storage.S3_ACCESS_KEY_ID,
    secret: storage.S3_SECRET_ACCESS_KEY,
  });
  const named = await happen(3);
  const keys = async () =>
    ((await s3.send(new ListObjectsV2Command({ Bucket: storage.S3_BUCKET }))).Contents ?? []).map(({ Key }) => Key!);
  time.ahead += 3_600_000;
  // The first try dies before it is recorded. Events that come then belong to the next object.
  await owner.query(`UPDATE audit_stream SET secret_sealed = NULL WHERE id = $1`, [id]);
  await look();
  assert.notEqual(await faultOf(id), null);
  await happen(2);
  await corporate('PATCH', `/api/v1/audit-streams/${id}`, { secret: storage.S3_SECRET_ACCESS_KEY });
  await owner.query('UPDATE audit_stream SET next_at = now() WHERE id = $1', [id]);
  await look();
  const [key, ...others] = await keys();
  assert.match(key!, /^\d{4}\/\d\d\/\d\d\/\d\d\/events_\d+_\d+\.jsonl\.gz$/);
  assert.deepEqual(others, []);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: storage.S3_BUCKET, Key: key! }));
  const lines = gunzipSync(Buffer.from(await Body!.transformToByteArray()))
    .toString()
    .trim()
    .split('\n');
  assert.deepEqual(lines.map(balanceOf), named);
  await remove(id);
});

test('chosen types alone are posted, with the texts that callbacks have', async (t) => {
  const to = await httpReceiver(t);
  const id = await add({ name: 'Program', destination: 'https', url: to.url, types: ['campaign.finished'] });
  await happen(2);
  await look();
  assert.equal(to.came.length, 0);
  await corporate('PATCH', `/api/v1/audit-streams/${id}`, { types: [] });
  const [only] = await happen(1);
  await look();
  const sent = JSON.parse(to.came[0]!.body) as { id: string; type: string; data: { balance: string } }[];
  assert.deepEqual(
    sent.map(({ type, data }) => [type, data.balance]),
    [['balance.low', only]],
  );
  await remove(id);
});

test('a stream of events needs a corporation, the rights to its events, and no syslog', async () => {
  const body = { name: 'No', contents: 'events', destination: 'https', url: 'http://127.0.0.1:9/x' };
  const fields = async (client: typeof corporate, changes: object) => {
    const { status, body: said } = await client('POST', '/api/v1/audit-streams', { ...body, ...changes });
    return [status, Object.keys((said as { errors?: object }).errors ?? {})];
  };
  assert.deepEqual(await fields(admin, {}), [422, ['corporation_id']]);
  assert.deepEqual(await fields(corporate, { destination: 'syslog', host: 'log.example.com' }), [422, ['destination']]);
  assert.deepEqual(await fields(corporate, { destination: 'kafka' }), [422, ['servers']]);
  assert.deepEqual(await fields(corporate, { destination: 'nats', servers: 'here', topic: 'a' }), [422, ['servers']]);
  assert.deepEqual(await fields(corporate, { destination: 'nats', servers: 'a.test:1', topic: 'a.>' }), [
    422,
    ['topic'],
  ]);
  await owner.query("UPDATE user_account SET numbers_visible = false WHERE email = 'corporate@heliograph.test'");
  assert.deepEqual(await fields(corporate, {}), [422, ['types']]);
  await owner.query("UPDATE user_account SET numbers_visible = true WHERE email = 'corporate@heliograph.test'");
});
