import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dataOf, errorsOf, messageOf, type Row } from '../answers.ts';
import { png } from '../organizations/png.ts';
import { type Answer, type Client, startTestApi } from '../test-api.ts';
import { HOSTILE_HTML, harmIn } from './hostile-html.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const [admin, user, readonly] = (await Promise.all(['admin', 'user', 'readonly'].map((login) => api.as(login)))) as [
  Client,
  Client,
  Client,
];

type Found = { id: number; title: string; excerpt: { text: string; hit: boolean }[] };
const write = (body: object, client = admin) => client('POST', '/api/v1/articles', body);
const written = async (body: object): Promise<Row> => {
  const made = await write(body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return dataOf(made);
};
const contents = async (client: Client) =>
  ((await client('GET', '/api/v1/documentation')).body as { articles: Row[] }).articles;
const read = (client: Client, id: number, headers: Record<string, string> = {}) =>
  client('GET', `/api/v1/documentation/articles/${id}`, undefined, headers);
const search = async (client: Client, words: string, headers: Record<string, string> = {}): Promise<Found[]> =>
  (
    (await client('GET', `/api/v1/documentation/search?search=${encodeURIComponent(words)}`, undefined, headers))
      .body as { data: Found[] }
  ).data;
const permission = async (name: string) =>
  (await owner.query<{ id: number }>('SELECT id FROM permission WHERE name = $1', [name])).rows[0]!.id;

test('only parents hold articles, never themselves, and at most three levels deep', async () => {
  const part = await written({ title: 'Part', is_parent: true });
  const chapter = await written({ title: 'Chapter', is_parent: true, parent_id: part.id });
  const page = await written({ title: 'Page', is_parent: true, parent_id: chapter.id });
  assert.deepEqual([part['depth'], chapter['depth'], page['depth']], [0, 1, 2]);
  const fault = async (answer: Promise<Answer>) => Object.entries(errorsOf(await answer))[0];
  assert.deepEqual(await fault(write({ title: 'Deeper', parent_id: page.id })), [
    'parent_id',
    ['Articles can be at most three levels deep.'],
  ]);
  const move = (id: number, body: object) => admin('PATCH', `/api/v1/articles/${id}`, body);
  assert.equal((await fault(move(part.id, { parent_id: page.id })))?.[0], 'parent_id');
  assert.equal((await fault(move(part.id, { parent_id: part.id })))?.[0], 'parent_id');
  assert.equal((await fault(move(part.id, { is_parent: false })))?.[0], 'is_parent');
  assert.equal((await move(page.id, { is_parent: false })).status, 200);
  assert.equal((await fault(write({ title: 'In a page', parent_id: page.id })))?.[0], 'parent_id');
  assert.equal((await fault(write({ title: 'Nowhere', parent_id: 999_999 })))?.[0], 'parent_id');

  const twice = await write({ title: 'Chapter', parent_id: part.id });
  assert.deepEqual([twice.status, messageOf(twice)], [409, 'Article already exists']);
  assert.equal((await write({ title: 'Chapter' })).status, 201, 'elsewhere the title is free');
  const kept = await admin('DELETE', `/api/v1/articles/${chapter.id}`);
  assert.deepEqual([kept.status, messageOf(kept)], [409, 'Can not delete this because there are dependencies']);
  for (const { id } of [page, chapter, part])
    assert.equal((await admin('DELETE', `/api/v1/articles/${id}`)).status, 200);
});

test('a text that cannot be stored is refused, and so is a search for it', async () => {
  const refused = await admin('POST', '/api/v1/articles', { title: 'Zero', description: '<p>a\u0000b</p>' });
  assert.deepEqual([refused.status, Object.keys((refused.body as { errors: object }).errors)], [422, ['description']]);
  assert.equal((await user('GET', '/api/v1/documentation/search?search=a%00b')).status, 422);
});

test('HTML is cleaned in every language, when it is stored and when it is read', async () => {
  // A text that cannot be stored is refused before cleaning.
  const html = HOSTILE_HTML.slice(0, -1).join('\n').replaceAll('\u0000', '');
  const article = await written({
    title: 'Attack',
    description: html,
    translations: { cn: { title: '攻击', description: html } },
  });
  const { rows } = await owner.query<{ description: string }>(
    `SELECT description FROM article WHERE id = $1 UNION ALL SELECT description FROM article_translation WHERE article_id = $1`,
    [article.id],
  );
  assert.equal(rows.length, 2);
  for (const { description } of rows) assert.deepEqual(harmIn(description), []);
  const log = dataOf(
    await admin('POST', '/api/v1/change-log', { version: '9.9.9', stability: 'beta', description: html }),
  );
  assert.deepEqual(harmIn(String(log['description'])), []);

  await owner.query('UPDATE article SET description = $2 WHERE id = $1', [article.id, html]);
  await owner.query('UPDATE change_log SET description = $2 WHERE id = $1', [log.id, html]);
  assert.deepEqual(harmIn(String(dataOf(await read(user, article.id))['description'])), []);
  const logs = (await user('GET', '/api/v1/documentation/change-logs')).body as { data: Row[] };
  for (const { description } of logs.data) assert.deepEqual(harmIn(String(description)), []);
  await admin('DELETE', `/api/v1/articles/${article.id}`);
  await admin('DELETE', `/api/v1/change-log/${log.id}`);
});

test('an article with a permission hides all its contents from people who lack it', async () => {
  const part = await written({
    title: 'For operators',
    is_parent: true,
    permission_id: await permission('links-index'),
  });
  const page = await written({ title: 'Quokka settings', parent_id: part.id, description: '<p>Feed the quokka.</p>' });
  for (const client of [user, readonly]) {
    const ids = (await contents(client)).map(({ id }) => id);
    assert.ok(ids.length > 3 && !ids.includes(part.id) && !ids.includes(page.id));
    assert.deepEqual([(await read(client, part.id)).status, (await read(client, page.id)).status], [404, 404]);
    assert.deepEqual(await search(client, 'quokka'), []);
  }
  assert.equal((await read(admin, page.id)).status, 200);
  const [found] = await search(admin, 'quokka');
  assert.equal(found?.id, page.id);
  const shown = await contents(admin);
  assert.ok(shown.some(({ id }) => id === page.id));
  // Its permission cannot be deleted while an article requires it.
  assert.equal((await admin('DELETE', `/api/v1/permissions/${await permission('links-index')}`)).status, 409);
  for (const { id } of [page, part]) await admin('DELETE', `/api/v1/articles/${id}`);
});

test('a part without text is hidden if it has nothing to show', async () => {
  const empty = await written({ title: 'Empty part', is_parent: true });
  assert.ok(!(await contents(admin)).some(({ id }) => id === empty.id));
  await admin('DELETE', `/api/v1/articles/${empty.id}`);
});

test('an article is shown in English, with a notice, if its language is missing', async () => {
  const article = await written({
    title: 'Gentle reminders',
    description: '<p>Write <em>kindly</em>, and never at midnight.</p>',
    translations: { cn: { title: '温和提醒', description: '<p>请温和地书写，切勿在午夜发送。</p>' } },
  });
  const seen = async (locale: string) => {
    const answer = dataOf(await read(user, article.id, { cookie: `locale=${locale}` }));
    return [answer['title'], answer['locale']];
  };
  assert.deepEqual(await seen('cn'), ['温和提醒', 'cn']);
  assert.deepEqual(await seen('fp'), ['Gentle reminders', 'en']);
  assert.deepEqual(article['locales'], ['cn']);

  const chinese = await search(user, '午夜', { cookie: 'locale=cn' });
  assert.deepEqual(
    chinese.map(({ id, title }) => [id, title]),
    [[article.id, '温和提醒']],
  );
  assert.ok(chinese[0]!.excerpt.some(({ text, hit }) => hit && text === '午夜'));
  // Words are found in their other forms and by their beginnings, and every word must occur.
  for (const words of ['reminder', 'MIDNIGH kindly', 'gentl'])
    assert.equal((await search(user, words))[0]?.id, article.id, words);
  const [hit] = await search(user, 'kindly midnight');
  assert.deepEqual(
    hit?.excerpt.filter((piece) => piece.hit).map(({ text }) => text),
    ['kindly', 'midnight'],
  );
  assert.deepEqual(await search(user, 'kindly nosuchword'), []);
  for (const odd of ["'", '\\', '%', ':*', '& | !', "a':b", '<b>', '\ue000'])
    assert.ok(Array.isArray(await search(user, odd)), odd);

  const changed = await admin('PATCH', `/api/v1/articles/${article.id}`, { translations: { cn: null } });
  assert.deepEqual(dataOf(changed)['locales'], []);
  assert.deepEqual(await seen('cn'), ['Gentle reminders', 'en']);
  await admin('DELETE', `/api/v1/articles/${article.id}`);
});

test('articles are read in order, each with links to the previous and the next', async () => {
  const order = await contents(user);
  const at = order.findIndex(({ depth }) => depth === 1);
  const article = dataOf(await read(user, order[at]!.id));
  const named = (row: Row | undefined) => (row ? { id: row.id, title: row['title'] } : null);
  assert.deepEqual([article['previous'], article['next']], [named(order[at - 1]), named(order[at + 1])]);
  assert.deepEqual(article['path'], [named(order.find(({ id }) => id === order[at]!['parent_id']))]);
  assert.equal(dataOf(await read(user, order.at(-1)!.id))['next'], null);
});

test('their writers list articles in the order in which they are read, page by page', async () => {
  const page = async (query: string) =>
    (await admin('GET', `/api/v1/articles?${query}`)).body as { data: Row[]; meta: { total: number } };
  const all = await page('per_page=200');
  const readers = (await contents(await api.as('superadmin'))).map(({ id }) => id);
  const shown = all.data.map(({ id }) => id).filter((id) => readers.includes(id));
  assert.deepEqual(shown, readers);
  const second = await page('per_page=10&page=2');
  assert.deepEqual(
    second.data.map(({ id }) => id),
    all.data.slice(10, 20).map(({ id }) => id),
  );
  assert.equal(second.meta.total, all.meta.total);
  assert.ok((await page('per_page=5&search=campaign')).data.every(({ title }) => /campaign/i.test(String(title))));
});

test('a picture is recognized by its first bytes and deleted with its article', async () => {
  const upload = async (data: Uint8Array<ArrayBuffer>, client = admin) => {
    const form = new FormData();
    form.append('file', new Blob([data]), 'x.png');
    return client('POST', '/api/v1/articles/images', form);
  };
  const svg = await upload(
    new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>${' '.repeat(40)}`),
  );
  assert.equal(svg.status, 422);
  assert.equal((await upload(png(5_000, 10))).status, 422);
  assert.equal((await upload(new Uint8Array(2 * 1024 * 1024))).status, 413);
  assert.equal((await upload(png(20, 10), user)).status, 403);
  const { path } = (await upload(png(20, 10))).body as { path: string };
  const shown = await fetch(api.url + path);
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png']);
  assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.equal((await fetch(`${api.url}/api/v1/article-images/${'x'.repeat(32)}`)).status, 404);

  const article = await written({ title: 'Pictured', description: `<img src="${path}" alt="x" />` });
  assert.match(String(dataOf(await read(user, article.id))['description']), /<img src="\/api/);
  await owner.query(`UPDATE article_image SET created_at = now() - interval '2 days'`);
  await admin('PATCH', `/api/v1/articles/${article.id}`, { title: 'Pictured still' });
  assert.equal((await fetch(api.url + path)).status, 200, 'a text shows it');
  await admin('DELETE', `/api/v1/articles/${article.id}`);
  assert.equal((await fetch(api.url + path)).status, 404);
});

test('each change is logged with its author and the words before and after', async () => {
  const article = await written({ title: 'Logged', description: '<p>First words</p>' });
  await admin('PATCH', `/api/v1/articles/${article.id}`, { description: '<p>Second words</p>' });
  const { rows } = await owner.query<{ properties: { before: object; after: object } }>(
    `SELECT properties FROM activity_log WHERE subject_type = 'articles' AND subject_id = $1 AND description = 'text changed'`,
    [article.id],
  );
  assert.deepEqual(
    rows.map(({ properties }) => properties),
    [{ before: { text: 'First words' }, after: { text: 'Second words' } }],
  );
  await admin('DELETE', `/api/v1/articles/${article.id}`);
});
