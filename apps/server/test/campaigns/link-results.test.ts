import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { clickFile } from '../../src/modules/campaigns/click-file.ts';
import { forgetClicks } from '../../src/modules/privacy/forget-clicks.ts';
import { createLogger } from '../../src/platform/log.ts';
import { useNumberKey } from '../../src/platform/person/number-digest.ts';
import { exportList } from '../../src/platform/tasks/exported-list.ts';
import { composer, msisdn } from './composer.ts';
import { callerOf, makeSendingTenant, makeStage } from './stage.ts';

const stage = await makeStage({ after });
const { owner, tenant } = stage;
useNumberKey(stage.config);
const { fileOf, send } = composer(stage);
const go = new AbortController().signal;

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const visit = (code: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  stage.server.inject({ method, url: `/s/${code}`, headers: { 'user-agent': PHONE, ...headers } });

interface Shown {
  links: object[];
  not_counted: object[];
  named: boolean;
  days: number | null;
}
interface Click {
  id: number;
  number: string;
  link: number;
  clicks: number;
}
const linksOf = async (id: number, by = 'boss') =>
  (await stage.call<{ data: Shown }>(by, 'GET', `/api/v1/campaigns/${id}/links`)).body.data;
const clicksOf = async (id: number, query = '', by = 'boss') =>
  (
    await stage.call<{ data: Click[]; next_cursor: string | null; has_more: boolean }>(
      by,
      'GET',
      `/api/v1/campaigns/${id}/clicks${query}`,
    )
  ).body;
/** Codes of a campaign by the recipient and the place of the link. */
async function codesOf(id: number): Promise<Map<string, string>> {
  const { rows } = await sql<{ msisdn: string; place: number; code: string }>`
    SELECT l.msisdn, t.place, l.code FROM short_link l JOIN short_link_target t ON t.id = l.target_id
    WHERE l.campaign_id = ${id}`.execute(owner);
  return new Map(rows.map(({ msisdn: to, place, code }) => [`${to} ${place}`, code]));
}
async function sent(content: string, numbers: string): Promise<number> {
  return send((await stage.quote({ content, custom_numbers: numbers, short_links: true })).id);
}
const setting = (names_clicks: boolean, short_link_days: number | null = null) =>
  owner
    .updateTable('corporation')
    .set({ names_clicks, short_link_days })
    .where('id', '=', tenant.corporation_id)
    .execute();

test('results are by the place in the text, also of addresses that differ or repeat', async () => {
  const file = await fileOf(['number,name', `${msisdn(1)},Ana`, `${msisdn(2)},Ben`].join('\n'));
  const content = 'https://shop.test/u/{name} then https://same.test/ and https://same.test/ for {name}';
  const id = await send((await stage.quote({ content, file_id: file.id, short_links: true })).id);
  const codes = await codesOf(id);
  assert.deepEqual(
    [...codes.keys()].sort(),
    [1, 2].flatMap((n) => [1, 2, 3].map((place) => `${msisdn(n)} ${place}`)).sort(),
  );
  const none = { people: 0, clicks: 0, programs: 0 };
  assert.deepEqual((await linksOf(id)).links, [
    { link: 1, address: 'https://shop.test/u/', varies: true, ...none },
    { link: 2, address: 'https://same.test/', varies: false, ...none },
    { link: 3, address: 'https://same.test/', varies: false, ...none },
  ]);
  for (const n of [1, 2]) await visit(codes.get(`${msisdn(n)} 1`)!);
  await owner.updateTable('short_link_click').set({ last_at: '2026-01-01T00:00:00Z' }).execute();
  await visit(codes.get(`${msisdn(1)} 1`)!);
  await visit(codes.get(`${msisdn(1)} 3`)!);
  const { links } = await linksOf(id);
  assert.deepEqual(
    links.map((row) => Object.values(row).slice(3)),
    [
      [2, 3, 0],
      [0, 0, 0],
      [1, 1, 0],
    ],
  );
});

test('visits of programs are counted by their reason, apart from clicks', async () => {
  const id = await sent('See https://shop.test/ today', msisdn(3));
  const code = (await codesOf(id)).get(`${msisdn(3)} 1`)!;
  await visit(code, { 'user-agent': 'WhatsApp/2.24' });
  await visit(code, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
  await visit(code, { 'user-agent': '' });
  await visit(code, { 'sec-purpose': 'prefetch;prerender' });
  await visit(code, {}, 'HEAD');
  const { links, not_counted } = await linksOf(id);
  assert.deepEqual(
    links.map((row) => Object.values(row).slice(3)),
    [[0, 0, 5]],
  );
  assert.deepEqual(not_counted, [
    { reason: 'agent', visits: 2 },
    { reason: 'head', visits: 1 },
    { reason: 'no_agent', visits: 1 },
    { reason: 'prefetch', visits: 1 },
  ]);
  assert.deepEqual((await clicksOf(id)).data, []);
});

test('who clicked is listed once for each link, in pages, and masked where numbers are', async () => {
  const people = [10, 11, 12, 13].map(msisdn);
  const id = await sent('One https://a.test/ two https://b.test/', people.join(','));
  const codes = await codesOf(id);
  for (const code of codes.values()) await visit(code);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await clicksOf(id, `?limit=3${cursor}`);
    seen.push(...page.data.map(({ number, link }) => `${number} ${link}`));
    if (!page.has_more) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  assert.deepEqual(seen.sort(), [...codes.keys()].sort());
  assert.equal((await clicksOf(id, '?link=2')).data.length, 4);
  assert.equal((await clicksOf(id, `?search=${people[0]}`)).data.length, 2);
  assert.equal((await stage.call('boss', 'GET', `/api/v1/campaigns/${id}/clicks?cursor=x`)).status, 400);
  stage.callers.set('blind', callerOf(tenant, 'department_admin', { numbers_visible: false, content_visible: false }));
  for (const { number } of (await clicksOf(id, '', 'blind')).data) assert.match(number, /•{5}/);
  assert.equal((await clicksOf(id, `?search=${people[0]!.slice(0, -1)}`, 'blind')).data.length, 0);
  assert.deepEqual(
    (await linksOf(id, 'blind')).links.map((row) => (row as { address: null }).address),
    [null, null],
  );
  const other = await makeSendingTenant(owner);
  stage.callers.set('stranger', callerOf(other));
  for (const path of ['links', 'clicks'])
    assert.equal((await stage.call('stranger', 'GET', `/api/v1/campaigns/${id}/${path}`)).status, 404);
});

test('a corporation that keeps no names has counts, and no number with any click', async () => {
  const before = await sent('Before https://a.test/', [20, 21].map(msisdn).join(','));
  for (const code of (await codesOf(before)).values()) await visit(code);
  await setting(false);
  assert.deepEqual((await clicksOf(before)).data, [], 'the list is closed before the job has run');
  const after_ = await sent('After https://a.test/ https://b.test/', [20, 21].map(msisdn).join(','));
  for (const code of (await codesOf(after_)).values()) await visit(code);
  await forgetClicks({ database: stage.home.db('worker'), clock: stage.clock }, go);
  for (const [id, people] of [
    [before, 2],
    [after_, 2],
  ] as const) {
    const of = await sql<{ links: number; clicks: number }>`SELECT
      (SELECT count(*) FROM short_link WHERE campaign_id = ${id} AND msisdn ~ '^[0-9]') AS links,
      (SELECT count(*) FROM short_link_click WHERE campaign_id = ${id} AND msisdn ~ '^[0-9]') AS clicks`.execute(owner);
    assert.deepEqual(of.rows[0], { links: 0, clicks: 0 });
    const { body } = await stage.call<{ data: { clicks: { recipients: number } } }>(
      'boss',
      'GET',
      `/api/v1/campaigns/${id}`,
    );
    assert.equal(body.data.clicks.recipients, people);
  }
  await setting(true);
  assert.deepEqual((await clicksOf(before)).data, [], 'names do not come back');
  assert.equal((await linksOf(before)).named, true);
});

test('a link ends after the set days, with a page in the visitor’s language', async () => {
  const id = await sent('Ends https://a.test/', msisdn(30));
  const code = (await codesOf(id)).get(`${msisdn(30)} 1`)!;
  await setting(true, 7);
  assert.equal((await visit(code)).statusCode, 302);
  await owner
    .updateTable('short_link')
    .set({ created_at: sql`now() - interval '7 days'` })
    .where('code', '=', code)
    .execute();
  await owner.updateTable('short_link_click').set({ last_at: '2026-01-01T00:00:00Z' }).execute();
  const ended = await visit(code, { 'accept-language': 'zh-TW,zh;q=0.9' });
  assert.deepEqual(
    [ended.statusCode, ended.headers['location'], ended.headers['content-language']],
    [410, undefined, 'zh-Hant'],
  );
  assert.match(ended.body, /連結/);
  assert.match((await visit(code, { 'accept-language': 'fr, tl;q=0.5' })).body, /Tapos na/);
  assert.equal((await clicksOf(id)).data[0]!.clicks, 1, 'a visit after the end is no click');
  await setting(true, 8);
  assert.equal((await visit(code)).statusCode, 302, 'the setting that applies now decides');
  await setting(true);
});

test('the first click of each link is one event, in the transaction of the click', async () => {
  const id = await sent('One https://a.test/ two https://b.test/', [40, 41].map(msisdn).join(','));
  const codes = await codesOf(id);
  for (const code of codes.values()) await Promise.all([visit(code), visit(code), visit(code)]);
  const { rows } = await sql<{ code: string }>`
    SELECT data ->> 'code' AS code FROM event WHERE type = 'link.clicked' AND data ->> 'campaign_id' = ${String(id)}`.execute(
    owner,
  );
  assert.deepEqual(rows.map(({ code }) => code).sort(), [...codes.values()].sort());
});

test('the file of clicks has who clicked which address, as far as the caller sees it', async () => {
  const people = [50, 51].map(msisdn);
  const id = await sent('One https://a.test/one two https://b.test/two', people.join(','));
  for (const code of (await codesOf(id)).values()) await visit(code);
  const { config, clock } = stage;
  const worker = { database: stage.home.db('worker'), standby: null, config, clock, log: createLogger(config, 'test') };
  const fileFor = async (token: string) => {
    const asked = await stage.call<{ data: { id: number } }>(
      token,
      'POST',
      `/api/v1/campaigns/${id}/clicks/exports`,
      {},
    );
    assert.equal(asked.status, 202, JSON.stringify(asked.body));
    const load = async () => stage.callers.get(token) ?? null;
    await exportList(worker as never, load, [clickFile as never], asked.body.data.id, new AbortController().signal);
    const { rows } = await sql<{ file_path: string }>`
      SELECT file_path FROM download WHERE id = ${asked.body.data.id}`.execute(owner);
    return readFileSync(join(config.DATA_DIR, 'files', rows[0]!.file_path), 'utf8')
      .trim()
      .split(/\r?\n/);
  };
  const lines = await fileFor('boss');
  assert.equal(lines.length, 5);
  for (const number of people)
    for (const [link, address] of [
      [1, 'https://a.test/one'],
      [2, 'https://b.test/two'],
    ])
      assert.ok(
        lines.some((line) => line.includes(number) && line.includes(`${link},${address}`)),
        lines.join('\n'),
      );
  for (const line of (await fileFor('blind')).slice(1)) {
    assert.match(line, /•{5}/);
    assert.doesNotMatch(line, /test/);
  }
  await setting(false);
  assert.equal((await fileFor('boss')).length, 1);
  await setting(true);
});
