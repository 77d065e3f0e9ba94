import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from '#modules/identity';
import { createLogger } from '#platform/log';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { refuseOpenDemo } from '../../src/processes/open-demo.ts';
import { seedDemo } from '../../src/seed/index.ts';
import { testDatabase } from '../template-database.ts';

test('demo logins keep the console from other machines until a setting allows it', async (t) => {
  const database = await testDatabase(t);
  const config = readConnectedConfig({ DATABASE_URL: database.url });
  const pool = database.pool('auth');
  const owner = database.pool('owner');
  const told = (environment: Record<string, string>) =>
    refuseOpenDemo(readConnectedConfig({ DATABASE_URL: database.url, ...environment }), pool).then(
      () => 'opened',
      (error: Error) => error.message,
    );
  const open = { HOST: '0.0.0.0' };
  assert.equal(await told(open), 'opened', 'no demo');
  await seedDemo({ url: database.url, config, log: createLogger({ LOG_LEVEL: 'silent' }, 'test') });
  for (const environment of [open, { HOST: '::' }, { HOST: '192.0.2.1' }, { PUBLIC_URL: 'https://sms.example.com' }])
    assert.match(
      await told(environment),
      /^(HOST|PUBLIC_URL) is "[^"]+", and this database has demo logins .*superadmin@heliograph\.test.*/,
    );
  for (const environment of [{}, { HOST: '127.0.0.2' }, { HOST: '::1' }, { PUBLIC_URL: 'http://localhost:8080' }])
    assert.equal(await told(environment), 'opened', JSON.stringify(environment));
  assert.equal(await told({ ...open, DEMO_IN_PUBLIC: 'true' }), 'opened');
  await owner.query("UPDATE user_account SET enabled = false WHERE email <> 'user@heliograph.test'");
  assert.match(await told(open), /\(user@heliograph\.test\)/);
  await owner.query('UPDATE user_account SET password_hash = $1', [await hashPassword('Lantern#41')]);
  assert.equal(await told(open), 'opened');
});
