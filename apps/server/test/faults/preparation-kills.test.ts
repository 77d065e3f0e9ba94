import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { untilServed } from '../patience.ts';
import { House } from './house.ts';
import { PREPARATION_PLACES } from './preparation-places.ts';

// Workers die (kill -9) while they write a large campaign whose first parts are sent already. The next worker writes what
// is missing while the sender goes on.

const seed = seedOf('FAULT_SEED');
const COUNT = 22_000;
/** The first dies with a part that is not committed, the second directly behind a commit. */
const DEATHS = PREPARATION_PLACES.map((place) => `${place}:2`);
const numberAt = (place: number) => `6391${String(place).padStart(6, '0')}22`;

interface Progress {
  state: string;
  total_count: number;
  estimated_cost: number;
  delivered: number;
  charged: number;
  written: number;
}

test('workers that die while a campaign is sent leave each number once, charged once', async (t) => {
  const house = await House.open(t, seededRandom(seed));
  const { stage, truth, log } = house;
  await stage.owner.query('UPDATE link SET rate = NULL, window_size = 1000');
  const progress = () =>
    stage.one<Progress>(`SELECT c.state, c.total_count, c.estimated_cost, n.delivered, n.charged,
        (SELECT count(*)::integer FROM message m WHERE m.campaign_id = c.id) AS written
      FROM campaign c JOIN campaign_counter n ON n.campaign_id = c.id`);
  const asked = async <Body>(path: string, body: object | FormData): Promise<Body> => {
    const answer = await house.call<Body>('POST', `/api/v1/campaigns${path}`, body);
    assert.ok(answer && answer.status < 300, house.refusal);
    return answer.data;
  };
  /** Waits for the death of a worker, and queues its job again, only to save the wait until the next one does. */
  const died = async () => {
    await worker.gone;
    await house.sessionsEnded('worker');
    await stage.owner.query(
      `UPDATE jobs.job SET state = 'retry', start_after = now(), heartbeat_on = NULL, output = NULL
       WHERE name = 'prepare-campaign' AND state = 'active'`,
    );
  };
  await house.start('api');
  let worker = await house.start('worker', DEATHS[0]);
  const form = new FormData();
  const lines = Array.from({ length: COUNT }, (_, place) => numberAt(place));
  form.append('file', new Blob([['number', ...lines].join('\n')]), 'people.csv');
  const file = await asked<{ id: number }>('/files', form);
  const quote = await asked<{ id: number }>('/quotes', {
    sender_id: house.senderId,
    content: 'Hello',
    file_id: file.id,
    sms_validity: 1,
  });
  await untilServed('the quote is counted', async () => {
    const { state } = await stage.one<{ state: string }>('SELECT state FROM quote WHERE id = $1', [quote.id]);
    return state === 'ready';
  });
  await asked('', { quote_id: quote.id, name: 'Large' });
  await died();
  await house.start('sender');
  await untilServed('what is written is sent', async () => {
    const { delivered, written } = await progress();
    return delivered > 0 && delivered === written;
  });
  const first = await progress();
  assert.equal(first.state, 'running', 'a campaign does not end before it is written');
  assert.ok(first.written < COUNT);
  assert.deepEqual(await truth.contradictions(), []);

  worker = await house.start('worker', DEATHS[1]);
  await died();
  assert.deepEqual(await truth.contradictions(), []);
  const second = await progress();
  assert.ok(second.written > first.written && second.written < COUNT);

  await house.start('worker');
  await untilServed('everything is delivered', async () => {
    const { state, delivered } = await progress();
    return state === 'completed' && delivered === COUNT;
  });
  await untilServed('the parts are forgotten', async () => {
    const { count } = await stage.one<{ count: number }>('SELECT count(*)::integer AS count FROM campaign_part');
    return count === 0;
  });
  const { charged, estimated_cost, written } = await progress();
  assert.deepEqual([written, charged], [COUNT, estimated_cost]);
  assert.deepEqual(await truth.contradictions(), []);
  log.read();
  assert.deepEqual(log.accepted.map(({ to }) => to).sort(), lines.sort());
});
