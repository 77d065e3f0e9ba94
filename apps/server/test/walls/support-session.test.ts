import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refreshTokens } from '@heliograph/contract/identity/session';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { codeOf } from '../answers.ts';
import type { Client } from '../test-api.ts';
import { bodyOf, difference, each, ownIds, pathOf, plain, queryOf, reads, withIds } from './calls.ts';
import { label, tableOfPath, whoseOf } from './classification.ts';
import { api, clients, foreignId, LOGINS, MAKE, owner, places, tables } from './places.ts';

// Every call × support sessions for the five roles of customers, with whole bodies and the person's own records: what
// changes something is refused and changes nothing, and what reads shows no more than the person sees.

for (const name of ['rival', 'sibling_corporation', 'sibling_department'] as const) await MAKE[name]();

/** Begins a support session for a person, with their consent. The one before ends. */
async function see(login: string): Promise<Client> {
  const id = await api.database.personOf(login);
  await owner.query(
    `INSERT INTO support_consent (user_id, given_by, by_administrator, given_at, until)
     VALUES ($1, $1, true, now(), now() + interval '1 hour') ON CONFLICT (user_id) DO NOTHING`,
    [id],
  );
  const body = { reason: 'The walls are walked' };
  const answer = await clients.get('superadmin')!('POST', `/api/v1/users/${id}/support-sessions`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return api.anonymous((answer.body as { access_token: string }).access_token);
}

/** Returns a digest of each table. */
async function digest(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name } of tables)
    found[name] = (
      await owner.query(
        `SELECT count(*) || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS digest FROM "${name}" t`,
      )
    ).rows[0].digest;
  return found;
}

/** Returns the id of a record of the person; 1 for a kind that people do not read by themselves. */
const ownId = async (login: string, o: Operation): Promise<number> =>
  (o.path.includes('/:id') ? (await ownIds(login, tableOfPath(o)).catch(() => []))[0] : undefined) ?? 1;

test('a support session for any role changes nothing, whatever whole body it sends', { timeout: 900_000 }, async () => {
  const wrong: string[] = [];
  let refused = 0;
  for (const login of LOGINS) {
    const seen = await see(login);
    const before = await digest();
    const changes = ALL_OPERATIONS.filter(
      (o) => o.session !== 'public' && o.support !== 'allowed' && (o.method !== 'GET' || o.support === 'refused'),
    );
    await each(changes, async (o) => {
      const path = pathOf(o, await ownId(login, o)) + ((await queryOf(login, o)) ?? '');
      const answer = await seen(o.method, path, await bodyOf(login, o));
      refused++;
      if (answer.status !== 403 || codeOf(answer) !== 'support_session_reads_only')
        wrong.push(`${login} ${label(o)}: ${plain(answer).slice(0, 200)}`);
    });
    assert.deepEqual(await digest(), before, login);
  }
  assert.deepEqual(wrong, []);
  assert.ok(refused > 5 * 300, String(refused));
});

/** Answers about the session itself. */
const OF_SESSION = new Set(['/api/v1/profiles']);
/** Lists without what belongs to permissions that a support session lacks, such as callbacks and recoveries. */
const SHORTER = new Set([
  '/api/v1/asked-notify',
  '/api/v1/menus/nav-bar-menus',
  '/api/v1/users/fillingData',
  '/api/v1/documentation',
  '/api/v1/http-deliveries',
]);

test('a support session shows no more than its person sees', {
  timeout: 900_000,
}, async () => {
  const wrong: string[] = [];
  const counts = { same: 0, less: 0, foreign: 0 };
  for (const login of LOGINS) {
    const own = clients.get(login)!;
    const seen = await see(login);
    await each(
      reads.filter((o) => o.support === 'reads' && !OF_SESSION.has(o.path)),
      async (o) => {
        const query = await queryOf(login, o);
        const [id] = o.path.includes('/:id') ? await ownIds(login, tableOfPath(o)) : [0];
        if (query === null || id === undefined) return;
        const path = pathOf(o, id) + query;
        const [theirs, shown] = [plain(await own('GET', path)), plain(await seen('GET', path))];
        if (shown.startsWith('403') || (SHORTER.has(o.path) && shown.length <= theirs.length)) counts.less++;
        else if (withoutAbilities(shown) === withoutAbilities(theirs)) counts.same++;
        else wrong.push(`${login} GET ${path}: ${difference(theirs, shown)}`);
      },
    );
    const tries = withIds.filter((o) => o.support === 'reads' && whoseOf(o) === 'tenant');
    await each(
      tries.flatMap((o, turn) => places(login, turn).map((name) => [o, name] as const)),
      async ([o, name]) => {
        const id = foreignId(name, tableOfPath(o));
        if (id === undefined) return;
        const answer = await seen('GET', pathOf(o, id) + ((await queryOf(login, o)) ?? ''));
        counts.foreign++;
        if (!['not_found', 'forbidden', 'support_session_reads_only'].includes(codeOf(answer) ?? ''))
          wrong.push(`${login} ${label(o)} of ${name}: ${plain(answer).slice(0, 200)}`);
      },
    );
  }
  assert.deepEqual(wrong, []);
  assert.ok(counts.same > 300 && counts.less > 20 && counts.foreign > 50, JSON.stringify(counts));
});

/** Returns an answer without what the caller may do with its records. */
const withoutAbilities = (text: string): string => text.replace(/"abilities":\{[^}]*\}/g, '');

test('the token of a support session opens no other door', async () => {
  const seen = await see('corporate');
  for (const [method, path] of [
    ['GET', '/v1/account'],
    ['POST', '/v1/messages'],
    ['GET', '/scim/v2/Users'],
    ['POST', '/scim/v2/Users'],
  ] as const) {
    const { status } = await seen(method, path, method === 'POST' ? {} : undefined);
    assert.ok([401, 403, 404].includes(status), `${method} ${path}: ${status}`);
  }
  const refresh = await api.anonymous()('POST', refreshTokens.path, { refresh_token: 'hgs_x' });
  assert.notEqual(refresh.status, 200);
});

test('sessions of each way of sign-in have the same walls', { timeout: 600_000 }, async () => {
  const { rows } = await owner.query<{ way: string }>(
    `SELECT unnest(regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''', 'g')) AS way FROM pg_constraint
     WHERE conrelid = 'session'::regclass AND pg_get_constraintdef(oid) LIKE '%way%'`,
  );
  assert.ok(rows.length >= 3, JSON.stringify(rows));
  const wrong: string[] = [];
  for (const login of ['corporate', 'user']) {
    const client = clients.get(login)!;
    const foreign = withIds.filter((o) => o.method === 'GET' && o.session !== 'public' && whoseOf(o) === 'tenant');
    for (const { way } of rows) {
      await owner.query('UPDATE session SET way = $1 WHERE user_id = $2', [way, await api.database.personOf(login)]);
      await each(foreign, async (o) => {
        const id = foreignId('rival', tableOfPath(o));
        const query = await queryOf(login, o);
        if (id === undefined || query === null) return;
        const answer = await client('GET', pathOf(o, id) + query);
        if (codeOf(answer) !== 'not_found')
          wrong.push(`${login} by ${way} ${label(o)}: ${plain(answer).slice(0, 200)}`);
      });
    }
  }
  assert.deepEqual(wrong, []);
});
