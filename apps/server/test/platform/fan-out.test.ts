import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterCommit } from '../../src/platform/fan-out/after-commit.ts';
import { WakeUps } from '../../src/platform/fan-out/wake-ups.ts';
import { type Heard, type House, hear, houses, type Process, quiet, until } from './fan-out-house.ts';
import { withoutNats } from './nats-server.ts';

// What whoever tells and whoever listens may rely on, whatever carries it. Each case runs over both transports.

const SUBJECT = 'events';
const END = 'the last one';

/** Tells a last message and waits until it is heard: what was to be heard before has been. */
async function ended({ tell }: Process, { database }: House, ...heard: Heard[]): Promise<void> {
  await tell(database.pool('owner'), SUBJECT, END);
  await until(() => heard.every(({ messages }) => messages.at(-1) === END));
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i));

interface Case {
  name: string;
  run(house: House): Promise<void>;
}

const cases: Case[] = [
  {
    name: 'a message is heard, once',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      await one.tell(house.database.pool('owner'), SUBJECT, 'said');
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, ['said', END]);
    },
  },
  {
    name: 'messages of a process are heard in their order',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      for (const each of numbers(300)) await one.tell(house.database.pool('owner'), SUBJECT, each);
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, [...numbers(300), END]);
    },
  },
  {
    name: 'each of many subjects hears its own',
    async run(house) {
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
  },
  ...(
    [
      ['an empty payload arrives', '', ''],
      ['a payload of one byte arrives', 'x', 'x'],
      ['a payload of 7,500 bytes arrives whole', 'x'.repeat(7_500), 'x'.repeat(7_500)],
      ['a payload of 7,501 bytes arrives empty, by which its readers read again', 'x'.repeat(7_501), ''],
      ['the bound of payloads counts bytes, not letters', '短'.repeat(2_501), ''],
      ['every script, line ends and quotes arrive as they were', '短信 ✓ 😀 עברית "\'\\\n\r\t$1 %s', undefined],
      ['what is no JSON arrives as it was', '{"broken', undefined],
    ] as const
  ).map(
    ([name, told, expected]): Case => ({
      name,
      async run(house) {
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
    }),
  ),
  {
    name: 'two listeners of one process each hear a message once',
    async run(house) {
      const one = await house.start();
      const heard = [await hear(one, SUBJECT), await hear(one, SUBJECT)];
      await one.tell(house.database.pool('owner'), SUBJECT, 'said');
      await ended(one, house, ...heard);
      for (const { messages } of heard) assert.deepEqual(messages, ['said', END]);
    },
  },
  {
    name: 'every process hears what one of them tells, itself included',
    async run(house) {
      const processes = [await house.start(), await house.start(), await house.start()];
      const heard = await Promise.all(processes.map((each) => hear(each, SUBJECT)));
      await processes[0]!.tell(house.database.pool('owner'), SUBJECT, 'said');
      await ended(processes[0]!, house, ...heard);
      for (const { messages } of heard) assert.deepEqual(messages, ['said', END]);
    },
  },
  {
    name: 'two processes that tell at once are both heard, each in its order',
    async run(house) {
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
  },
  {
    name: 'a thousand listeners hear',
    async run(house) {
      const one = await house.start();
      const heard = await Promise.all(numbers(1_000).map(() => hear(one, SUBJECT)));
      await one.tell(house.database.pool('owner'), SUBJECT, 'said');
      await ended(one, house, ...heard);
      assert.ok(heard.every(({ messages }) => messages.length === 2));
    },
  },
  {
    name: 'who has stopped listening hears nothing more, and others go on',
    async run(house) {
      const one = await house.start();
      const [leaving, staying] = [await hear(one, SUBJECT), await hear(one, SUBJECT)];
      await leaving.stop();
      await leaving.stop();
      await ended(one, house, staying);
      assert.deepEqual([leaving.messages, staying.messages], [[], [END]]);
    },
  },
  {
    name: 'a subject that nobody listened to any more is heard again by the next who listens',
    async run(house) {
      const one = await house.start();
      const first = await hear(one, SUBJECT);
      await first.stop();
      await one.tell(house.database.pool('owner'), SUBJECT, 'to nobody');
      const second = await hear(one, SUBJECT);
      await ended(one, house, second);
      assert.deepEqual([first.messages, second.messages], [[], [END]]);
    },
  },
  {
    name: 'who leaves and comes back in one moment listens',
    async run(house) {
      const one = await house.start();
      const first = await hear(one, SUBJECT);
      const leaving = first.stop();
      const second = await hear(one, SUBJECT);
      await leaving;
      await ended(one, house, second);
      assert.deepEqual(second.messages, [END]);
    },
  },
  {
    name: 'what was told before somebody listens is not repeated to them',
    async run(house) {
      const one = await house.start();
      await one.tell(house.database.pool('owner'), SUBJECT, 'early');
      const heard = await hear(one, SUBJECT);
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, [END]);
    },
  },
  {
    name: 'a transaction is heard once it stands, and not before',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const db = house.database.db('owner');
      await db.transaction().execute(async (trx) => {
        await one.tell(trx, SUBJECT, 'within');
        await ended(one, house, heard);
        assert.deepEqual(heard.messages, [END]);
      });
      await ended(one, house, heard);
      await until(() => heard.messages.length === 3);
      assert.deepEqual(heard.messages, [END, 'within', END]);
    },
  },
  {
    name: 'a transaction that is rolled back is not heard',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const undone = house.database
        .db('owner')
        .transaction()
        .execute(async (trx) => {
          await one.tell(trx, SUBJECT, 'undone');
          throw new Error('no');
        });
      await assert.rejects(undone, /no/);
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, [END]);
    },
  },
  {
    name: 'a transaction in which a statement failed is not heard, though it is committed',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const client = await house.database.pool('owner').connect();
      await client.query('BEGIN');
      await one.tell(client, SUBJECT, 'undone');
      await assert.rejects(client.query('SELECT 1/0'));
      await client.query('COMMIT');
      client.release();
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, [END]);
    },
  },
  {
    name: 'a transaction that a deferred constraint refuses at its commit is not heard',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const client = await house.database.pool('owner').connect();
      await client.query('CREATE TABLE late (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)');
      await client.query('BEGIN');
      await one.tell(client, SUBJECT, 'undone');
      await client.query('INSERT INTO late VALUES (1), (1)');
      await assert.rejects(client.query('COMMIT'), /late_id_key/);
      client.release();
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, [END]);
    },
  },
  {
    name: 'a transaction whose session dies is not heard',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const pool = house.database.pool('owner');
      const client = await pool.connect();
      client.on('error', () => undefined);
      await client.query('BEGIN');
      await one.tell(client, SUBJECT, 'undone');
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
      await assert.rejects(client.query('COMMIT'));
      client.release(true);
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, [END]);
    },
  },
  {
    name: 'what a savepoint has undone is not heard, and the rest of its transaction is',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const client = await house.database.pool('owner').connect();
      for (const statement of ['BEGIN', 'SAVEPOINT a']) await client.query(statement);
      await one.tell(client, SUBJECT, 'undone early');
      await client.query('ROLLBACK TO SAVEPOINT a');
      await one.tell(client, SUBJECT, 'first');
      await client.query('SAVEPOINT b');
      await one.tell(client, SUBJECT, 'undone by error');
      await assert.rejects(client.query('SELECT 1/0'));
      await client.query('ROLLBACK TO SAVEPOINT b');
      await one.tell(client, SUBJECT, 'second');
      await client.query('SAVEPOINT c');
      await one.tell(client, SUBJECT, 'third');
      await client.query('RELEASE SAVEPOINT c');
      await client.query('COMMIT');
      client.release();
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, ['first', 'second', 'third', END]);
    },
  },
  {
    name: 'equal messages of a transaction are heard once, others in their order',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      await house.database
        .db('owner')
        .transaction()
        .execute(async (trx) => {
          for (const each of ['a', 'b', 'a', 'c', 'b']) await one.tell(trx, SUBJECT, each);
        });
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, ['a', 'b', 'c', END]);
    },
  },
  {
    name: 'of two transactions the one that commits first is heard first',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const [early, late] = [
        await house.database.pool('owner').connect(),
        await house.database.pool('owner').connect(),
      ];
      for (const client of [early, late]) await client.query('BEGIN');
      await one.tell(early, SUBJECT, 'told first');
      await one.tell(late, SUBJECT, 'stands first');
      await late.query('COMMIT');
      await early.query('COMMIT');
      for (const client of [early, late]) client.release();
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, ['stands first', 'told first', END]);
    },
  },
  {
    name: 'a session that has rolled back is heard in its next transaction',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const client = await house.database.pool('owner').connect();
      for (const [payload, end] of [
        ['undone', 'ROLLBACK'],
        ['stands', 'COMMIT'],
      ]) {
        await client.query('BEGIN');
        await one.tell(client, SUBJECT, payload);
        await client.query(end!);
      }
      client.release();
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, ['stands', END]);
    },
  },
  {
    name: 'a statement by itself is heard, from a client as from Kysely',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const client = await house.database.pool('owner').connect();
      await one.tell(client, SUBJECT, 'client');
      client.release();
      await one.tell(house.database.db('owner'), SUBJECT, 'Kysely');
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, ['client', 'Kysely', END]);
    },
  },
  {
    name: 'what is told within BEGIN and COMMIT that are sent in one go is heard once they stand',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      const client = await house.database.pool('owner').connect();
      await Promise.all([client.query('BEGIN'), one.tell(client, SUBJECT, 'undone'), client.query('ROLLBACK')]);
      await Promise.all([client.query('BEGIN'), one.tell(client, SUBJECT, 'stands'), client.query('COMMIT')]);
      client.release();
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, ['stands', END]);
    },
  },
  {
    name: 'a listener that throws keeps no message from itself and others',
    async run(house) {
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
  },
  {
    name: 'a listener may tell and listen while it hears',
    async run(house) {
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
  },
  {
    name: 'a listener that is slow misses nothing and keeps its order',
    async run(house) {
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
  },
  {
    name: 'a burst of equal wake-ups in a transaction is heard as one',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      await house.database
        .db('owner')
        .transaction()
        .execute(async (trx) => {
          for (const _ of numbers(500)) await one.tell(trx, SUBJECT);
        });
      await ended(one, house, heard);
      assert.deepEqual(heard.messages, ['', END]);
    },
  },
  {
    name: 'another installation hears nothing of this one',
    async run(house) {
      const [one, other] = [await house.start(), await house.startForeign()];
      const [own, foreign] = [await hear(one, SUBJECT), await hear(other, SUBJECT)];
      await ended(one, house, own);
      await sleep(50);
      assert.deepEqual([own.messages, foreign.messages], [[END], []]);
    },
  },
  {
    name: 'without a loss nobody is told of a gap',
    async run(house) {
      const [one, two] = [await house.start(), await house.start()];
      const heard = [await hear(one, SUBJECT), await hear(two, SUBJECT), await hear(one, 'others')];
      await ended(one, house, heard[0]!, heard[1]!);
      assert.deepEqual(
        heard.map(({ gaps }) => gaps),
        [0, 0, 0],
      );
    },
  },
  {
    name: 'after a lost connection each listener is told of the gap once, and hears again',
    async run(house) {
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
  },
  {
    name: 'after several losses the gap is told each time',
    async run(house) {
      const one = await house.start();
      const heard = await hear(one, SUBJECT);
      for (const time of [1, 2]) {
        await house.cut();
        await until(() => heard.gaps === time);
      }
      await ended(one, house, heard);
      assert.deepEqual([heard.gaps, heard.messages], [2, [END]]);
    },
  },
  {
    name: 'while the server is away the state says so, and since when; nothing fails',
    async run(house) {
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
  },
  {
    name: 'who begins to listen while the server is away hears once it is back, and is told of the gap',
    async run(house) {
      const one = await house.start();
      await house.away();
      await until(() => !one.fanOut.state().connected);
      const heard = await hear(one, SUBJECT);
      await house.back();
      await until(() => heard.gaps === 1);
      await ended(one, house, heard);
      assert.deepEqual([heard.gaps, heard.messages], [1, [END]]);
    },
  },
  {
    name: 'who leaves while the server is away is told nothing afterwards',
    async run(house) {
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
  },
  {
    name: 'a listener that throws at a gap keeps it from nobody',
    async run(house) {
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
  },
  {
    name: 'who has stopped hears nothing more, however often it stops',
    async run(house) {
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
  },
  {
    name: 'who stops while it tells fails nobody, and what was told before is heard',
    async run(house) {
      const [one, two] = [await house.start(), await house.start()];
      const heard = await hear(two, SUBJECT);
      const pool = house.database.pool('owner');
      await one.tell(pool, SUBJECT, 'before');
      const telling = numbers(50).map((each) => one.tell(pool, SUBJECT, each));
      await Promise.all([one.fanOut.stop(), ...telling]);
      await ended(two, house, heard);
      assert.equal(heard.messages[0], 'before');
    },
  },
  {
    name: 'who stops while the server is away has stopped',
    async run(house) {
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
  },
  {
    name: 'a subject is a plain name',
    async run(house) {
      const { fanOut } = await house.start();
      for (const name of ['', 'a.b', 'a.>', '*', 'A', 'a b', '_missed', '"; DROP', 'x'.repeat(41)])
        await assert.rejects(
          fanOut.subscribe(name, () => undefined),
          RangeError,
        );
    },
  },
  {
    name: 'an action for after the commit runs when the transaction stands, and only then',
    async run({ database }) {
      const done: string[] = [];
      await database
        .db('owner')
        .transaction()
        .execute(async (trx) => {
          await afterCommit(trx, () => done.push('stands'));
          assert.deepEqual(done, []);
        });
      assert.deepEqual(done, ['stands']);
    },
  },
];

for (const [name, open] of Object.entries(houses)) {
  describe(`the fan-out over ${name}`, { skip: name === 'nats' && withoutNats, concurrency: 8 }, () => {
    for (const { name: guarantee, run } of cases) test(guarantee, async (t) => run(await open(t, { after })));
  });
}

test('wake-ups of those who commit many times a second are told at once, and then together', async (t) => {
  const house = await houses.postgresql(t, { after });
  const heard = await hear(await house.start(), SUBJECT);
  const wakeUps = new WakeUps(house.database.pool('owner'), SUBJECT, quiet);
  for (const _ of numbers(500)) wakeUps.wake();
  await until(() => heard.messages.length === 2);
  wakeUps.wake();
  await until(() => heard.messages.length === 3);
  await sleep(100);
  assert.deepEqual(heard.messages, ['', '', '']);
});
