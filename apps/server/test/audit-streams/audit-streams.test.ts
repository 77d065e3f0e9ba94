import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { auditStream, newStreamSecret } from '@heliograph/contract/audit/audit-stream';
import { Webhook } from 'standardwebhooks';
import { streamAudit } from '../../src/modules/audit-streams/stream-audit.ts';
import { clientOf, noObjectStorage, startObjectStorage } from '../operate/object-storage.ts';
import { type Authority, authority, type Certificate } from '../smpp-server/certificates.ts';
import { startTestApi } from '../test-api.ts';
import { httpReceiver, syslogReceiver } from './receivers.ts';

const api = await startTestApi({ after }, { settings: { PRIVATE_TARGETS: '127.0.0.0/8', HTTP_CALLBACKS: 'true' } });
const owner = api.database.pool('owner');
/** Milliseconds by which the clock of the worker is ahead. */
const time = { ahead: 0 };
const worker = {
  pool: api.database.pool('worker'),
  database: api.database.db('worker'),
  config: api.config,
  clock: { now: () => new Date(Date.now() + time.ahead) },
  log: api.log,
};
const [corporate, admin] = [await api.as('corporate'), await api.as('superadmin')];
const look = () => streamAudit(worker, new AbortController().signal, 1);

async function add(body: object, client = corporate): Promise<number> {
  const made = await client('POST', '/api/v1/audit-streams', body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return auditStream.createOne.reply.parse(made.body).data.id;
}
const place = (
  await owner.query(
    `SELECT c.id AS corporation_id, min(d.id) AS department_id FROM corporation c JOIN department d ON d.corporation_id = c.id
     WHERE c.name = 'Acme Retail' GROUP BY c.id`,
  )
).rows[0] as object;
let lists = 0;
/** Makes an entry of the log of Acme by a change, and returns the name of the record. */
async function change(): Promise<string> {
  const name = `List ñ ${++lists}`;
  const made = await corporate('POST', '/api/v1/number-lists', { ...place, name });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return name;
}
const stateOf = async (id: number) =>
  (await owner.query('SELECT position, error, failing_since FROM audit_stream WHERE id = $1', [id])).rows[0] as {
    position: number;
    error: string | null;
    failing_since: string | null;
  };
const pemOf = ({ cert }: Authority) => readFileSync(cert, 'utf8');
const filesOf = ({ key, cert }: Certificate) => ({ key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') });
type Event = {
  class_uid: number;
  activity_id: number;
  type_uid: number;
  metadata: { uid: string; sequence: number; tenant_uid?: string; version: string };
  actor: { user: { name: string } };
  unmapped: { position: number; properties: { after: { name: string } | null } };
};
const namesIn = (events: readonly Event[]) => events.map((each) => each.unmapped.properties.after?.name);

test('entries arrive over TLS in order, also after a break, and from no other tenant', async (t) => {
  const ca = authority(t, 'Customer CA');
  const to = await syslogReceiver(t, filesOf(ca.sign('localhost')));
  const id = await add({ name: 'Siem', destination: 'syslog', host: 'localhost', port: to.port, ca: pemOf(ca) });
  const first = await change();
  await admin('POST', '/api/v1/corporations', { name: 'Somebody else', currency: 'PHP', timezone: 'Asia/Manila' });
  await look();
  const events = () => to.got.map(({ event }) => event as unknown as Event);
  assert.deepEqual(namesIn(events()), ['Siem', first]);
  assert.ok(events().every(({ metadata }) => metadata.tenant_uid !== undefined && metadata.version === '1.8.0'));
  assert.deepEqual(
    to.got.map(({ priority, app }) => [priority, app]),
    [
      [110, 'heliograph'],
      [110, 'heliograph'],
    ],
  );
  await to.stop();
  const second = await change();
  await look();
  assert.equal((await stateOf(id)).error, 'unreachable');
  await to.start();
  const third = await change();
  await look();
  assert.equal(events().length, 2);
  time.ahead += 60_000;
  await look();
  assert.deepEqual(namesIn(events()), ['Siem', first, second, third]);
  assert.deepEqual((await stateOf(id)).error, null);
  const positions = events().map(({ metadata }) => metadata.sequence);
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  );
});

test('a syslog server with another certificate gets nothing', async (t) => {
  const [good, other] = [authority(t, 'Good CA'), authority(t, 'Other CA')];
  const to = await syslogReceiver(t, filesOf(other.sign('localhost')));
  const id = await add({ name: 'Wrong', destination: 'syslog', host: 'localhost', port: to.port, ca: pemOf(good) });
  await look();
  assert.equal((await stateOf(id)).error, 'tls');
  assert.equal(to.got.length, 0);
  await corporate('DELETE', `/api/v1/audit-streams/${id}`);
});

test('posted entries are signed, and posted again under the same id', async (t) => {
  const to = await httpReceiver(t);
  const id = await add({ name: 'Program', destination: 'https', url: to.url });
  const answer = await corporate('POST', newStreamSecret.path.replace(':id', String(id)));
  const { secret } = newStreamSecret.reply.parse(answer.body).data;
  to.state.status = 500;
  await look();
  assert.equal((await stateOf(id)).error, 'refused');
  to.state.status = 200;
  time.ahead += 60_000;
  await look();
  const [failed, arrived] = to.came;
  assert.equal(failed!.headers['webhook-id'], arrived!.headers['webhook-id']);
  const events = new Webhook(secret).verify(arrived!.body, arrived!.headers as Record<string, string>) as Event[];
  assert.deepEqual(
    events.map(({ class_uid, activity_id, type_uid }) => [class_uid, activity_id, type_uid]),
    [
      [6003, 1, 600_301],
      [6003, 99, 600_399],
    ],
  );
  assert.equal(events[0]!.actor.user.name.length > 0, true);
  await corporate('DELETE', `/api/v1/audit-streams/${id}`);
});

test('an hour of entries is one object, and a second try stores the same', { skip: noObjectStorage() }, async (t) => {
  const storage = await startObjectStorage(t);
  const s3 = clientOf(storage);
  t.after(() => s3.destroy());
  const id = await add({
    name: 'Archive',
    destination: 's3',
    endpoint: storage.S3_ENDPOINT,
    bucket: storage.S3_BUCKET,
    folder: 'audit',
    username: storage.S3_ACCESS_KEY_ID,
    secret: storage.S3_SECRET_ACCESS_KEY,
  });
  const names = ['Archive', await change(), await change()];
  await look();
  const keys = async () =>
    ((await s3.send(new ListObjectsV2Command({ Bucket: storage.S3_BUCKET }))).Contents ?? []).map(({ Key }) => Key!);
  assert.deepEqual(await keys(), []);
  time.ahead += 3_600_000;
  const before = await stateOf(id);
  const { covered_until } = (await owner.query('SELECT covered_until FROM audit_stream WHERE id = $1', [id])).rows[0];
  await look();
  const [key] = await keys();
  assert.match(key!, /^audit\/\d{4}\/\d\d\/\d\d\/\d\d\/audit_\d+_\d+\.jsonl\.gz$/);
  const read = async () => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: storage.S3_BUCKET, Key: key! }));
    return Buffer.from(await Body!.transformToByteArray());
  };
  const bytes = await read();
  const lines = gunzipSync(bytes).toString().trim().split('\n');
  assert.deepEqual(namesIn(lines.map((line) => JSON.parse(line) as Event)), names);
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-audit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const verified = (content: Buffer | string, name: string) => {
    writeFileSync(join(folder, name), content);
    const script = join(import.meta.dirname, '../../../../docs/examples/verify-audit.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, join(folder, name)], { encoding: 'utf8' });
    return [status, stdout + stderr] as const;
  };
  assert.deepEqual(verified(bytes, 'whole.jsonl.gz'), [0, '3 entries are as they were logged.\n']);
  const altered = (from: string, to: string) =>
    verified(lines.map((line) => line.replace(from, to)).join('\n'), 'one.jsonl');
  assert.match(altered(`"raw_data":"[`, `"raw_data":"[ `)[1], /does not fit its hash/);
  assert.match(altered(`"activity_name":"created"`, `"activity_name":"deleted"`)[1], /fields differ/);
  assert.match(altered(`.created","original_time"`, `.deleted","original_time"`)[1], /fields differ/);
  // A worker that died between the upload and its record: new entries must not change the object.
  const { position } = await stateOf(id);
  await owner.query('UPDATE audit_stream SET position = $2, object_to = $3, covered_until = $4 WHERE id = $1', [
    id,
    before.position,
    position,
    covered_until,
  ]);
  await change();
  await look();
  assert.deepEqual(await keys(), [key]);
  assert.ok((await read()).equals(bytes));
});
