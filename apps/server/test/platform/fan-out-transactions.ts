import assert from 'node:assert/strict';
import { afterCommit } from '../../src/platform/fan-out/after-commit.ts';
import { type Cases, END, ended, hear, numbers, SUBJECT, until } from './fan-out-house.ts';

/** A message sent in a transaction is heard after its commit, and never otherwise. */
export const TRANSACTIONS: Cases = {
  'a transaction is heard once it stands, and not before': async (house) => {
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
  'a transaction that is rolled back is not heard': async (house) => {
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
  'a transaction in which a statement failed is not heard, though it is committed': async (house) => {
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
  'a transaction that a deferred constraint refuses at its commit is not heard': async (house) => {
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
  'a transaction whose session dies is not heard': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    const pool = house.database.pool('owner');
    const client = await pool.connect();
    client.on('error', () => undefined);
    await client.query('BEGIN');
    await one.tell(client, SUBJECT, 'undone');
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    await pool.query('SELECT pg_terminate_backend($1, 60000)', [rows[0].pid]);
    await assert.rejects(client.query('COMMIT'));
    client.release(true);
    await ended(one, house, heard);
    assert.deepEqual(heard.messages, [END]);
  },
  'what a savepoint has undone is not heard, and the rest of its transaction is': async (house) => {
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
  'equal messages of a transaction are heard once, others in their order': async (house) => {
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
  'of two transactions the one that commits first is heard first': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    const [early, late] = [await house.database.pool('owner').connect(), await house.database.pool('owner').connect()];
    for (const client of [early, late]) await client.query('BEGIN');
    await one.tell(early, SUBJECT, 'told first');
    await one.tell(late, SUBJECT, 'stands first');
    await late.query('COMMIT');
    await early.query('COMMIT');
    for (const client of [early, late]) client.release();
    await ended(one, house, heard);
    assert.deepEqual(heard.messages, ['stands first', 'told first', END]);
  },
  'a session that has rolled back is heard in its next transaction': async (house) => {
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
  'a statement by itself is heard, from a client as from Kysely': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    const client = await house.database.pool('owner').connect();
    await one.tell(client, SUBJECT, 'client');
    client.release();
    await one.tell(house.database.db('owner'), SUBJECT, 'Kysely');
    await ended(one, house, heard);
    assert.deepEqual(heard.messages, ['client', 'Kysely', END]);
  },
  'what is told within BEGIN and COMMIT that are sent in one go is heard once they stand': async (house) => {
    const one = await house.start();
    const heard = await hear(one, SUBJECT);
    const client = await house.database.pool('owner').connect();
    await Promise.all([client.query('BEGIN'), one.tell(client, SUBJECT, 'undone'), client.query('ROLLBACK')]);
    await Promise.all([client.query('BEGIN'), one.tell(client, SUBJECT, 'stands'), client.query('COMMIT')]);
    client.release();
    await ended(one, house, heard);
    assert.deepEqual(heard.messages, ['stands', END]);
  },
  'a burst of equal wake-ups in a transaction is heard as one': async (house) => {
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
  'an action for after the commit runs when the transaction stands, and only then': async ({ database }) => {
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
};
