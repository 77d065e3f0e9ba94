import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { sql } from 'kysely';
import { createSessionReader, loadCaller } from '../../src/modules/identity/index.ts';
import { recordEnds } from '../../src/modules/identity/support-ends.ts';
import { asCaller, type Caller } from '../../src/platform/context.ts';
import { codeOf, dataOf, rowsOf } from '../answers.ts';
import {
  api,
  clock,
  consent,
  enter,
  HOUR,
  OVER,
  owner,
  person,
  REASON,
  reset,
  see,
  supported,
  use,
  user,
} from './support-people.ts';

test('the person sees and ends the session, and the log names both people', async () => {
  const { own, seen } = await supported();
  const list = dataOf(await own('GET', '/api/v1/sessions')) as unknown as {
    id: string;
    support: { name: string; reason: string } | null;
  }[];
  const shown = list.find(({ support }) => support !== null);
  assert.equal(shown?.support?.reason, REASON);
  await own('POST', '/api/v1/sessions/end', { sessions: shown!.id });
  assert.equal(await use(seen), OVER);
  const log = dataOf(await (await enter('corporate'))('GET', '/api/v1/activity-logs?limit=20')) as unknown as {
    description: string;
    subject_id: number;
    causer_id: number;
    properties: { after: Record<string, string> };
  }[];
  const admin = await owner.query("SELECT id, name FROM user_account WHERE email = 'admin@heliograph.test'");
  for (const description of ['support session begun', 'support session ended']) {
    const entries = log.filter((entry) => entry.description === description);
    const [entry] = entries;
    assert.ok(entry, description);
    assert.deepEqual([entry.subject_id, entry.causer_id], [user.id, admin.rows[0].id]);
    assert.deepEqual(
      [entry.properties.after['reason'], entry.properties.after['support']],
      [REASON, admin.rows[0].name],
    );
  }
  await reset();
});

test('the end of a session that ran out is recorded once, with its time', async () => {
  await owner.query('UPDATE support_session SET recorded_at = now()');
  await supported();
  const ends = new Date(clock.now().getTime() + HOUR).toISOString();
  clock.pass(2 * HOUR);
  const worker = api.database.db('worker');
  await recordEnds(worker, clock);
  await recordEnds(worker, clock);
  const { rows } = await owner.query(
    "SELECT properties FROM activity_log WHERE description = 'support session ended' AND created_at = $1",
    [clock.now()],
  );
  assert.equal(rows.length, 1);
  assert.equal(
    rows[0].properties.after.ended_at.replace('+00:00', 'Z').replace(/ /, 'T').slice(0, 19),
    ends.slice(0, 19),
  );
  await reset();
});

test('no call of the contract changes anything or shows a secret in a support session', {
  timeout: 300_000,
}, async () => {
  await owner.query(`INSERT INTO user_permission SELECT u.id, p.id FROM user_account u, permission p
    WHERE u.email = 'corporate@heliograph.test' ON CONFLICT DO NOTHING`);
  const corporate = await person('corporate');
  await consent(await enter('corporate'));
  const seen = await see(await enter('superadmin'), corporate.id);
  const { rows: tables } = await owner.query<{ name: string }>(
    "SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition ORDER BY 1",
  );
  const digest = async () => {
    const found: Record<string, string> = {};
    for (const { name } of tables)
      found[name] = (
        await owner.query(
          `SELECT count(*) || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS digest FROM "${name}" t`,
        )
      ).rows[0].digest;
    return found;
  };
  const before = await digest();
  const wrong: string[] = [];
  const counts = { read: 0, refused: 0 };
  for (const o of ALL_OPERATIONS) {
    if (o.session === 'public' || o.support === 'allowed') continue;
    const path = o.path.replace(/:\w+/g, '1');
    const answer = await seen(o.method, path, o.method === 'GET' ? undefined : {});
    const code = codeOf(answer);
    if (o.method !== 'GET' || o.proof !== null || o.support === 'refused') {
      counts.refused++;
      if (answer.status !== 403 || code !== 'support_session_reads_only')
        wrong.push(`${o.method} ${path}: ${answer.status} ${code}`);
    } else {
      counts.read++;
      if (answer.status >= 500) wrong.push(`${o.method} ${path}: ${answer.status} ${code}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(counts.read > 100 && counts.refused > 200, JSON.stringify(counts));
  assert.deepEqual(await digest(), before);
  for (const path of [
    'sessions',
    'passkeys',
    'two-factor',
    'support-consent',
    'api-keys',
    'service-accounts',
    'callbacks',
    'identity-providers',
  ])
    assert.equal((await seen('GET', `/api/v1/${path}`)).status, 403, path);
  await reset();
});

test('a support session has the scope of the person, and the database refuses changes', async () => {
  const { seen } = await supported();
  const own = await (await enter('user'))('GET', '/api/v1/number-lists');
  assert.ok(rowsOf(own).length > 0);
  assert.deepEqual((await seen('GET', '/api/v1/number-lists')).body, own.body);
  // The transaction of a call that reads cannot write.
  const caller = await loadCaller(api.database.db('auth'), user.id);
  const base = { database: api.database.db('api'), clock, log: api.log, config: api.config, locale: 'en' as const };
  const write = (support: Caller['support']) =>
    asCaller({ ...base, caller: { ...caller!, ...(support && { support }) } }, ({ db }) =>
      db.updateTable('number_list').set({ name: sql`name` }).execute(),
    );
  await write(undefined);
  await assert.rejects(write({ user_id: 1, ends_at: '' }), { code: 'support_session_reads_only' });
  await reset();
});

test('live channels and downloads of a support session end with its consent', async () => {
  const { own } = await supported();
  const reader = createSessionReader({ authDb: api.database.db('auth'), clock });
  const { rows } =
    await owner.query(`SELECT session_id AS id FROM support_session x JOIN session s ON s.id = x.session_id
    WHERE s.user_id = ${user.id} AND s.ended_at IS NULL`);
  const { id } = rows[0];
  assert.ok((await reader.stampsOf([id])).get(id));
  const caller = await reader.callerOf(id);
  assert.equal(caller?.user_id, user.id);
  assert.ok(caller?.support);
  await own('DELETE', '/api/v1/support-consent');
  assert.equal((await reader.stampsOf([id])).size, 0);
  assert.equal(await reader.callerOf(id), null);
  await reset();
});
