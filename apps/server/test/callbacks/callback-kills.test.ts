import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startVictim } from '@heliograph/fault-kit';
import { addEvents } from '#modules/events';
import { FAILPOINT_VARIABLE } from '#platform/failpoints';
import { testDatabase } from '../template-database.ts';
import { CALLBACK_PLACES } from './callback-places.ts';
import { receiver, until } from './receiver.ts';

const EVENTS = 150;

test('each event makes one callback and arrives, wherever a worker dies', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-callbacks-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const database = await testDatabase(t);
  const owner = database.pool('owner');
  const to = await receiver(t);
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO corporation (name, callback_url) VALUES ('C', $1) RETURNING id`,
    [`${to.url}/in`],
  );
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    NODE_ENV: 'test',
    PRIVATE_TARGETS: '127.0.0.0/8',
    HTTP_CALLBACKS: 'true',
  };
  const start = (variables: Record<string, string>) =>
    startVictim(join(import.meta.dirname, 'worker-process.ts'), { environment: { ...environment, ...variables } });
  const tell = () =>
    addEvents(
      owner,
      Array.from({ length: EVENTS }, () => ({
        corporation_id: rows[0]!.id,
        department_id: null,
        user_id: null,
        type: 'campaign.finished' as const,
        message_id: null,
        data: { campaign_id: 0, state: 'completed' },
      })),
    );
  for (const place of CALLBACK_PLACES) {
    await tell();
    const victim = await start({ [FAILPOINT_VARIABLE]: `${place}:1` });
    assert.equal(await victim.gone, 'SIGKILL', place);
    // The hold of a dead worker expires after a minute; then others may take its callbacks.
    await owner.query(`UPDATE callback SET next_at = now() WHERE state = 'waiting'`);
  }
  const last = await start({});
  t.after(() => last.kill());
  const counts = async () =>
    (
      await owner.query<{ made: number; done: number }>(
        `SELECT count(*) AS made, count(*) FILTER (WHERE state = 'done') AS done FROM callback`,
      )
    ).rows[0]!;
  const wanted = CALLBACK_PLACES.length * EVENTS;
  await until('all have arrived', async () => (await counts()).done === wanted);
  assert.deepEqual(await counts(), { made: wanted, done: wanted });
  assert.equal(new Set(to.came.map(({ headers }) => headers['webhook-id'])).size, wanted);
  await last.kill();
});
