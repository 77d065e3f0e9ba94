import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startVictim } from '@heliograph/fault-kit';
import { reconcile } from '#modules/billing';
import { FAILPOINT_VARIABLE, type Failpoint } from '#platform/failpoints';
import { TEST_KEY } from '../test-key.ts';
import { JOURNEY_PLACES } from './journey-places.ts';
import { journeyStage } from './stage.ts';

const WORKER = join(import.meta.dirname, '../../src/processes/worker.ts');
/** People: three batches. */
const PEOPLE = 5_000;
const PLACES: readonly (readonly [Failpoint, number])[] = [
  ...JOURNEY_PLACES.map((place) => [place, 2] as const),
  ['intake.before-commit', 1],
  ['ledger.after-post', 1],
];

const stage = await journeyStage({ after });
const { owner, rows } = stage;

/** Runs a worker until it dies at a place, or until nobody is due. */
async function lead(id: number, place?: readonly [Failpoint, number]): Promise<void> {
  const armed = place ? { [FAILPOINT_VARIABLE]: `${place[0]}:${place[1]}` } : {};
  const environment = {
    DATABASE_URL: stage.database.url,
    SECRET_KEY: TEST_KEY,
    LOG_LEVEL: 'silent',
    NODE_ENV: 'test',
    OPERATIONS_PORT: '0',
    ...armed,
  };
  const victim = await startVictim(WORKER, { environment });
  try {
    if (place) await victim.gone;
    else
      for (let left = 1; left > 0; ) {
        await new Promise((done) => setTimeout(done, 200));
        left = (await rows('SELECT FROM journey_person WHERE journey_id = $1 AND due_at IS NOT NULL', [id])).length;
      }
  } finally {
    await victim.kill();
  }
}

test('each step happens once for everybody although workers die in its middle', async () => {
  const numbers = await stage.contacts(PEOPLE, [], 'Ana');
  const id = await stage.journey({
    trigger: { on: 'event' },
    steps: [
      { id: 1, do: 'message', sender_id: stage.sender, text: 'One {name}', nameless: '' },
      { id: 2, do: 'tag', tag: 'one', add: true },
      { id: 4, do: 'callback', name: 'between' },
      { id: 3, do: 'message', sender_id: stage.sender, text: 'Two', nameless: '' },
    ],
  });
  stage.clock.at = new Date(Date.now() - 60_000).toISOString();
  await stage.enter(id, numbers);
  for (const place of PLACES) await lead(id, place);
  await lead(id);
  const messages = await rows<{ people: number; least: number; most: number }>(
    `SELECT count(*) AS people, min(n) AS least, max(n) AS most FROM (
       SELECT m.msisdn, count(*) AS n FROM message m GROUP BY 1) each`,
  );
  assert.deepEqual(messages, [{ people: PEOPLE, least: 2, most: 2 }]);
  const [journey] = await rows('SELECT state, spent, entered FROM journey WHERE id = $1', [id]);
  assert.deepEqual(journey, { state: 'running', spent: PEOPLE * 2 * 900, entered: PEOPLE });
  assert.deepEqual(
    await rows(
      'SELECT step, passed, sent FROM journey_step WHERE version_id IN (SELECT version_id FROM journey) ORDER BY step',
    ),
    [
      { step: 1, passed: PEOPLE, sent: PEOPLE },
      { step: 2, passed: PEOPLE, sent: 0 },
      { step: 3, passed: PEOPLE, sent: PEOPLE },
      { step: 4, passed: PEOPLE, sent: 0 },
    ],
  );
  assert.equal((await rows("SELECT FROM contact WHERE tags = '{one}'")).length, PEOPLE);
  const [told] = await rows(
    "SELECT count(*) AS events, count(DISTINCT data ->> 'contact_id') AS people FROM event WHERE type = 'journey.step'",
  );
  assert.deepEqual(told, { events: PEOPLE, people: PEOPLE });
  assert.deepEqual(
    await rows(
      `SELECT k.id FROM chunk k LEFT JOIN ledger_transfer t ON t.key = 'chunk:' || k.id || ':reserve'
         JOIN LATERAL (SELECT sum(parts * unit_price) AS cost FROM message m WHERE m.id >> 10 = k.id) m ON true
       WHERE m.cost IS DISTINCT FROM -t.amount`,
    ),
    [],
  );
  assert.deepEqual(await reconcile(owner), []);
});
