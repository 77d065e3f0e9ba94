import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { migrate, migrationNames } from '../../src/platform/database/migrate.ts';
import { emptyDatabase } from '../template-database.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../migrations');
const GIVEN = migrationNames(MIGRATIONS).find((name) => name.endsWith('numbers_and_names.sql'))!;

test('an upgrade gives a number with several holders to the one the platform chose', async (t) => {
  const { url, pool } = await emptyDatabase(t);
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-migrations-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of migrationNames(MIGRATIONS).filter((each) => each < GIVEN))
    cpSync(join(MIGRATIONS, name), join(folder, name));
  await migrate({ url, folder });
  const owner = pool('owner');
  const idOf = async (text: string, values: unknown[]) => (await owner.query<{ id: number }>(text, values)).rows[0]!.id;
  const role = await idOf("INSERT INTO role (name, level) VALUES ('any', 0) RETURNING id", []);
  const person = (email: string, level: number, corporation: number | null) =>
    idOf(
      `INSERT INTO user_account (name, email, password_hash, role_id, scope_level, corporation_id)
       VALUES ('P', $1, 'x', $2, $3, $4) RETURNING id`,
      [email, role, level, corporation],
    );
  const corporation = (name: string) => idOf('INSERT INTO corporation (name) VALUES ($1) RETURNING id', [name]);
  const [thief, victim] = [await corporation('Thief'), await corporation('Victim')];
  const admin = await person('a@heliograph.test', 0, null);
  const tenant = await person('t@heliograph.test', 2, thief);
  const made = async (
    table: 'sender_id' | 'routing',
    by: number | null,
    corporation_id: number,
    value: string,
    keyword?: string,
  ) => {
    const id =
      table === 'sender_id'
        ? await idOf('INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, $2) RETURNING id', [
            corporation_id,
            value,
          ])
        : await idOf(
            "INSERT INTO routing (corporation_id, number, keyword, action) VALUES ($1, $2, $3, 'inbox') RETURNING id",
            [corporation_id, value, keyword],
          );
    if (by !== null)
      await owner.query(
        `INSERT INTO activity_log (name, description, subject_type, subject_id, causer_id, hash)
         VALUES ($1, 'created', $1, $2, $3, '')`,
        [table === 'sender_id' ? 'sender-ids' : 'routings', id, by],
      );
    return id;
  };
  // A tenant took the number first, and then the platform gave it to another.
  await made('sender_id', tenant, thief, '2020');
  await made('routing', tenant, thief, '2020');
  await made('sender_id', admin, victim, '2020');
  // The giver is unknown, so the first holder keeps the number.
  await made('sender_id', null, victim, '3030');
  await made('sender_id', tenant, thief, '3030');
  // The platform shared this number.
  await made('routing', admin, victim, '4040', 'one');
  await made('routing', admin, thief, '4040', 'two');
  // A number with a single tenant stays as it is.
  await made('sender_id', tenant, thief, '5050');
  await made('sender_id', tenant, thief, 'He1iograph');
  await made('sender_id', tenant, thief, 'Thief');
  await migrate({ url });
  const { rows } = await owner.query<{ what: string }>(
    `SELECT c.name || ' ' || sender_id AS what FROM sender_id s JOIN corporation c ON c.id = corporation_id WHERE withheld
     UNION ALL SELECT c.name || ' ' || number || ' routing' FROM routing r JOIN corporation c ON c.id = corporation_id WHERE withheld
     ORDER BY 1`,
  );
  assert.deepEqual(
    rows.map(({ what }) => what),
    ['Thief 2020', 'Thief 2020 routing', 'Thief 3030', 'Thief He1iograph'],
  );
});
