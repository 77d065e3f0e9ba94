import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createLogger } from '#platform/log';
import { mostSenders, SenderCrew } from '../../src/processes/sender-crew.ts';
import type { SenderLoad } from '../../src/processes/sender-load.ts';

const BUSY: SenderLoad = { share: 0.9, links: 2 };
const IDLE: SenderLoad = { share: 0.01, links: 1 };

/** A crew whose senders are only noted, on a clock of its own. */
function crewOf(most: number, fails = () => false) {
  const clock = { now: 0 };
  const running = new Map<number, (load: SenderLoad) => void>();
  const crew = new SenderCrew(
    most,
    (place, onLoad) => {
      running.set(place, onLoad);
      const stop = async () => void running.delete(place);
      const ready = fails() ? stop().then(() => Promise.reject(new Error('no'))) : Promise.resolve(undefined);
      return { name: `sender ${place}`, ready, stop, kill: () => void running.delete(place) };
    },
    createLogger({ LOG_LEVEL: 'fatal' }, 'test', process.stderr),
    () => clock.now,
  );
  /** Reports a load of each sender every five seconds. */
  const run = async (seconds: number, load: (place: number) => SenderLoad) => {
    for (const until = clock.now + seconds * 1_000; clock.now < until; clock.now += 5_000) {
      for (const [place, report] of [...running]) report(load(place));
      await turn();
    }
  };
  return { crew, running, run };
}

test('senders are started while one is busy with several links, up to the most', async () => {
  const { crew, running, run } = crewOf(3);
  await crew.begin();
  await run(10, () => BUSY);
  assert.equal(crew.size, 1, 'the first one settles');
  await run(10, () => BUSY);
  assert.equal(crew.size, 2);
  await run(10, () => BUSY);
  assert.equal(crew.size, 2, 'the links spread first');
  await run(100, () => BUSY);
  assert.deepEqual([...running.keys()], [0, 1, 2]);
});

test('a sender that is busy with one link stays alone, because no other could help', async () => {
  const { crew, run } = crewOf(4);
  await crew.begin();
  await run(120, () => ({ share: 1, links: 1 }));
  assert.equal(crew.size, 1);
});

test('senders are stopped one by one after quiet minutes, and the first one stays', async () => {
  const { crew, running, run } = crewOf(3);
  await crew.begin();
  await run(120, () => BUSY);
  assert.equal(crew.size, 3);
  await run(590, () => IDLE);
  assert.equal(crew.size, 3);
  await run(60, () => IDLE);
  assert.deepEqual([...running.keys()], [0, 1]);
  await run(1_200, () => IDLE);
  assert.deepEqual([...running.keys()], [0]);
});

test('a further sender that does not start leaves the others and is tried again', async () => {
  let failing = false;
  const { crew, run } = crewOf(2, () => failing);
  await crew.begin();
  failing = true;
  await run(60, () => BUSY);
  assert.equal(crew.size, 1);
  failing = false;
  await run(60, () => BUSY);
  assert.equal(crew.size, 2);
});

test('there is a sender for every two processors, or as many as the settings say', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 16].map((processors) => mostSenders(undefined, processors)),
    [1, 1, 1, 2, 8],
  );
  assert.equal(mostSenders(1, 16), 1);
});
