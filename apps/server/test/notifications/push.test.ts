import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { ensurePushKey, sendPush } from '../../src/modules/notifications/push.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { encryptPush } from '../../src/platform/outbound/web-push.ts';
import { pushTo, sendPushJob } from '../../src/platform/person/push.ts';
import { errorsOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const database = api.database.db('worker');
const worker = {
  database,
  config: { ...api.config, PRIVATE_TARGETS: ['127.0.0.0/8'] },
  clock: systemClock,
  log: api.log,
};
await ensurePushKey(worker);
const { public_key } = await worker.database.selectFrom('push_key').select('public_key').executeTakeFirstOrThrow();

/** A browser: its key pair, its secret and its subscription. */
const pair = createECDH('prime256v1');
pair.generateKeys();
const secret = randomBytes(16);
const keys = { p256dh: pair.getPublicKey('base64url'), auth: secret.toString('base64url') };
const device = (endpoint: string, kinds: string[]) => ({ endpoint, keys, kinds });

/** Push service of the browser: takes what it gets and answers `status`. */
const service = { status: 201, got: [] as { headers: IncomingHttpHeaders; body: Buffer }[] };
const sink = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    service.got.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(service.status).end();
  });
});
sink.listen(0, '127.0.0.1');
await once(sink, 'listening');
after(() => sink.close());
const SINK = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/push/1`;

/** Decrypts a message as the browser does. */
function read(body: Buffer): Record<string, string> {
  const theirs = body.subarray(21, 86);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs]);
  const shared = Buffer.from(hkdfSync('sha256', pair.computeSecret(theirs), secret, info, 32));
  const of = (label: string, size: number) =>
    Buffer.from(hkdfSync('sha256', shared, body.subarray(0, 16), `Content-Encoding: ${label}\0`, size));
  const decipher = createDecipheriv('aes-128-gcm', of('aes128gcm', 16), of('nonce', 12));
  decipher.setAuthTag(body.subarray(-16));
  const plain = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
  assert.equal(plain.at(-1), 2);
  return JSON.parse(plain.subarray(0, -1).toString()) as Record<string, string>;
}

/** Runs the queued notices of this test; returns how many there were. */
async function sendQueued(): Promise<number> {
  const { rows } = await owner.query<{ data: { push_subscription_id: number; what: string; id: number | null } }>(
    'DELETE FROM jobs.job WHERE name = $1 RETURNING data',
    [sendPushJob.name],
  );
  for (const { data } of rows) await sendPush(worker, data);
  return rows.length;
}
const tell = (people: number[], kind: 'finished' | 'reply', about: { what: string; id: number | null }) =>
  database.transaction().execute((db) => pushTo(db, people, kind, about));
const devices = async () => (await owner.query('SELECT endpoint, kinds FROM push_subscription ORDER BY id')).rows;

test('a message is encrypted as the example of RFC 8291 is', () => {
  const ours = createECDH('prime256v1');
  ours.setPrivateKey(Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'));
  const receiver = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
  const text = Buffer.from('When I grow up, I want to be a watermelon');
  assert.equal(
    encryptPush(text, receiver, ours, salt).toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('a device gets its kinds of notices, encrypted and signed, until it is gone', async () => {
  const corporate = await api.as('corporate');
  const person = await api.database.personOf('corporate');
  const { rows } = await owner.query('SELECT id, name FROM campaign WHERE created_by = $1 LIMIT 1', [person]);
  const [campaign] = rows;
  const state = async () => (await corporate('GET', '/api/v1/push-device')).body;
  assert.deepEqual(await state(), { public_key, kinds: null });

  const plain = await corporate('PUT', '/api/v1/push-device', device(SINK, ['finished']));
  assert.deepEqual(Object.keys(errorsOf(plain)), ['endpoint'], 'only https');
  const there = device('https://push.example.com/1', ['finished']);
  assert.equal((await corporate('PUT', '/api/v1/push-device', there)).status, 200);
  assert.deepEqual(await state(), { public_key, kinds: ['finished'] });
  await owner.query('UPDATE push_subscription SET endpoint = $1', [SINK]);

  await tell([person], 'reply', { what: 'reply', id: null });
  assert.equal(await sendQueued(), 0, 'a kind that it did not ask for');
  const about = { what: 'completed', id: campaign.id };
  await tell([person], 'finished', about);
  assert.equal(await sendQueued(), 1);
  const [{ headers, body }] = service.got.splice(0) as [(typeof service.got)[0]];
  assert.deepEqual(read(body), {
    title: 'Northwind Messaging',
    text: `${campaign.name} is completed`,
    url: `/campaign-history/${campaign.id}`,
    tag: `completed-${campaign.id}`,
  });
  assert.deepEqual([headers['content-encoding'], headers['ttl']], ['aes128gcm', '86400']);
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization!)!;
  assert.equal(key, public_key);
  const [head, claims, signature] = token!.split('.');
  const point = Buffer.from(key!, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature!, 'base64url')));
  const { aud, sub } = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as Record<string, string>;
  assert.deepEqual([aud, /^mailto:\S+@\S+$/.test(sub!)], [new URL(SINK).origin, true]);

  service.status = 503;
  await tell([person], 'finished', about);
  await assert.rejects(sendQueued(), /did not take the notice/);
  assert.equal((await devices()).length, 1, 'a service that is away keeps its devices');
  service.status = 410;
  await tell([person], 'finished', about);
  assert.equal(await sendQueued(), 1);
  assert.deepEqual(await devices(), [], 'a browser that gave up its address');
  service.status = 201;
});

test('a device gets one notice of replies a minute', async () => {
  const corporate = await api.as('corporate');
  const person = await api.database.personOf('corporate');
  await corporate('PUT', '/api/v1/push-device', device('https://push.example.com/1', ['reply']));
  await owner.query('UPDATE push_subscription SET endpoint = $1', [SINK]);
  for (let n = 0; n < 3; n++) await tell([person], 'reply', { what: 'reply', id: null });
  assert.equal(await sendQueued(), 1);
  await owner.query("UPDATE push_subscription SET replied_at = replied_at - interval '61 seconds'");
  await tell([person], 'reply', { what: 'reply', id: null });
  assert.equal(await sendQueued(), 1);
  service.got.splice(0);
});

test('notices to private addresses are refused', async () => {
  const person = await api.database.personOf('corporate');
  await owner.query('UPDATE push_subscription SET replied_at = NULL');
  await tell([person], 'reply', { what: 'reply', id: null });
  const { rows } = await owner.query('DELETE FROM jobs.job WHERE name = $1 RETURNING data', [sendPushJob.name]);
  const outside = { ...worker, config: { ...api.config, PRIVATE_TARGETS: [] } };
  await assert.rejects(sendPush(outside, rows[0].data), /address_not_allowed/);
  assert.equal(service.got.length, 0);
});

test('a device belongs to one session, and to the last person who signed in there', async () => {
  await owner.query('DELETE FROM push_subscription');
  const [one, other] = [await api.as('corporate'), await api.as('user')];
  const there = device('https://push.example.com/shared', ['finished']);
  await one('PUT', '/api/v1/push-device', there);
  await one('PUT', '/api/v1/push-device', { ...there, kinds: ['reply', 'finished'] });
  assert.deepEqual(
    (await devices()).map(({ kinds }) => kinds),
    [['reply', 'finished']],
  );
  await other('PUT', '/api/v1/push-device', there);
  assert.equal((await devices()).length, 1);
  assert.deepEqual(dataOfKinds(await one('GET', '/api/v1/push-device')), null);
  assert.deepEqual(dataOfKinds(await other('GET', '/api/v1/push-device')), ['finished']);
  await other('DELETE', '/api/v1/push-device');
  assert.deepEqual(await devices(), []);
});

const dataOfKinds = ({ body }: { body: unknown }) => (body as { kinds: string[] | null }).kinds;
