import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { campaignJobs } from '#modules/campaigns';
import { optOut } from '#modules/contacts';
import { systemClock } from '#platform/clock';
import { startFanOut } from '#platform/fan-out/tell';
import { startJobs } from '#platform/jobs/jobs';
import { createLogger } from '#platform/log';
import { makeList } from '../contacts/tenant.ts';
import { makeCast, msisdn, numbers, type Row } from './cast.ts';
import { CREDIT, callerOf, PRICE, type Quote } from './stage.ts';

const cast = await makeCast({ after });
const { stage, stranger, create, campaignOf, account, setAccount, change } = cast;
const { owner, tenant, callers } = stage;

beforeEach(() => setAccount({ suspended: false, enabled: true, cost_warning_limit: null, credit_limit: 0 }));

async function running(count = 5): Promise<number> {
  const { body } = await create(await stage.quote({ custom_numbers: numbers(count) }));
  await stage.prepare(body.data.id);
  assert.equal((await campaignOf(body.data.id)).state, 'running');
  return body.data.id;
}

test('each wrong input of a quote is refused with its reason', async () => {
  const ask = (content: object, token = 'boss') =>
    stage.call<{ code: string; errors?: Record<string, string[]> }>(token, 'POST', '/api/v1/campaigns/quotes', {
      sender_id: tenant.sender_id,
      content: 'Hello',
      custom_numbers: msisdn(1),
      ...content,
    });
  const foreignList = await makeList(owner, stranger, 'Foreign');
  const off = await makeList(owner, tenant, 'Off');
  await owner.updateTable('number_list').set({ enabled: false }).where('id', '=', off).execute();
  const cases: [string, string | undefined, object][] = [
    ['audience_empty', undefined, { custom_numbers: ' ,;\n' }],
    ['sender_not_allowed', undefined, { sender_id: stranger.sender_id }],
    ['unknown_placeholder', 'content', { content: 'Hi {nmae}' }],
    ['text_too_long', 'content', { content: '😀'.repeat(340) }],
    ['validation_failed', 'list_ids', { list_ids: [foreignList] }],
    ['validation_failed', 'list_ids', { list_ids: [off] }],
    ['validation_failed', 'file_id', { file_id: 999_999 }],
    ['validation_failed', 'sms_validity', { sms_validity: 13 }],
  ];
  for (const [code, field, content] of cases) {
    const { body } = await ask(content);
    assert.equal(body.code, code);
    if (field) assert.ok(body.errors?.[field]?.[0], code);
  }
  await setAccount({ sms_validity: 2, flash_allowed: false });
  assert.ok((await ask({ sms_validity: 3 })).body.errors?.sms_validity);
  assert.equal((await ask({ flash: true, sms_validity: 1 })).body.code, 'flash_not_allowed');
  await setAccount({ sms_validity: 12, flash_allowed: true, enabled: false });
  callers.set('other', callerOf(tenant, 'department_admin', { billing_account_id: null }));
  assert.equal((await ask({}, 'other')).body.code, 'billing_account_missing');
  await owner.updateTable('link').set({ enabled: false }).execute();
  assert.equal((await ask({})).body.code, 'no_route');
  await owner.updateTable('link').set({ enabled: true }).execute();
});

test('a stranger gets 404 for campaigns, quotes and files', async () => {
  const quote = await stage.quote({ custom_numbers: `${numbers(2)},abc` });
  const { body } = await create(quote);
  const { id } = body.data;
  for (const path of [
    `/${id}`,
    `/${id}/messages`,
    `/${id}/rejected`,
    `/quotes/${quote.id}`,
    `/quotes/${quote.id}/rejected`,
  ]) {
    assert.equal((await stage.call('stranger', 'GET', `/api/v1/campaigns${path}`)).status, 404, path);
    assert.equal((await stage.call('boss', 'GET', `/api/v1/campaigns${path}`)).status, 200, path);
  }
  for (const action of ['stop', 'pause', 'resume', 'approve', 'discard']) {
    assert.equal((await change(id, action, 'stranger')).status, 404, action);
  }
  assert.equal((await create(quote, 'stranger')).status, 404);
  const list = (token: string) =>
    stage.call<{ data: Row[]; meta: { total: number } }>(token, 'GET', '/api/v1/campaigns?per_page=1');
  assert.deepEqual((await list('stranger')).body.meta.total, 0);
  assert.deepEqual((await list('boss')).body.data[0]?.content, 'Hello');
  assert.equal((await list('reader')).body.data[0]?.content, null);
});

test('the messages of a campaign come page by page, newest first, each once', async () => {
  const id = await running(120);
  type Page = { data: { id: number; number: string; state: string }[]; next_cursor: string | null; has_more: boolean };
  const seen: number[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await stage.call<Page>('boss', 'GET', `/api/v1/campaigns/${id}/messages?limit=50${cursor}`);
    seen.push(...body.data.map((message) => message.id));
    if (!body.has_more) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  assert.equal(seen.length, 120);
  assert.deepEqual(
    seen,
    [...new Set(seen)].sort((a, b) => b - a),
  );
  await change(id, 'stop');
  const get = async (query: string) =>
    (await stage.call<Page>('boss', 'GET', `/api/v1/campaigns/${id}/messages?${query}`)).body;
  assert.equal((await get('state=cancelled&limit=200')).data.length, 120);
  assert.equal((await get('state=delivered')).data.length, 0);
  assert.deepEqual(
    (await get(`search=+${msisdn(7)}`)).data.map(({ number }) => number),
    [msisdn(7)],
  );
});

test('a test send is one transactional message with a reservation', async () => {
  const before = await account();
  const send = (number: string) =>
    stage.call<{ data: { message_id: number; text: string; cost: string }; errors?: object }>(
      'boss',
      'POST',
      '/api/v1/campaigns/tests',
      {
        sender_id: tenant.sender_id,
        content: 'Hi {name}',
        defaults: { name: 'Ana' },
        number,
      },
    );
  const { status, body } = await send(`+${msisdn(1)}`);
  assert.deepEqual([status, body.data.text, body.data.cost], [202, 'Hi Ana', '0.350']);
  const chunk = await owner.selectFrom('chunk').selectAll().where('campaign_id', 'is', null).executeTakeFirstOrThrow();
  assert.deepEqual([chunk.class, chunk.size, chunk.common_text], ['transactional', 1, 'Hi Ana']);
  assert.ok(chunk.expires_at);
  assert.equal(before.credit_balance - (await account()).credit_balance, PRICE);
  assert.equal((await send('12')).status, 422);
  await optOut(owner, { corporation_id: tenant.corporation_id, number: msisdn(9), source: 'person', at: new Date() });
  assert.ok((await send(msisdn(9))).body.errors);
  await setAccount({ credit_balance: 0 });
  assert.equal((await send(msisdn(1))).status, 409);
  assert.equal((await owner.selectFrom('chunk').select('id').where('campaign_id', 'is', null).execute()).length, 1);
  await setAccount({ credit_balance: CREDIT });
});

test('a worker counts a small quote within a second and runs the campaign made of it', async (t) => {
  const { config, home } = stage;
  const log = createLogger(config, 'test');
  const fanOut = await startFanOut(config, 'worker', log);
  t.after(() => fanOut.stop());
  const jobs = await startJobs(home.pool('worker'), fanOut, log);
  t.after(() => jobs.stop());
  await campaignJobs(
    { jobs, fanOut, pool: home.pool('worker'), database: home.db('worker'), config, clock: systemClock, log },
    { sendOwnText: async () => undefined, loadCaller: async () => null },
  );
  const times: number[] = [];
  // A busy machine gets up to 30 tries.
  while (times.length < 30 && (times.length < 5 || Math.min(...times) >= 1_000)) {
    const asked = await stage.call<{ data: Quote }>('boss', 'POST', '/api/v1/campaigns/quotes', {
      sender_id: tenant.sender_id,
      content: 'Hello',
      custom_numbers: numbers(20),
    });
    const read = () => stage.call<{ data: Quote }>('boss', 'GET', `/api/v1/campaigns/quotes/${asked.body.data.id}`);
    const began = performance.now();
    await until('the quote is counted', async () => (await read()).body.data.state === 'ready');
    times.push(performance.now() - began);
    if (times.length === 1) {
      const { body } = await create(asked.body.data);
      await until('the campaign runs', async () => (await campaignOf(body.data.id)).state === 'running');
    }
  }
  t.diagnostic(`quotes counted after ${times.map(Math.round).join(', ')} ms`);
  assert.ok(Math.min(...times) < 1_000, String(times));
});
