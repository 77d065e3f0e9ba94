import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '../test-api.ts';

const { as } = await startTestApi({ after });
/** Lists that the search replaces: their path and the field of the name. */
const LISTS = {
  campaigns: 'name',
  users: 'name',
  corporations: 'name',
  'number-lists': 'name',
  'sender-ids': 'sender_id',
  'message-templates': 'name',
} as const;
interface Found {
  kind: string;
  id: number;
  name: string;
}
const found = async (login: string, query: string) => {
  const { status, body } = await (await as(login))('GET', `/api/v1/search?${query}`);
  assert.equal(status, 200);
  return (body as { data: Found[] }).data;
};

test('the search finds by name exactly what the lists show each person', async () => {
  let compared = 0;
  for (const login of ['superadmin', 'reseller', 'corporate', 'department', 'user', 'readonly'])
    for (const text of ['a', 'er']) {
      const all = await found(login, `search=${text}&per_kind=10`);
      for (const [kind, field] of Object.entries(LISTS)) {
        const own = all.filter((each) => each.kind === kind).map(({ id }) => id);
        const { status, body } = await (await as(login))('GET', `/api/v1/${kind}?search=${text}&per_page=200`);
        if (status === 403) {
          assert.deepEqual(own, [], `${login} may not list ${kind}`);
          continue;
        }
        const rows = (body as { data: Record<string, string>[] }).data;
        const listed = rows.map((row) => Number(row['id']));
        const named = rows.filter((row) => row[field]!.toLowerCase().includes(text)).map((row) => Number(row['id']));
        const newest = (ids: readonly number[]) => ids.toSorted((a, b) => b - a).slice(0, 10);
        // These lists also search in texts and departments, the search only in names.
        const byName = kind === 'number-lists' || kind === 'message-templates';
        assert.deepEqual(own, newest(byName ? named : listed), `${kind} of ${login}`);
        compared += own.length;
      }
    }
  assert.ok(compared > 50, `${compared} records`);
});

test('the search keeps its limit for each kind, and finds articles by their words', async () => {
  const all = await found('superadmin', 'search=a');
  const counts = Map.groupBy(all, ({ kind }) => kind);
  assert.ok(counts.size > 4);
  for (const [kind, rows] of counts) assert.ok(rows.length <= 4, kind);
  assert.ok((await found('corporate', 'search=blackout')).some(({ kind }) => kind === 'articles'));
  const percent = await found('superadmin', `search=${encodeURIComponent('%')}`);
  assert.deepEqual(
    percent.filter(({ name, kind }) => kind !== 'articles' && !name.includes('%')),
    [],
  );
  assert.equal((await (await as('superadmin'))('GET', '/api/v1/search')).status, 422);
});
