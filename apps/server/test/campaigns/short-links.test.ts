import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countParts } from '@heliograph/contract/kernel/segments';
import fc from 'fast-check';
import { composer, msisdn } from './composer.ts';
import { makeStage, PRICE } from './stage.ts';

const stage = await makeStage({ after });
const { owner, tenant } = stage;
const { fileOf, send, messagesOf } = composer(stage);

test('messages with short links cost what was quoted, and each code has its target', async () => {
  const piece = fc.constantFrom(
    'Hi ',
    '{name} ',
    ' https://shop.test/sale?u={name}',
    ' see http://b.test. ',
    'é',
    '王',
    '(x'.repeat(40),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 8 }),
      async (parts, people) => {
        const file = await fileOf(
          ['number,name', ...Array.from({ length: people }, (_, i) => `${msisdn(i)},P${i}`)].join('\n'),
        );
        const text = `a${parts.join('')}`;
        const quote = await stage.quote({ content: text, file_id: file.id, short_links: true });
        const id = await send(quote.id);
        const messages = await messagesOf(id);
        assert.equal(messages.length, people);
        const counted = messages.reduce((sum, message) => sum + countParts(message.text).parts, 0);
        assert.equal(counted, quote.total_sms);
        assert.equal(((counted * PRICE) / 1_000).toFixed(3), quote.cost);
        const links = await owner
          .selectFrom('short_link')
          .innerJoin('short_link_target', 'short_link_target.id', 'short_link.target_id')
          .select(['short_link.code', 'short_link.msisdn', 'short_link_target.url'])
          .where('short_link.campaign_id', '=', id)
          .execute();
        const addresses = text.split('://').length - 1;
        assert.equal(links.length, addresses * people);
        for (const { text: sent, msisdn: to } of messages) {
          const own = links.filter((link) => link.msisdn === to);
          for (const { code } of own) assert.ok(sent.includes(`/s/${code}`), sent);
          assert.ok(!sent.includes('shop.test') && !sent.includes('b.test'), sent);
          const name = `P${Number(to.slice(5))}`;
          for (const { url } of own) assert.ok(!url.includes('shop.test') || url.includes(`u=${name}`), url);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('a click counts once per visit; programs, HEAD and prefetch do not count', async () => {
  const quote = await stage.quote({
    content: 'See https://shop.test/päge and https://other.test/x',
    custom_numbers: `${msisdn(50)},${msisdn(51)}`,
    short_links: true,
  });
  const id = await send(quote.id);
  const links = await owner
    .selectFrom('short_link')
    .innerJoin('short_link_target', 'short_link_target.id', 'short_link.target_id')
    .select(['short_link.code', 'short_link_target.url'])
    .where('short_link.campaign_id', '=', id)
    .orderBy('short_link.msisdn')
    .orderBy('short_link_target.id')
    .execute();
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
  const visit = (code: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    stage.server.inject({ method, url: `/s/${code}`, headers: { 'user-agent': phone, ...headers } });
  const clicks = async () =>
    (await stage.call<{ data: { clicks: unknown } }>('boss', 'GET', `/api/v1/campaigns/${id}`)).body.data.clicks;

  assert.deepEqual(await clicks(), { recipients: 0, total: 0 });
  for (const headers of [
    { 'user-agent': 'WhatsApp/2.24' },
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
    { 'user-agent': '' },
    { 'sec-purpose': 'prefetch;prerender' },
  ]) {
    assert.equal((await visit(links[0]!.code, headers)).statusCode, 302);
  }
  assert.equal((await visit(links[0]!.code, {}, 'HEAD')).statusCode, 302);
  assert.deepEqual(await clicks(), { recipients: 0, total: 0 });

  const followed = await Promise.all(Array.from({ length: 8 }, () => visit(links[0]!.code)));
  for (const { statusCode, headers } of followed) {
    assert.deepEqual([statusCode, headers['location']], [302, new URL(links[0]!.url).href]);
  }
  await visit(links[1]!.code);
  await visit(links[2]!.code);
  assert.deepEqual(await clicks(), { recipients: 2, total: 3 });
  await owner.updateTable('short_link_click').set({ last_at: '2026-01-01T00:00:00Z' }).execute();
  await visit(links[0]!.code, { host: 'evil.test', 'x-forwarded-host': 'evil.test' });
  assert.deepEqual(await clicks(), { recipients: 2, total: 4 });

  for (const code of [
    'AAAAAAAAAA',
    'short',
    '..%2f..%2fapi',
    "'--",
    'https:%2F%2Fevil.test',
    `${links[0]!.code}?to=//evil`,
  ]) {
    const reply = await visit(code);
    if (code.startsWith(links[0]!.code)) assert.equal(reply.headers['location'], new URL(links[0]!.url).href);
    else assert.deepEqual([reply.statusCode, reply.headers['location']], [404, undefined], code);
  }
});

test('a test message has the text that the chosen recipient would get', async () => {
  const body = {
    sender_id: tenant.sender_id,
    number: msisdn(60),
    content: 'Hi {name}: https://shop.test/{param1}',
    values: { name: 'Ana', param1: 'x1' },
    short_links: true,
  };
  const sent = await stage.call<{ data: { text: string } }>('boss', 'POST', '/api/v1/campaigns/tests', body);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const code = /\/s\/(\w{10})$/.exec(sent.body.data.text)?.[1];
  assert.ok(sent.body.data.text.startsWith('Hi Ana: ') && code, sent.body.data.text);
  const { url } = await owner
    .selectFrom('short_link')
    .innerJoin('short_link_target', 'short_link_target.id', 'short_link.target_id')
    .select('short_link_target.url')
    .where('short_link.code', '=', code)
    .executeTakeFirstOrThrow();
  assert.equal(url, 'https://shop.test/x1');
  const literal = await stage.call<{ data: { text: string } }>('boss', 'POST', '/api/v1/campaigns/tests', {
    ...body,
    short_links: false,
    literal: true,
    content: 'Hi {name} {nobody}',
  });
  assert.equal(literal.body.data.text, 'Hi {name} {nobody}');
});
