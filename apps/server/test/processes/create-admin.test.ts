import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabase } from '../template-database.ts';

const FILE = join(import.meta.dirname, '../../src/processes/create-admin.ts');

function createAdmin(url: string, args: string[], password: string) {
  const run = spawnSync(process.execPath, [FILE, ...args], {
    input: `${password}\n`,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'warn' },
  });
  return { status: run.status, out: run.stdout, err: run.stderr };
}

test('the first super administrator is created, and each mistake is one line', async (t) => {
  const { url, pool } = await testDatabase(t);
  const who = ['--email', 'Ada@example.org', '--name', 'Ada'];
  const weak = createAdmin(url, who, 'password');
  assert.equal(weak.status, 1);
  assert.match(weak.err, /^The password is too weak: [^\n]+\n$/);
  assert.equal(createAdmin(url, ['--email', 'ada@example.org'], 'x').status, 2);
  assert.match(createAdmin(url, ['--mail', 'a'], 'x').err, /^[^\n]*--mail[^\n]*\n$/);

  const made = createAdmin(url, who, 'Lighthouse#7');
  assert.equal(made.status, 0, made.err);
  const { rows } = await pool('owner').query('SELECT email, scope_level, password_hash FROM user_account');
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.email, 'ada@example.org');
  assert.equal(rows[0]?.scope_level, 0);
  assert.ok(!rows[0]?.password_hash.includes('Lighthouse'));

  assert.match(createAdmin(url, who, 'Lighthouse#7').err, /^A user already has the email address [^\n]+\n$/);
});
