import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { apiStage } from './stage.ts';

const stage = await apiStage({ after });
const { acme, one, number } = stage;
const key = await stage.makeKey();
const call = (path: string, body: object) =>
  stage.by(key.key)('POST', path, { text: 'Hello', from: acme.sender, ...body });
const [alive, dead, unknown] = [number(1), number(2), number(3)];

test('a program skips dead numbers only if it asks to, and pays nothing for them', async () => {
  const source = await one<{ id: number }>(
    `INSERT INTO number_source (name, driver, enabled) VALUES ('File', 'dump', true) RETURNING id`,
  );
  for (const [msisdn, isDead] of [
    [alive, false],
    [dead, true],
  ])
    await one('INSERT INTO number_lookup (msisdn, number_source_id, dead) VALUES ($1, $2, $3) RETURNING msisdn', [
      msisdn,
      source.id,
      isDead,
    ]);
  const refused = await call('/v1/messages', { to: dead, skip_dead: true });
  assert.equal(refused.status, 422, JSON.stringify(refused.body));
  assert.deepEqual((refused.body as { errors: object }).errors, {
    to: ['A lookup says that nobody has this number. Leave it out, or send without skip_dead.'],
  });
  assert.equal((await call('/v1/messages', { to: dead })).status, 202, 'it is sent unless the program skips it');
  assert.equal(
    (await call('/v1/messages', { to: unknown, skip_dead: true })).status,
    202,
    'nothing waits for a lookup',
  );
  const recipients = [alive, dead, unknown].map((to) => ({ to }));
  const batch = (await call('/v1/batches', { recipients, skip_dead: true })).body as Answer;
  const estimate = (await call('/v1/messages/estimate', { to: [alive, dead, unknown], skip_dead: true }))
    .body as Answer;
  for (const { rejected, price } of [batch, estimate]) {
    assert.deepEqual(
      rejected.map(({ index, field }) => [index, field]),
      [[1, 'to']],
    );
    assert.equal(price, '1.080');
  }
  assert.equal((await call('/v1/messages', { to: alive, skip_dead: 'yes' })).status, 422);
});

interface Answer {
  price: string;
  rejected: { index: number; field: string }[];
}
