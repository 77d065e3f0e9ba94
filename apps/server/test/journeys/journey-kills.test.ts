import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, seedOf, startVictim } from '@heliograph/fault-kit';
import { reconcile } from '#modules/billing';
import { FAILPOINT_VARIABLE, type Failpoint } from '#platform/failpoints';
import { TEST_KEY } from '../test-key.ts';
import { JOURNEY_PLACES } from './journey-places.ts';
import { journeyStage } from './stage.ts';

const WORKER = join(import.meta.dirname, '../../src/processes/worker.ts');
const SEED_VARIABLE = 'FAULT_SEED';
const seed = seedOf(SEED_VARIABLE);
const random = seededRandom(seed);
/** People, by default three batches, and kills at random moments; `npm run soak -- journeys` has more of both. */
const PEOPLE = Number(process.env['FAULT_JOURNEY_PEOPLE'] ?? 5_000);
const KILLS = Number(process.env['FAULT_JOURNEY_KILLS'] ?? 1);
const PLACES: readonly (readonly [Failpoint, number])[] = [
  ...JOURNEY_PLACES.map((place) => [place, 2] as const),
  ['intake.before-commit', 1],
  ['ledger.after-post', 1],
];

const stage = await journeyStage({ after }, { funds: PEOPLE * 3_000 });
const { owner, rows } = stage;

const start = (armed: Record<string, string> = {}) =>
  startVictim(WORKER, {
    environment: {
      DATABASE_URL: stage.database.url,
      SECRET_KEY: TEST_KEY,
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
      OPERATIONS_PORT: '0',
      ...armed,
    },
  });
/** Lets all waits be over. */
const passTime = () => owner.query('UPDATE journey_person SET due_at = now() WHERE due_at > now()');
const waiting = async () => (await rows('SELECT FROM journey_person WHERE due_at IS NOT NULL LIMIT 1')).length > 0;

/** Runs a worker until it dies at a place. */
async function dieAt([place, hit]: readonly [Failpoint, number]): Promise<void> {
  const victim = await start({ [FAILPOINT_VARIABLE]: `${place}:${hit}` });
  try {
    while (victim.alive && (await waiting())) {
      await passTime();
      await Promise.race([victim.gone, sleep(200)]);
    }
  } finally {
    await victim.kill();
  }
}

/** Runs one worker or two, and kills them at a random moment after somebody was led on. */
async function dieSometime(): Promise<void> {
  const steps = async () => (await rows<{ n: number }>('SELECT coalesce(sum(passed), 0) AS n FROM journey_step'))[0]!.n;
  const [victim, other] = [await start(), random.chance(0.3) ? await start() : undefined];
  try {
    const before = await steps();
    while ((await steps()) === before && (await waiting())) {
      await passTime();
      await sleep(50);
    }
    await sleep(random.below(800));
  } finally {
    await Promise.all([victim.kill(), other?.kill()]);
  }
}

/** Runs a worker until everybody came to the end. */
async function leadAll(): Promise<void> {
  const worker = await start();
  try {
    while (await waiting()) {
      await passTime();
      await sleep(200);
    }
  } finally {
    await worker.kill();
  }
}

test(`each step happens once although workers die (${SEED_VARIABLE}=${seed})`, async () => {
  const numbers = await stage.contacts(PEOPLE, [], 'Ana');
  const id = await stage.journey({
    trigger: { on: 'event' },
    steps: [
      { id: 1, do: 'message', sender_id: stage.sender, text: 'One {name}', nameless: '' },
      { id: 2, do: 'tag', tag: 'one', add: true },
      { id: 4, do: 'callback', name: 'between' },
      { id: 5, do: 'wait', count: 30, unit: 'days' },
      {
        id: 6,
        do: 'split',
        branches: [
          { share: 50, steps: [{ id: 7, do: 'tag', tag: 'left', add: true }] },
          { share: 50, steps: [{ id: 8, do: 'tag', tag: 'right', add: true }] },
        ],
      },
      { id: 3, do: 'message', sender_id: stage.sender, text: 'Two', nameless: '' },
    ],
  });
  stage.clock.at = new Date(Date.now() - 60_000).toISOString();
  /** Part of the people who have not entered yet; the others enter between the kills. */
  const late = numbers.splice(PEOPLE / 2);
  await stage.enter(id, numbers);
  const deaths = [...PLACES.map((place) => () => dieAt(place)), ...Array.from({ length: KILLS }, () => dieSometime)];
  for (const [nth, die] of deaths.entries()) {
    await die();
    const more = nth === deaths.length - 1 ? late.splice(0) : late.splice(0, Math.ceil(PEOPLE / deaths.length / 2));
    await stage.enter(id, more);
  }
  await leadAll();
  const messages = await rows<{ people: number; least: number; most: number }>(
    `SELECT count(*) AS people, min(n) AS least, max(n) AS most FROM (
       SELECT m.msisdn, count(*) AS n FROM message m GROUP BY 1) each`,
  );
  assert.deepEqual(messages, [{ people: PEOPLE, least: 2, most: 2 }]);
  const [journey] = await rows('SELECT state, spent, entered FROM journey WHERE id = $1', [id]);
  assert.deepEqual(journey, { state: 'running', spent: PEOPLE * 2 * 900, entered: PEOPLE });
  const figures = await rows<{ step: number; passed: number; sent: number }>(
    'SELECT step, passed, sent FROM journey_step WHERE version_id IN (SELECT version_id FROM journey) ORDER BY step',
  );
  const each = { passed: PEOPLE, sent: 0 };
  assert.deepEqual(
    figures.filter(({ step }) => step !== 7 && step !== 8),
    [1, 2, 3, 4, 5, 6].map((step) => ({ step, ...each, ...(step % 2 === 1 && step < 5 && { sent: PEOPLE }) })),
  );
  const trails = await rows<{ steps: string; people: number }>(
    `SELECT steps, count(*) AS people FROM (SELECT (SELECT string_agg(step::text, ' ' ORDER BY at)
       FROM unnest(trail) WITH ORDINALITY AS t(step, at) WHERE at % 2 = 1) AS steps FROM journey_person) p
     GROUP BY steps ORDER BY steps`,
  );
  const tagged = await rows<{ steps: string; people: number }>(
    `SELECT '1 2 4 5 6 ' || CASE tags WHEN '{one,left}' THEN 7 WHEN '{one,right}' THEN 8 END || ' 3' AS steps, count(*) AS people
     FROM contact GROUP BY 1 ORDER BY 1`,
  );
  assert.deepEqual(trails, tagged);
  assert.equal(tagged.length, 2);
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
