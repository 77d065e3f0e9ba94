import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cases, END, ended, type House, hear, numbers, SUBJECT, until } from './fan-out-house.ts';

/** Listeners of a message, and the order in which they hear messages. */
export const HEARING: Cases = {
  'a message is heard, once': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    await one.tell(house.database.pool('owner'), SUBJECT, 'said');
    await ended(one, house, heard);
    assert.deepEqual(heard.messages, ['said', END]);
  },
  'messages of a process are heard in their order': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    for (const each of numbers(300)) await one.tell(house.database.pool('owner'), SUBJECT, each);
    await ended(one, house, heard);
    assert.deepEqual(heard.messages, [...numbers(300), END]);
  },
  'each of many subjects hears its own': async (house) => {
    const one = await house.start();
    const subjects = numbers(60).map((n) => `subject_${n}`);
    const heard = await Promise.all(subjects.map((subject) => hear(one, subject)));
    for (const subject of subjects) await one.tell(house.database.pool('owner'), subject, subject);
    await until(() => heard.every(({ messages }) => messages.length > 0));
    assert.deepEqual(
      heard.map(({ messages }) => messages),
      subjects.map((subject) => [subject]),
    );
  },
  'two listeners of one process each hear a message once': async (house) => {
    const one = await house.start();
    const heard = [await hear(one, SUBJECT), await hear(one, SUBJECT)];
    await one.tell(house.database.pool('owner'), SUBJECT, 'said');
    await ended(one, house, ...heard);
    for (const { messages } of heard) assert.deepEqual(messages, ['said', END]);
  },
  'every process hears what one of them tells, itself included': async (house) => {
    const processes = [await house.start(), await house.start(), await house.start()];
    const heard = await Promise.all(processes.map((each) => hear(each, SUBJECT)));
    await processes[0]!.tell(house.database.pool('owner'), SUBJECT, 'said');
    await ended(processes[0]!, house, ...heard);
    for (const { messages } of heard) assert.deepEqual(messages, ['said', END]);
  },
  'two processes that tell at once are both heard, each in its order': async (house) => {
    const [one, two] = [await house.start(), await house.start()];
    const heard = await hear(one, SUBJECT);
    const pool = house.database.pool('owner');
    await Promise.all(
      [one, two].map(async ({ tell }, who) => {
        for (const each of numbers(100)) await tell(pool, SUBJECT, `${who} ${each}`);
      }),
    );
    await until(() => heard.messages.length === 200);
    for (const who of ['0', '1']) {
      const own = heard.messages.filter((each) => each.startsWith(who));
      assert.deepEqual(
        own,
        numbers(100).map((each) => `${who} ${each}`),
      );
    }
  },
  'a thousand listeners hear': async (house) => {
    const one = await house.start();
    const heard = await Promise.all(numbers(1_000).map(() => hear(one, SUBJECT)));
    await one.tell(house.database.pool('owner'), SUBJECT, 'said');
    await ended(one, house, ...heard);
    assert.ok(heard.every(({ messages }) => messages.length === 2));
  },
  'who has stopped listening hears nothing more, and others go on': async (house) => {
    const one = await house.start();
    const [leaving, staying] = [await hear(one, SUBJECT), await hear(one, SUBJECT)];
    await leaving.stop();
    await leaving.stop();
    await ended(one, house, staying);
    assert.deepEqual([leaving.messages, staying.messages], [[], [END]]);
  },
  'a subject that nobody listened to any more is heard again by the next who listens': async (house) => {
    const one = await house.start();
    const first = await hear(one, SUBJECT);
    await first.stop();
    await one.tell(house.database.pool('owner'), SUBJECT, 'to nobody');
    const second = await hear(one, SUBJECT);
    await ended(one, house, second);
    assert.deepEqual([first.messages, second.messages], [[], [END]]);
  },
  'who leaves and comes back in one moment listens': async (house) => {
    const one = await house.start();
    const first = await hear(one, SUBJECT);
    const leaving = first.stop();
    const second = await hear(one, SUBJECT);
    await leaving;
    await ended(one, house, second);
    assert.deepEqual(second.messages, [END]);
  },
  'what was told before somebody listens is not repeated to them': async (house) => {
    const one = await house.start();
    await one.tell(house.database.pool('owner'), SUBJECT, 'early');
    const heard = await hear(one, SUBJECT);
    await ended(one, house, heard);
    assert.deepEqual(heard.messages, [END]);
  },
  'a listener that throws keeps no message from itself and others': async (house) => {
    const one = await house.start();
    let thrown = 0;
    await one.fanOut.subscribe(SUBJECT, () => {
      thrown++;
      throw new Error('a listener that fails');
    });
    const heard = await hear(one, SUBJECT);
    await one.tell(house.database.pool('owner'), SUBJECT, 'said');
    await ended(one, house, heard);
    assert.deepEqual([thrown, heard.messages], [2, ['said', END]]);
  },
  'a listener may tell and listen while it hears': async (house) => {
    const one = await house.start();
    const pool = house.database.pool('owner');
    const answers = await hear(one, 'answers');
    await one.fanOut.subscribe(SUBJECT, (payload) => {
      void hear(one, SUBJECT);
      void one.tell(pool, 'answers', payload);
    });
    await one.tell(pool, SUBJECT, 'asked');
    await until(() => answers.messages.length > 0);
    assert.deepEqual(answers.messages, ['asked']);
  },
  'a listener that is slow misses nothing and keeps its order': async (house) => {
    const one = await house.start();
    const messages: string[] = [];
    await one.fanOut.subscribe(SUBJECT, (payload) => {
      const end = performance.now() + 2;
      while (performance.now() < end);
      messages.push(payload);
    });
    await Promise.all(numbers(100).map((each) => one.tell(house.database.pool('owner'), SUBJECT, each)));
    await until(() => messages.length === 100);
    assert.deepEqual(new Set(messages), new Set(numbers(100)));
  },
  'another installation hears nothing of this one': async (house) => {
    const [one, other] = [await house.start(), await house.startForeign()];
    const [own, foreign] = [await hear(one, SUBJECT), await hear(other, SUBJECT)];
    await ended(one, house, own);
    await sleep(50);
    assert.deepEqual([own.messages, foreign.messages], [[END], []]);
  },
  'a subject is a plain name': async (house) => {
    const { fanOut } = await house.start();
    for (const name of ['', 'a.b', 'a.>', '*', 'A', 'a b', '_missed', '"; DROP', 'x'.repeat(41)])
      await assert.rejects(
        fanOut.subscribe(name, () => undefined),
        RangeError,
      );
  },
  ...Object.fromEntries(
    (
      [
        ['an empty payload arrives', '', ''],
        ['a payload of one byte arrives', 'x', 'x'],
        ['a payload of 7,500 bytes arrives whole', 'x'.repeat(7_500), 'x'.repeat(7_500)],
        ['a payload of 7,501 bytes arrives empty, by which its readers read again', 'x'.repeat(7_501), ''],
        ['the bound of payloads counts bytes, not letters', '短'.repeat(2_501), ''],
        ['every script, line ends and quotes arrive as they were', '短信 ✓ 😀 עברית "\'\\\n\r\t$1 %s', undefined],
        ['what is no JSON arrives as it was', '{"broken', undefined],
      ] as const
    ).map(([name, told, expected]) => [
      name,
      async (house: House) => {
        const one = await house.start();
        const heard = await hear(one, SUBJECT);
        await one.tell(house.database.pool('owner'), SUBJECT, told);
        await house.database
          .db('owner')
          .transaction()
          .execute((db) => one.tell(db, SUBJECT, `${told}`));
        await ended(one, house, heard);
        assert.deepEqual(heard.messages, [expected ?? told, expected ?? told, END]);
      },
    ]),
  ),
};
