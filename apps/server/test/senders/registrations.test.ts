import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { explainCarrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import type { CheckedMessage } from '@heliograph/contract/reports/message-check';
import { moveUnregistered } from '#modules/delivery';
import { explainRegistration } from '#modules/senders';
import { endRegistrations } from '../../src/modules/senders/registrations.ts';
import { tellSenderNews } from '../../src/modules/senders/tell-senders.ts';
import { codeOf, dataOf } from '../answers.ts';
import { apiStage } from '../api/stage.ts';
import type { Client } from '../test-api.ts';

// Numbers that begin with 63917 go to Globe, which asks for registrations; all others to a link that does not.

const { api, acme, makeKey, by, one } = await apiStage({ after });
const owner = api.database.pool('owner');
const [admin, corporate] = (await Promise.all(['admin', 'corporate'].map((login) => api.as(login)))) as [
  Client,
  Client,
];
const program = by((await makeKey()).key);

type Row = { id: number; state: string } & Record<string, unknown>;
const [globe, other] = (
  await owner.query<{ id: number }>(
    `INSERT INTO link (name, host, port, system_id) VALUES ('Globe', '127.0.0.1', 9, 'x'), ('Other', '127.0.0.1', 9, 'x') RETURNING id`,
  )
).rows.map(({ id }) => id) as [number, number];
for (const [name, prefix, link_id] of [
  ['Globe', '63917', globe],
  ['All', '', other],
] as const)
  await admin('POST', '/api/v1/carrier-routes', { name, prefix, links: [{ link_id, position: 1, weight: 1 }] });
const sender = await one<{ id: number; sender_id: string }>(
  `INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'Lanterns') RETURNING id, sender_id`,
  [acme.corporation_id],
);
const TO_GLOBE = '639170000001';
const TO_OTHER = '639180000001';

/** Tries all ways to send one message to a number, and returns how each was refused. */
async function ways(to: string): Promise<(string | undefined)[]> {
  const tests = { sender_id: sender.id, content: 'Hello', number: to, sms_validity: 1 };
  return [
    codeOf(await corporate('POST', '/api/v1/campaigns/tests', tests)),
    codeOf(await program('POST', '/v1/messages', { from: sender.sender_id, to, text: 'Hello' })),
  ];
}
async function explained(number: string) {
  const of = { number, corporation_id: String(acme.corporation_id), sender_id: sender.sender_id };
  const answer = await admin('GET', `/api/v1/carrier-routes/explain?${new URLSearchParams(of)}`);
  return explainCarrierRoute.reply
    .parse(answer.body)
    .data.links.map(({ share, registration }) => [share, registration]);
}
const decide = (id: number, state: string, more: object = {}) =>
  admin('POST', '/api/v1/sender-registrations/decisions', { ids: [id], state, ...more });
const register = async () => {
  const body = { link_id: globe, sender_id_ids: [sender.id], state: 'registered', reference: 'GL-17' };
  const answer = await admin('POST', '/api/v1/sender-registrations', body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return dataOf<Row>(answer);
};
const stateOf = async (id: number) =>
  (await one<Row>('SELECT state FROM sender_registration WHERE id = $1', [id])).state;

const PASSES = [undefined, undefined];
const MISSING = ['sender_not_registered', 'sender_not_registered'];
let registration: Row;

test('a link that asks takes registered sender IDs only, whoever sends', async () => {
  assert.deepEqual(await ways(TO_GLOBE), PASSES);
  assert.deepEqual(await explained(TO_GLOBE), [[100, null]]);
  assert.equal((await admin('PATCH', `/api/v1/links/${globe}`, { asks_registration: true })).status, 200);
  assert.deepEqual(await ways(TO_GLOBE), MISSING);
  assert.deepEqual(await explained(TO_GLOBE), [[0, 'missing']]);
  assert.deepEqual(await ways(TO_OTHER), PASSES);
  registration = await register();
  assert.deepEqual([registration['reference'], registration['link_name']], ['GL-17', 'Globe']);
  assert.ok(registration['registered_on'], 'today, if no day is given');
  assert.deepEqual(await ways(TO_GLOBE), PASSES);
  assert.deepEqual(await explained(TO_GLOBE), [[100, 'registered']]);
  const message = await one<CheckedMessage>(
    `SELECT m.id, now() AS created_at, k.corporation_id, k.sender_id, 'pending' AS state, NULL AS error_code
     FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE k.sender_id = $1 AND k.link_id = $2 ORDER BY m.id DESC LIMIT 1`,
    [sender.sender_id, globe],
  );
  const why = async (more: object = {}) => {
    const check = await explainRegistration(api.database.db('worker'), { ...message, ...more });
    return [check?.result, check?.because?.key];
  };
  assert.deepEqual(await why(), ['passed', 'registered']);
  assert.equal(codeOf(await decide(registration.id, 'ended')), 'validation_failed', 'an end needs a reason');
  assert.equal((await decide(registration.id, 'ended', { reason: 'Contract is over' })).status, 200);
  assert.deepEqual(await ways(TO_GLOBE), MISSING);
  assert.deepEqual(await why({ state: 'blocked', error_code: 'sender_not_registered' }), ['stopped', 'ended']);
});

test('the history and the log tell of a registration, and tenants see no link', async () => {
  const read = async (client: Client) => {
    const answer = await client('GET', `/api/v1/sender-ids/${sender.id}/history`);
    return dataOf<{ to_state: string; link_name: string | null }[]>(answer).map((e) => [e.to_state, e.link_name]);
  };
  assert.deepEqual(await read(admin), [
    ['registration_ended', 'Globe'],
    ['registration_registered', 'Globe'],
  ]);
  assert.deepEqual(await read(corporate), [
    ['registration_ended', null],
    ['registration_registered', null],
  ]);
  const { rows } = await owner.query(
    `SELECT description, corporation_id FROM activity_log WHERE subject_type = 'sender-registrations' ORDER BY id`,
  );
  assert.deepEqual(rows, [
    { description: 'created', corporation_id: null },
    { description: 'updated', corporation_id: null },
  ]);
});

test('a registration ends with its last day or name, and people are reminded', async () => {
  const worker = { database: api.database.db('worker'), clock: { now: () => new Date('2026-06-30T04:00:00Z') } };
  const day = (expires_on: string) => owner.query('UPDATE sender_registration SET expires_on = $1', [expires_on]);
  assert.equal((await decide(registration.id, 'registered')).status, 200);
  const reminded = async (today: string) => {
    await owner.query(`DELETE FROM jobs.job WHERE name = 'mail-sender-news'`);
    await tellSenderNews(worker, today);
    const { rows } = await owner.query<{ email: string }>(
      `SELECT u.email FROM jobs.job j JOIN user_account u ON u.id = (j.data->>'user_id')::bigint
       WHERE j.name = 'mail-sender-news' AND j.data->>'news' = 'registration_expires'`,
    );
    const people = new Set(rows.map(({ email }) => email));
    return (
      people.size === rows.length && people.has('corporate@heliograph.test') && people.has('admin@heliograph.test')
    );
  };
  await day('2026-06-30');
  const told = [];
  for (const today of ['2026-05-30', '2026-05-31', '2026-06-01', '2026-06-23', '2026-06-29', '2026-06-30'])
    told.push(await reminded(today));
  assert.deepEqual(told, [false, true, false, true, true, false]);
  await endRegistrations(worker, moveUnregistered);
  assert.equal(await stateOf(registration.id), 'registered', 'the last day is part of it');
  await day('2026-06-29');
  await endRegistrations(worker, moveUnregistered);
  assert.equal(await stateOf(registration.id), 'ended');
  assert.deepEqual(await ways(TO_GLOBE), MISSING);
  assert.equal((await decide(registration.id, 'registered')).status, 200);
  assert.deepEqual(await ways(TO_GLOBE), PASSES);
  const renamed = await admin('PATCH', `/api/v1/sender-ids/${sender.id}`, { sender_id: 'Lamplight' });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
  sender.sender_id = 'Lamplight';
  assert.equal(await stateOf(registration.id), 'ended');
  assert.deepEqual(await ways(TO_GLOBE), MISSING);
});

test('a registration that names networks holds for their numbers only', async () => {
  const networkOf = (name: string) =>
    one<{ id: number }>("SELECT id FROM network WHERE country = 'PH' AND name = $1", [name]).then(({ id }) => id);
  const [inGlobe, inSmart] = [await networkOf('Globe'), await networkOf('Smart')];
  assert.equal((await decide(registration.id, 'registered')).status, 200);
  const name = async (network_ids: number[]) => {
    const answer = await admin('PATCH', `/api/v1/sender-registrations/${registration.id}`, { network_ids });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return dataOf<Row>(answer);
  };
  assert.equal((await name([inSmart]))['networks'], 'Smart (PH)');
  assert.deepEqual(await ways(TO_GLOBE), MISSING);
  assert.deepEqual(await explained(TO_GLOBE), [[0, 'missing']]);
  await name([inSmart, inGlobe]);
  assert.deepEqual(await ways(TO_GLOBE), PASSES);
  assert.deepEqual(await explained(TO_GLOBE), [[100, 'registered']]);
  assert.deepEqual(await ways(TO_OTHER), PASSES);
  assert.equal((await name([]))['networks'], '');
  assert.deepEqual(await ways(TO_GLOBE), PASSES);
  const wrong = await admin('PATCH', `/api/v1/sender-registrations/${registration.id}`, { network_ids: [999_999] });
  assert.deepEqual([wrong.status, codeOf(wrong)], [422, 'validation_failed']);
  const { rows } = await owner.query('SELECT network_ids FROM sender_registration WHERE id = $1', [registration.id]);
  assert.deepEqual(rows[0].network_ids, []);
});
