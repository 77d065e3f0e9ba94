import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { anchorActivity } from '../../src/modules/audit/anchor.ts';
import { readAnchors, verifyActivity } from '../../src/modules/audit/index.ts';
import { audit } from '../../src/platform/access/audit.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { testDatabase } from '../template-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-log-'));
after(() => rmSync(folder, { recursive: true }));
const database = await testDatabase({ after });
const owner = database.pool('owner');
const config = readConnectedConfig({ DATABASE_URL: database.url, DATA_DIR: folder });
const ENTRIES = 10_000;
const TRIALS = Number(process.env['FAULT_LOG_TRIALS']) || 20;

await owner.query(
  `INSERT INTO activity_log (name, description, subject_type, subject_id, causer_id, properties)
   SELECT 'users', 'updated', 'users', n, 1, jsonb_build_object('before', jsonb_build_object('name', 'a' || n), 'after', jsonb_build_object('name', 'b' || n, 'é"\\', 1.50))
   FROM generate_series(1, $1) n`,
  [ENTRIES],
);

test('a whole log verifies, also after many wrote at the same time', async () => {
  assert.deepEqual(await verifyActivity(owner), { checked: ENTRIES });
  const db = database.db('auth');
  const caller = { user_id: 1, corporation_id: null };
  const write = (n: number) =>
    db.transaction().execute((tx) =>
      audit(
        { db: tx, clock: systemClock, caller },
        {
          name: 'users',
          description: 'updated',
          subject_type: 'users',
          subject_id: n,
          after: { n, password: 'lamp' },
        },
      ),
    );
  await Promise.all(Array.from({ length: 40 }, (_, n) => write(n)));
  assert.deepEqual(await verifyActivity(owner), { checked: ENTRIES + 40 });
  const { rows } = await owner.query(
    'SELECT properties::text AS text FROM activity_log ORDER BY position DESC LIMIT 40',
  );
  for (const { text } of rows) assert.equal(text.includes('lamp'), false);
});

test('no database statement changes or removes entries', async () => {
  for (const text of ["UPDATE activity_log SET name = 'x'", 'DELETE FROM activity_log', 'TRUNCATE activity_log'])
    await assert.rejects(owner.query(text), /append-only/);
});

/** Ways of tampering by the owner of the database, with the first position at which each must be detected. */
const TAMPERING = {
  description: (at: number) => [`UPDATE activity_log SET description = 'nothing' WHERE position = ${at}`, at],
  properties: (at: number) => [`UPDATE activity_log SET properties = '{}' WHERE position = ${at}`, at],
  causer: (at: number) => [`UPDATE activity_log SET causer_id = 2 WHERE position = ${at}`, at],
  time: (at: number) => [
    `UPDATE activity_log SET created_at = created_at + interval '1 ms' WHERE position = ${at}`,
    at,
  ],
  removed: (at: number) => [`DELETE FROM activity_log WHERE position = ${at}`, at],
  'removed and closed up': (at: number) => [
    `DELETE FROM activity_log WHERE position = ${at};
     UPDATE activity_log SET position = -position WHERE position > ${at};
     UPDATE activity_log SET position = -position - 1 WHERE position < 0`,
    at,
  ],
  swapped: (at: number) => [
    `UPDATE activity_log SET position = -1 WHERE position = ${at};
     UPDATE activity_log SET position = ${at} WHERE position = ${at + 1};
     UPDATE activity_log SET position = ${at + 1} WHERE position = -1`,
    at,
  ],
  'hashed anew by itself': (at: number) => [
    `UPDATE activity_log SET description = 'nothing' WHERE position = ${at};
     UPDATE activity_log a SET hash = sha256(coalesce(previous_hash, '') || convert_to(activity_text(a), 'UTF8')) WHERE position = ${at}`,
    at + 1,
  ],
} as const satisfies Record<string, (at: number) => [string, number]>;

test(`any change or removal in ${ENTRIES} entries is detected, in ${TRIALS} trials`, async () => {
  const client = await owner.connect();
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: ENTRIES - 1 }),
        fc.constantFrom(...(Object.keys(TAMPERING) as (keyof typeof TAMPERING)[])),
        async (at, way) => {
          const [text, shows] = TAMPERING[way](at) as [string, number];
          await client.query('BEGIN');
          try {
            await client.query('ALTER TABLE activity_log DISABLE TRIGGER USER');
            await client.query(text);
            const { fault, checked } = await verifyActivity(client);
            assert.deepEqual([fault?.position, checked], [shows, shows - 1], way);
          } finally {
            await client.query('ROLLBACK');
          }
        },
      ),
      { numRuns: TRIALS },
    );
  } finally {
    client.release();
  }
});

test('records outside the database reveal a cut-off end or a rebuilt chain', async () => {
  await anchorActivity({ database: database.db('worker'), config, clock: systemClock });
  const anchors = await readAnchors(config);
  const { rows } = await owner.query<{ last: number }>('SELECT max(position) AS last FROM activity_log');
  const { last } = rows[0]!;
  assert.deepEqual(
    anchors.map(({ position }) => position),
    [last],
  );
  const client = await owner.connect();
  try {
    await client.query('BEGIN');
    await client.query('ALTER TABLE activity_log DISABLE TRIGGER USER');
    await client.query('DELETE FROM activity_log WHERE position > $1', [last - 3]);
    assert.deepEqual(await verifyActivity(client), { checked: last - 3 });
    assert.deepEqual((await verifyActivity(client, anchors)).fault, { position: last - 2, what: 'cut off' });
    await client.query('ROLLBACK');
    await client.query('BEGIN');
    await client.query('ALTER TABLE activity_log DISABLE TRIGGER USER');
    await client.query(`UPDATE activity_log SET description = 'nothing' WHERE position = $1`, [last - 1]);
    for (const at of [last - 1, last])
      await client
        .query(
          `UPDATE activity_log a SET previous_hash = (SELECT hash FROM activity_log b WHERE b.position = $1 - 1) WHERE position = $1`,
          [at],
        )
        .then(() =>
          client.query(
            `UPDATE activity_log a SET hash = sha256(coalesce(previous_hash, '') || convert_to(activity_text(a), 'UTF8')) WHERE position = $1`,
            [at],
          ),
        );
    assert.deepEqual(await verifyActivity(client), { checked: last });
    assert.deepEqual((await verifyActivity(client, anchors)).fault, { position: last, what: 'altered' });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
