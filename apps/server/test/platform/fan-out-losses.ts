import assert from 'node:assert/strict';
import { type Cases, END, ended, hear, numbers, SUBJECT, until } from './fan-out-house.ts';

/** Notices of a lost connection to listeners, and the end of a listener or a process. */
export const LOSSES: Cases = {
  'without a loss nobody is told of a gap': async (house) => {
    const [one, two] = [await house.start(), await house.start()];
    const heard = [await hear(one, SUBJECT), await hear(two, SUBJECT), await hear(one, 'others')];
    await ended(one, house, heard[0]!, heard[1]!);
    assert.deepEqual(
      heard.map(({ gaps }) => gaps),
      [0, 0, 0],
    );
  },
  'after a lost connection each listener is told of the gap once, and hears again': async (house) => {
    const [one, two] = [await house.start(), await house.start()];
    const heard = [
      await hear(one, SUBJECT),
      await hear(one, SUBJECT),
      await hear(one, 'others'),
      await hear(two, SUBJECT),
    ];
    await house.cut();
    await until(() => heard.every(({ gaps }) => gaps > 0));
    await ended(two, house, heard[0]!, heard[1]!, heard[3]!);
    assert.deepEqual(
      heard.map(({ gaps }) => gaps),
      [1, 1, 1, 1],
    );
  },
  'after several losses the gap is told each time': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    for (const time of [1, 2]) {
      await house.cut();
      await until(() => heard.gaps === time);
    }
    await ended(one, house, heard);
    assert.deepEqual([heard.gaps, heard.messages], [2, [END]]);
  },
  'while the server is away the state says so, and since when; nothing fails': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    assert.equal(one.fanOut.state().connected, true);
    const before = Date.now();
    await house.away();
    await until(() => !one.fanOut.state().connected);
    const { since } = one.fanOut.state();
    assert.ok(Date.parse(since) >= before - 1 && Date.parse(since) <= Date.now());
    await one.tell(house.database.pool('owner'), SUBJECT, 'to nobody');
    assert.equal(heard.gaps, 0);
    await house.back();
    await until(() => one.fanOut.state().connected && heard.gaps === 1);
    await ended(one, house, heard);
    assert.deepEqual(heard.messages, [END]);
  },
  'who begins to listen while the server is away hears once it is back, and is told of the gap': async (house) => {
    const one = await house.start();
    await house.away();
    await until(() => !one.fanOut.state().connected);
    const heard = await hear(one, SUBJECT);
    await house.back();
    await until(() => heard.gaps === 1);
    await ended(one, house, heard);
    assert.deepEqual([heard.gaps, heard.messages], [1, [END]]);
  },
  'who leaves while the server is away is told nothing afterwards': async (house) => {
    const one = await house.start();
    const [leaving, staying] = [await hear(one, SUBJECT), await hear(one, SUBJECT)];
    await house.away();
    await until(() => !one.fanOut.state().connected);
    await leaving.stop();
    await house.back();
    await until(() => staying.gaps === 1);
    await ended(one, house, staying);
    assert.deepEqual([leaving.gaps, leaving.messages], [0, []]);
  },
  'a listener that throws at a gap keeps it from nobody': async (house) => {
    const one = await house.start();
    await one.fanOut.subscribe(
      SUBJECT,
      () => undefined,
      () => {
        throw new Error('a listener that fails');
      },
    );
    const heard = await hear(one, SUBJECT);
    await house.cut();
    await until(() => heard.gaps === 1);
    await ended(one, house, heard);
  },
  'who has stopped hears nothing more, however often it stops': async (house) => {
    const [one, two] = [await house.start(), await house.start()];
    const [gone, staying] = [await hear(one, SUBJECT), await hear(two, SUBJECT)];
    await Promise.all([one.fanOut.stop(), one.fanOut.stop()]);
    await one.fanOut.stop();
    await ended(two, house, staying);
    assert.deepEqual([gone.messages, gone.gaps, one.fanOut.state().connected], [[], 0, false]);
    await assert.rejects(
      one.fanOut.subscribe(SUBJECT, () => undefined),
      /stopped/,
    );
  },
  'who stops while it tells fails nobody, and what was told before is heard': async (house) => {
    const [one, two] = [await house.start(), await house.start()];
    const heard = await hear(two, SUBJECT);
    const pool = house.database.pool('owner');
    await one.tell(pool, SUBJECT, 'before');
    const telling = numbers(50).map((each) => one.tell(pool, SUBJECT, each));
    await Promise.all([one.fanOut.stop(), ...telling]);
    await ended(two, house, heard);
    assert.equal(heard.messages[0], 'before');
  },
  'who stops while the server is away has stopped': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    await house.away();
    await until(() => !one.fanOut.state().connected);
    await one.fanOut.stop();
    await house.back();
    const two = await house.start();
    await ended(two, house, await hear(two, SUBJECT));
    assert.deepEqual([heard.gaps, heard.messages], [0, []]);
  },
};
