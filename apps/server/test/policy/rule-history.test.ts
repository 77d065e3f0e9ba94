import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CheckedMessage } from '@heliograph/contract/reports/message-check';
import { explainLinks } from '#modules/moderation';
import { explainHours, explainLimits } from '#modules/policy';
import { makeIntakeStage } from '../intake/stage.ts';

// The rules are written at times of 2020 in Manila; each message is explained by the rules of its own time.

const { database, owner, tenant } = await makeIntakeStage({ after });
const { corporation_id, user_id } = await tenant('Lamps');
const db = database.db('worker');

/** Writes a rule as if it was `time`. */
async function at(time: string, statement: string, values: unknown[] = []): Promise<void> {
  await owner.query(statement, values);
  await owner.query("UPDATE rule_version SET starts_at = $1 WHERE starts_at > $1::timestamptz + interval '1 year'", [
    time,
  ]);
  await owner.query("UPDATE rule_version SET ends_at = $1 WHERE ends_at > $1::timestamptz + interval '1 year'", [time]);
}
const message = (changes: Partial<CheckedMessage>): CheckedMessage => ({
  ...{ id: 1, corporation_id, user_id, campaign_id: null, class: 'bulk', sender_id: 'Acme', number: '639171234567' },
  ...{ state: 'delivered', error_code: null, text: 'Hello', created_at: '2020-03-02T01:00:00Z', left_at: null },
  ...changes,
});
const said = (check: { result: string; because: { key: string; params: object } | null } | null) =>
  check && [check.result, check.because?.key, Object.values(check.because?.params ?? {}).join(' ')];

test('a message is explained by the sending hours of the moment at which it left', async () => {
  await at(
    '2020-03-01T00:00:00Z',
    `INSERT INTO sending_hours (name, calling_code, start_time, end_time) VALUES ('Day', '63', '07:00', '21:00')`,
  );
  await at('2020-04-01T00:00:00Z', `UPDATE sending_hours SET start_time = '10:00'`);
  await at('2020-05-01T00:00:00Z', 'UPDATE sending_hours SET enabled = false');
  await at('2020-06-01T00:00:00Z', 'DELETE FROM sending_hours');
  const explained = async (left_at: string | null, changes: Partial<CheckedMessage> = {}) =>
    said(await explainHours(db, message({ left_at, ...changes })));
  assert.equal(await explained('2020-02-28T01:00:00Z'), null);
  assert.deepEqual(await explained('2020-03-02T01:00:00Z'), ['passed', 'within', 'Day (07:00–21:00) 09:00']);
  assert.deepEqual(await explained('2020-03-02T13:00:01Z'), ['passed', 'on_its_way', 'Day (07:00–21:00) 21:00']);
  assert.deepEqual(await explained('2020-04-02T02:30:00Z'), ['passed', 'within', 'Day (10:00–21:00) 10:30']);
  assert.equal(await explained('2020-05-02T01:00:00Z'), null);
  assert.equal(await explained('2020-06-02T01:00:00Z'), null);
  assert.deepEqual(await explained('2020-03-02T01:00:00Z', { class: 'otp' }), ['skipped', 'exempt', '']);
  assert.equal(await explained('2020-03-02T01:00:00Z', { number: '6591234567' }), null);
  const night = { created_at: '2020-03-02T14:00:00Z', state: 'pending' };
  assert.deepEqual(await explained(null, night), ['waiting', 'held', 'Day (07:00–21:00)']);
});

test('a text is explained by the web addresses that were allowed when it was handed in', async () => {
  await at('2020-03-01T00:00:00Z', `UPDATE global_configuration SET value = 'shadow' WHERE key = 'web_links'`);
  await at('2020-03-10T00:00:00Z', `INSERT INTO web_domain (corporation_id, domain, ascii) VALUES ($1, $2, $2)`, [
    corporation_id,
    'lamps.example',
  ]);
  await at('2020-03-20T00:00:00Z', `UPDATE corporation SET web_links = 'enforced' WHERE id = $1`, [corporation_id]);
  await at('2020-04-01T00:00:00Z', 'DELETE FROM web_domain');
  await at('2020-04-02T00:00:00Z', `UPDATE corporation SET web_links = 'off' WHERE id = $1`, [corporation_id]);
  const explained = async (day: string, text: string | null = 'See https://lamps.example') =>
    said(await explainLinks(db, message({ created_at: `${day}T01:00:00Z`, text }), ['short.example']));
  assert.equal(await explained('2020-02-02'), null);
  assert.deepEqual(await explained('2020-03-02'), ['passed', 'counted', 'lamps.example']);
  assert.deepEqual(await explained('2020-03-12'), ['passed', 'allowed', 'lamps.example']);
  assert.deepEqual(await explained('2020-03-22'), ['passed', 'allowed', 'lamps.example']);
  assert.deepEqual(await explained('2020-03-22', 'https://short.example/abc'), ['passed', 'allowed', 'short.example']);
  assert.deepEqual(await explained('2020-03-22', 'Hello'), ['skipped', 'none', '']);
  assert.deepEqual(await explained('2020-04-01'), ['passed', 'earlier', 'lamps.example']);
  assert.deepEqual([await explained('2020-04-03'), await explained('2020-03-22', null)], [null, null]);
});

test('a program’s message names the limits that were in force for it', async () => {
  await at(
    '2020-03-01T00:00:00Z',
    `INSERT INTO sending_limit (corporation_id, name, kind, class, messages) VALUES ($1, 'All', 'corporation', NULL, 9),
       ($1, 'Codes', 'corporation', 'otp', 9)`,
    [corporation_id],
  );
  await at('2020-04-01T00:00:00Z', `UPDATE sending_limit SET enabled = false WHERE name = 'All'`);
  const explained = async (day: string) => said(await explainLimits(db, message({ created_at: `${day}T01:00:00Z` })));
  assert.deepEqual(await explained('2020-03-02'), ['passed', 'in_force', '“All”']);
  assert.deepEqual([await explained('2020-02-02'), await explained('2020-04-02')], [null, null]);
});
