import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import type pg from 'pg';
import { streamSecretContext } from '../../src/modules/audit-streams/send-items.ts';
import { secretContext } from '../../src/modules/callbacks/signing.ts';
import { passwordContext } from '../../src/modules/delivery/index.ts';
import { totpContext } from '../../src/modules/identity/totp.ts';
import { routingPasswordContext } from '../../src/modules/inbound-routing/index.ts';
import { authorizationContext } from '../../src/modules/number-lookups/look-up.ts';
import { examine } from '../../src/modules/operate/index.ts';
import { numberContext } from '../../src/modules/privacy/person.ts';
import {
  secretContext as fileSecretContext,
  privateKeyContext,
} from '../../src/modules/scheduled-files/destinations.ts';
import { clientSecretContext, ownKeyContext } from '../../src/modules/single-sign-on/index.ts';
import { secretKeyContext, webhookSecretContext } from '../../src/modules/top-ups/drivers/provider.ts';
import { createLogger } from '../../src/platform/log.ts';
import type { Check } from '../../src/platform/operate/checks.ts';
import { keyCheck } from '../../src/platform/operate/key-check.ts';
import { mailPasswordContext } from '../../src/platform/operator/brand.ts';
import { recordedFingerprint, replaceFingerprint, tryKey } from '../../src/platform/process/key-fingerprint.ts';
import { seal } from '../../src/platform/process/seal.ts';
import { textKeyContext } from '../../src/platform/text/text-keys.ts';
import { stage, until } from '../delivery/stage.ts';
import { testDatabase } from '../template-database.ts';
import { startProcess } from './running.ts';

const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const [OURS, OTHER] = [randomBytes(32), randomBytes(32)];
const textOf = (key: Buffer) => key.toString('base64');

/** Runs the check of a process that has `key`. */
async function look(database: pg.Pool, key: Buffer, records = true) {
  const config = { SECRET_KEY: textOf(key), DATA_DIR: '/nowhere' };
  return await keyCheck({ database, config, log, records }).look();
}

test('an installation without sealed values records the first key, no other', async (t) => {
  const database = await testDatabase(t);
  const [api, worker] = [database.pool('api'), database.pool('worker')];
  assert.equal((await look(api, OTHER, false)).ok, true, 'an API records nothing');
  assert.equal(await recordedFingerprint(api), undefined);
  assert.equal((await look(worker, OURS)).ok, true);
  for (const pool of [api, worker, database.pool('sender')]) {
    const refused = await look(pool, OTHER, pool !== api);
    assert.equal(refused.ok, false);
    assert.match(refused.action ?? '', /SECRET_KEY.*adopt-key/);
    assert.equal((await look(pool, OURS, pool !== api)).ok, true);
  }
  await assert.rejects(api.query('SELECT * FROM sealed_values()'), { code: '42501' });
  await assert.rejects(api.query("SELECT record_key_fingerprint('x')"), { code: '42501' });
});

test('only a key that opens the sealed values is recorded, in any order of starts', async (t) => {
  const s = await stage(t);
  const link = await s.addLink({ port: 1 });
  await s.owner.query('UPDATE link SET password_sealed = $1 WHERE id = $2', [
    seal(OURS, 'a', passwordContext(link)),
    link,
  ]);
  const worker = s.database.pool('worker');
  const refused = await look(worker, OTHER);
  assert.deepEqual(
    [refused.ok, refused.detail],
    [false, 'The key of this process opens none of the 1 sealed secrets.'],
  );
  assert.equal(await recordedFingerprint(worker), undefined);
  assert.equal((await look(worker, OURS)).ok, true);
  assert.notEqual(await recordedFingerprint(worker), undefined);
});

test('a key that opens less than half of the sealed values works, but is not recorded', async (t) => {
  const s = await stage(t);
  for (const key of [OTHER, OTHER, OURS]) {
    const link = await s.addLink({ port: 1, name: `Carrier ${randomBytes(4).toString('hex')}` });
    const sealed = seal(key, 'a', passwordContext(link));
    await s.owner.query('UPDATE link SET password_sealed = $1 WHERE id = $2', [sealed, link]);
  }
  const worker = s.database.pool('worker');
  assert.match((await look(worker, OURS)).detail, /opens 1 of 3 sealed secrets/);
  assert.equal((await look(worker, OURS)).ok, true);
  assert.equal(await recordedFingerprint(worker), undefined);
});

test('every kind of sealed secret is tried with its own context', async (t) => {
  const s = await stage(t);
  const link = await s.addLink({ port: 1 });
  const id = async (text: string, value: number) => (await s.one<{ id: number }>(text, [value])).id;
  const routing = await id(
    "INSERT INTO routing (corporation_id, number, action) VALUES ($1, '2929', 'inbox') RETURNING id",
    s.corporationId,
  );
  const reseller = await id('INSERT INTO reseller (corporation_id) VALUES ($1) RETURNING id', s.corporationId);
  const endpoint = await id(
    "INSERT INTO callback_endpoint (corporation_id, url) VALUES ($1, 'https://sms.example.com') RETURNING id",
    s.corporationId,
  );
  const keep = (text: string, context: string, ...values: unknown[]) =>
    s.owner.query(text, [seal(OURS, 'secret', context), ...values]);
  await keep('UPDATE link SET password_sealed = $1 WHERE id = $2', passwordContext(link), link);
  await keep('UPDATE routing SET password_sealed = $1 WHERE id = $2', routingPasswordContext(routing), routing);
  await keep('UPDATE reseller SET email_password_sealed = $1 WHERE id = $2', mailPasswordContext(reseller), reseller);
  await keep(
    'INSERT INTO callback_secret (sealed, corporation_id, callback_endpoint_id) VALUES ($1, $2, $3)',
    secretContext(endpoint),
    s.corporationId,
    endpoint,
  );
  const service = await id(
    "INSERT INTO number_source (name, driver, position) VALUES ('Lookups', 'http', $1) RETURNING id",
    1,
  );
  await keep(
    'UPDATE number_source SET authorization_sealed = $1 WHERE id = $2',
    authorizationContext(service),
    service,
  );
  await keep('INSERT INTO user_totp (secret_sealed, user_id) VALUES ($1, $2)', totpContext(s.userId), s.userId);
  await keep("INSERT INTO push_key (private_key_sealed, public_key) VALUES ($1, '')", 'push_key.private_key_sealed');
  const payments = await id(
    "INSERT INTO merchant_account (corporation_id, driver, mode, name, currency, minimum, maximum) VALUES ($1, 'stripe', 'test', 'Card', 'PHP', 1, 2) RETURNING id",
    s.corporationId,
  );
  const stream = await id(
    "INSERT INTO audit_stream (corporation_id, name, destination, position, covered_until) VALUES ($1, 'A', 's3', 0, now()) RETURNING id",
    s.corporationId,
  );
  await keep('UPDATE audit_stream SET secret_sealed = $1 WHERE id = $2', streamSecretContext(stream), stream);
  const files = await id(
    "INSERT INTO scheduled_file (corporation_id, name, destination, username, covered_until) VALUES ($1, 'F', 's3', 'k', now()) RETURNING id",
    s.corporationId,
  );
  await keep('UPDATE scheduled_file SET secret_sealed = $1 WHERE id = $2', fileSecretContext(files), files);
  await keep('UPDATE scheduled_file SET private_key_sealed = $1 WHERE id = $2', privateKeyContext(files), files);
  await keep('UPDATE merchant_account SET secret_key_sealed = $1 WHERE id = $2', secretKeyContext(payments), payments);
  await keep(
    'UPDATE merchant_account SET webhook_secret_sealed = $1 WHERE id = $2',
    webhookSecretContext(payments),
    payments,
  );
  const provider = await id(
    "INSERT INTO identity_provider (corporation_id, name) VALUES ($1, 'Sign-in') RETURNING id",
    s.corporationId,
  );
  await keep(
    'UPDATE identity_provider SET client_secret_sealed = $1 WHERE id = $2',
    clientSecretContext(provider),
    provider,
  );
  await keep('UPDATE identity_provider SET own_key_sealed = $1 WHERE id = $2', ownKeyContext(provider), provider);
  const person = await id(
    "INSERT INTO person_request (corporation_id, digest) VALUES ($1, 'd') RETURNING id",
    s.corporationId,
  );
  await keep('UPDATE person_request SET number_sealed = $1 WHERE id = $2', numberContext(person), person);
  const worker = s.database.pool('worker');
  await keep(
    "INSERT INTO text_key (key_sealed, corporation_id, number, state) VALUES ($1, $2, 1, 'current')",
    textKeyContext(s.corporationId, 1),
    s.corporationId,
  );
  assert.deepEqual(await tryKey(worker, OURS), { opened: 16, closed: [] });
  assert.equal((await tryKey(worker, OTHER)).closed.length, 16);
  const sealed = await s.owner.query(
    `SELECT table_name FROM information_schema.columns c JOIN pg_class p ON p.relname = c.table_name AND p.relkind = 'r'
     WHERE table_schema = 'public' AND column_name ~ 'sealed$'`,
  );
  assert.equal(sealed.rows.length, 16, 'a new kind of sealed secret belongs into sealed_values(), too');
});

test('links go to the sender that has the key, and back after another gets it', async (t) => {
  const s = await stage(t);
  const carrier = await s.simulator({ settings: { accounts: { heliograph: 'secret' } } });
  const keep = async (key: Buffer, link: number) =>
    s.owner.query('UPDATE link SET password_sealed = $1 WHERE id = $2', [
      seal(key, 'secret', passwordContext(link)),
      link,
    ]);
  const links = [
    await s.addLink({ port: carrier.smppPort, name: 'One' }),
    await s.addLink({ port: carrier.smppPort, name: 'Two' }),
  ];
  for (const link of links) await keep(OURS, link);
  const pids = async () => {
    const { rows } = await s.owner.query<{ pid: number }>(
      `SELECT split_part(holder, ':', 2)::int AS pid FROM lane WHERE class = 'bulk' AND expires_at > now()`,
    );
    return rows.map(({ pid }) => pid);
  };
  const start = (key: Buffer) =>
    startProcess(t, 'sender', s.database.url, { SECRET_KEY: textOf(key), LOG_LEVEL: 'error' });
  const wrong = await start(OTHER);
  const right = await start(OURS);
  await until('the right one holds both links', async () => {
    const holders = await pids();
    return holders.length === 2 && holders.every((pid) => pid === right.child.pid);
  });
  assert.equal((await right.ask('/readyz')).status, 200);
  const { rows } = await s.owner.query<{ pid: number; leaving: boolean }>('SELECT pid, leaving FROM node');
  assert.equal(rows.find(({ pid }) => pid === wrong.child.pid)?.leaving, true);

  // The installation changes to the other key, and its passwords are entered again.
  for (const link of links) await keep(OTHER, link);
  await replaceFingerprint(s.owner, OTHER);
  await until('they went to the other', async () => {
    const holders = await pids();
    return holders.length === 2 && holders.every((pid) => pid === wrong.child.pid);
  });
});

test('a process with another key is not ready and says so, until adopt-key is run', async (t) => {
  const database = await testDatabase(t);
  const right = await startProcess(t, 'worker', database.url, { SECRET_KEY: textOf(OURS) });
  assert.equal((await right.ask('/readyz')).status, 200);
  const settings = { SECRET_KEY: textOf(OTHER) };
  for (const name of ['api', 'sender', 'smpp-server'] as const) {
    const wrong = await startProcess(t, name, database.url, settings);
    const { status, body } = await wrong.ask('/readyz');
    assert.equal(status, 503, name);
    const { checks } = JSON.parse(body) as { checks: Check[] };
    const bad = checks.filter(({ ok }) => !ok).map((check) => check.name);
    assert.deepEqual(bad, ['secret_key']);
    assert.match(wrong.output(), /wrong secret key/);
    wrong.child.kill('SIGKILL');
    await wrong.exited;
  }
  const ports = {
    PORT: '0',
    SIMULATOR_SMPP_PORT: '0',
    SIMULATOR_HTTP_PORT: '0',
    PAYMENT_SIMULATOR_PORT: '0',
    SMPP_SERVER_PORT: '0',
  };
  const said = async () => {
    const findings = await examine({ ...ports, ...settings, DATABASE_URL: database.url, DATA_DIR: '/tmp' });
    return findings.filter(({ name }) => name === 'secret_key');
  };
  assert.deepEqual(
    (await said()).map(({ state, detail }) => [state, detail]),
    [['bad', 'The key of this machine is not the key of the installation.']],
  );
  const adopt = spawnSync(process.execPath, [join(import.meta.dirname, '../../src/processes/adopt-key.ts'), '--yes'], {
    env: { ...process.env, ...settings, DATABASE_URL: database.url },
    encoding: 'utf8',
  });
  assert.equal(adopt.status, 0, adopt.stderr);
  assert.match(adopt.stdout, /is now the key of the installation\. Enter these again: 1 notification/);
  assert.equal((await said())[0]?.state, 'ok');
});
