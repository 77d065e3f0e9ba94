import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, createPool, type DatabasePlace, type DatabaseRole } from '#platform/database/db';
import { examine } from '../../src/modules/operate/index.ts';
import { prepareLogins } from '../../src/platform/database/logins.ts';
import { withLogin } from '../../src/platform/database/url.ts';
import { stage } from '../delivery/stage.ts';
import { startProcess } from '../operate/running.ts';
import { ROLE_PASSWORD, testDatabase } from '../template-database.ts';

const ROLES = ['api', 'auth', 'intake', 'sender', 'worker'] as const;
/** Statements that injected SQL might use to get the owner's rights. */
const ESCAPES = [
  'SET ROLE heliograph',
  'SET LOCAL ROLE heliograph',
  'SET SESSION AUTHORIZATION heliograph',
  "SELECT set_config('role', 'heliograph', false)",
  "SELECT set_config('session_authorization', 'heliograph', false)",
  'GRANT heliograph TO CURRENT_USER',
  'ALTER ROLE heliograph PASSWORD NULL',
  'ALTER TABLE campaign NO FORCE ROW LEVEL SECURITY',
];

describe('logins of the processes', () => {
  it('no role comes back to the owner, and the tables of tenants stay closed', async (t) => {
    const s = await stage(t);
    await s.addLink({ port: 1 });
    await s.campaign([{ msisdn: '639170000001' }]);
    const place = { DATABASE_URL: s.database.url, DATABASE_ROLE_PASSWORD: ROLE_PASSWORD };
    const countIn = async (role: DatabaseRole, before: string) => {
      const pool = createPool(place, role, { max: 1 });
      try {
        await pool.query(before);
        const { rows } = await pool.query<{ count: number }>('SELECT count(*) FROM campaign');
        return rows[0]!.count;
      } finally {
        await pool.end();
      }
    };
    assert.equal(await countIn('owner', 'SELECT 1'), 1);
    for (const role of ROLES) {
      const pool = createPool(place, role, { max: 1 });
      t.after(() => pool.end());
      for (const attempt of ESCAPES)
        await assert.rejects(pool.query(attempt), { code: '42501' }, `${role} is refused: ${attempt}`);
      for (const reset of ['RESET ROLE', 'RESET ALL', 'RESET SESSION AUTHORIZATION', 'SET ROLE NONE', 'DISCARD ALL']) {
        await pool.query(reset);
        const { rows } = await pool.query('SELECT session_user, current_user');
        assert.deepEqual(rows, [{ session_user: `heliograph_${role}`, current_user: `heliograph_${role}` }], reset);
      }
    }
    for (const reset of ['RESET ROLE', 'SET ROLE NONE']) assert.equal(await countIn('api', reset), 0, reset);
  });

  it('a worker reads as a person, and returns to itself', async (t) => {
    const { url } = await testDatabase(t);
    const session = createClient({ DATABASE_URL: url, DATABASE_ROLE_PASSWORD: ROLE_PASSWORD }, 'worker');
    await session.connect();
    const current = async () => (await session.query<{ name: string }>('SELECT current_user AS name')).rows[0]?.name;
    await session.query('BEGIN; SET LOCAL ROLE heliograph_api');
    assert.equal(await current(), 'heliograph_api');
    await session.query('COMMIT');
    assert.equal(await current(), 'heliograph_worker');
    await assert.rejects(session.query('SET ROLE heliograph_auth'), { code: '42501' });
    await session.end();
  });

  it('processes need no password of the owner, and no session of theirs is the owner’s', async (t) => {
    const database = await testDatabase(t);
    const url = withLogin(database.url, 'heliograph', 'not-the-password-of-the-owner');
    const own = { DATABASE_ROLE_PASSWORD: ROLE_PASSWORD };
    const starting = (['api', 'worker', 'sender', 'smpp-server'] as const).map(async (name) => {
      const running = await startProcess(t, name, url, own);
      const { status, body } = await running.ask('/readyz');
      assert.equal(status, 200, body);
      if (name === 'worker') {
        const metrics = (await running.ask('/metrics')).body;
        assert.match(metrics, /^heliograph_nodes\{/m);
        assert.doesNotMatch(metrics, /^heliograph_figures_failures_total\{.*\} [1-9]/m);
      }
    });
    await Promise.all(starting);
    const { rows } = await database.pool('owner').query<{ role: string }>(
      `SELECT DISTINCT usename AS role FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'heliograph%' ORDER BY 1`,
    );
    assert.deepEqual(
      rows.map(({ role }) => role),
      ['heliograph_api', 'heliograph_auth', 'heliograph_sender', 'heliograph_worker'],
    );
  });

  it('the doctor names a login that is refused, and processes that sign in as the owner', async (t) => {
    const database = await testDatabase(t);
    const ports = {
      PORT: '0',
      SIMULATOR_SMPP_PORT: '0',
      SIMULATOR_HTTP_PORT: '0',
      PAYMENT_SIMULATOR_PORT: '0',
      SMPP_SERVER_PORT: '0',
    };
    const said = async (DATABASE_ROLE_PASSWORD?: string) => {
      const settings = { ...ports, DATABASE_URL: database.url, DATA_DIR: '/tmp', DATABASE_ROLE_PASSWORD };
      const findings = (await examine(settings)).filter(({ name }) => name === 'logins');
      return findings.map(({ state, detail }) => `${state}: ${detail}`);
    };
    assert.deepEqual(await said(ROLE_PASSWORD), ['ok: Each process signs in with its own login.']);
    assert.match((await said())[0]!, /^warn: Processes sign in as the owner of the tables/);
    const refused = await said('another-password-of-tests');
    assert.equal(refused.length, 5);
    assert.match(refused[0]!, /^bad: The login heliograph_api is refused: password authentication failed/);
    await database.pool('worker').query('SELECT 1');
    assert.match((await said(ROLE_PASSWORD)).join(), /warn: Sessions still sign in as the owner: 1 of worker\./);
  });

  it('an installation without the password works on as the owner', async (t) => {
    const database = await testDatabase(t);
    const place: DatabasePlace = { DATABASE_URL: database.url };
    await prepareLogins({ query: () => assert.fail('nothing is asked') } as never, place);
    const running = await startProcess(t, 'worker', database.url);
    assert.equal((await running.ask('/readyz')).status, 200);
  });
});
