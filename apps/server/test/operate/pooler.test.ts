import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { examine } from '#modules/operate';
import { createPool, POOLED_ROLES } from '#platform/database/db';
import { isTransient } from '#platform/database/transient-error';
import { parseDatabaseUrl } from '#platform/database/url';
import { ROLE_PASSWORD, testDatabase } from '../template-database.ts';
import { startTestApi } from '../test-api.ts';
import { POOLER_VARIABLE, pgbouncer, startPooler } from './pooler.ts';

const skip = !pgbouncer && !process.env['CI'] ? 'PgBouncer is not installed' : false;

/** Runs a test file with all its APIs behind a PgBouncer of five sessions a role. */
async function passes(file: string, pattern = '.'): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(
    process.execPath,
    ['--test', `--test-name-pattern=${pattern}`, join(import.meta.dirname, '..', file)],
    {
      env: { ...inherited, [POOLER_VARIABLE]: 'true' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, output.slice(-4_000));
}

describe('through PgBouncer in transaction mode', { skip, concurrency: 3 }, () => {
  it('1,000 requests of 20 tenants in turns show no foreign record', () => passes('walls/row-security-alone.test.ts'));

  it('programs submit messages and batches, read them and cancel them', () =>
    passes('api/calls.test.ts', 'is accepted with 202|batch accepts who|before it leaves'));

  it('people sign in and quote a campaign, and its job is committed with it', async (t) => {
    process.env[POOLER_VARIABLE] = 'true';
    const api = await startTestApi(t);
    delete process.env[POOLER_VARIABLE];
    const call = await api.as('corporate');
    const { rows } = await api.database.pool('owner').query<{ id: number }>(
      `SELECT s.id FROM sender_id s JOIN user_account u USING (corporation_id)
       WHERE u.email = 'corporate@heliograph.test' AND s.enabled ORDER BY s.id LIMIT 1`,
    );
    const quotes = Array.from({ length: 20 }, (_, i) =>
      call('POST', '/api/v1/campaigns/quotes', {
        sender_id: rows[0]?.id,
        content: 'Hello',
        custom_numbers: `63917000000${i % 10}`,
      }),
    );
    for (const { status, body } of await Promise.all(quotes)) assert.equal(status, 202, JSON.stringify(body));
    const jobs = await api.database.pool('owner').query("SELECT FROM jobs.job WHERE name LIKE '%quote%'");
    assert.equal(jobs.rows.length, 20);
  });

  it('a pool without a free session reports it in time, as a temporary fault', async (t) => {
    const { url: DATABASE_URL } = await testDatabase(t);
    for (const place of [{ DATABASE_URL }, { DATABASE_URL, POOLER_URL: await startPooler(t, DATABASE_URL) }]) {
      const pool = createPool(place, 'api', { max: 1, connectionTimeoutMillis: 300 });
      t.after(() => pool.end());
      const taken = await pool.connect();
      const error = await pool.query('SELECT 1').catch((reason: unknown) => reason);
      assert.ok(isTransient(error), String(error));
      taken.release();
      assert.deepEqual((await pool.query('SELECT current_user AS role')).rows, [{ role: 'heliograph_api' }]);
    }
  });

  it('the doctor reports whether a pooler serves each role, and where it leads', async (t) => {
    const [database, other] = [await testDatabase(t), await testDatabase(t)];
    const ports = {
      PORT: '0',
      SIMULATOR_SMPP_PORT: '0',
      SIMULATOR_HTTP_PORT: '0',
      PAYMENT_SIMULATOR_PORT: '0',
      SMPP_SERVER_PORT: '0',
    };
    const said = async (POOLER_URL: string) => {
      const findings = await examine({ ...ports, DATABASE_URL: database.url, DATA_DIR: '/tmp', POOLER_URL });
      return findings.filter(({ name }) => name === 'pooler').map(({ state, detail }) => `${state}: ${detail}`);
    };
    assert.deepEqual(await said(await startPooler(t, database.url)), [
      'ok: POOLER_URL serves the roles api, auth, intake.',
    ]);
    assert.match((await said(await startPooler(t, other.url)))[0]!, /^bad: POOLER_URL leads .* to another database\./);
  });

  it('roles with their own logins sign in to the pooler as themselves', async (t) => {
    const { url: DATABASE_URL } = await testDatabase(t);
    const POOLER_URL = await startPooler(t, DATABASE_URL, undefined, ROLE_PASSWORD);
    for (const role of POOLED_ROLES) {
      const pool = createPool({ DATABASE_URL, POOLER_URL, DATABASE_ROLE_PASSWORD: ROLE_PASSWORD }, role, { max: 1 });
      t.after(() => pool.end());
      const { rows } = await pool.query('SELECT session_user, current_user');
      assert.deepEqual(rows, [{ session_user: `heliograph_${role}`, current_user: `heliograph_${role}` }]);
      await assert.rejects(pool.query('SET ROLE heliograph'), { code: '42501' });
    }
  });

  it('a pooler that does not set the role is refused, and nothing runs as the owner', async (t) => {
    const database = await testDatabase(t);
    const POOLER_URL = await startPooler(t, database.url, (ini) => ini.replace(/connect_query=.*/g, ''));
    const pool = createPool({ DATABASE_URL: database.url, POOLER_URL }, 'api');
    t.after(() => pool.end());
    await assert.rejects(pool.query('SELECT 1'), /does not set the role heliograph_api/);
  });
});

it('a URL of several hosts is split as in libpq, and one for readers is refused', () => {
  const apart = (url: string) => parseDatabaseUrl(url);
  assert.deepEqual(apart('postgres://u:p%40@a:1,b:2/d?target_session_attrs=read-write'), {
    hosts: [
      'postgres://u:p%40@a:1/d?target_session_attrs=read-write',
      'postgres://u:p%40@b:2/d?target_session_attrs=read-write',
    ],
    readWrite: true,
  });
  assert.deepEqual(apart('postgresql://[::1]:5433,10.0.0.2/d')?.hosts, [
    'postgresql://[::1]:5433/d',
    'postgresql://10.0.0.2/d',
  ]);
  assert.equal(apart('postgres://u:p@a/d')?.readWrite, false);
  assert.equal(apart('postgres://u:p@a/d?target_session_attrs=primary')?.readWrite, true);
  for (const bad of [
    'postgres://u:p@a,/d',
    'postgres://u:p@a:x,b/d',
    'postgres://u:p@a:99999/d',
    'postgres://u:p@a,b/d?target_session_attrs=standby',
    'mysql://u:p@a,b/d',
    'a,b',
  ])
    assert.equal(apart(bad), undefined, bad);
});
