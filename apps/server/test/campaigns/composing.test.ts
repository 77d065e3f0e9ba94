import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { draftContent } from '@heliograph/contract/campaigns/draft';
import type { z } from 'zod';
import { tellFinished } from '../../src/modules/campaigns/tell-finished.ts';
import { uploadRetention } from '../../src/modules/campaigns/uploads.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { removeOld } from '../../src/platform/jobs/retention.ts';
import { makeList } from '../contacts/tenant.ts';
import { composer, msisdn, type Upload } from './composer.ts';
import { callerOf, makeStage, PRICE } from './stage.ts';

const stage = await makeStage({ after });
const { owner, tenant } = stage;
const { fileOf, send, messagesOf } = composer(stage);

const refusal = async (content: object) => {
  const { status, body } = await stage.call<{ code: string; errors?: Record<string, string[]> }>(
    'boss',
    'POST',
    '/api/v1/campaigns/quotes',
    { sender_id: tenant.sender_id, content: 'Hello', ...content },
  );
  return { status, code: body.code, fields: Object.keys(body.errors ?? {}) };
};

interface Kept {
  data: { id: number; version: number; name: string; content: z.output<typeof draftContent>; file: Upload | null };
}

test('columns are found by name and content, and a correction is kept for such files', async () => {
  const known = await fileOf(`Mobile,Full Name,Message,Shop\n${msisdn(1)},Ana,Hi,North`);
  assert.deepEqual(known.mapping, ['number', 'name', 'content', null]);
  const byNumbers = await fileOf(`Kunde,Anschluss,Ort\nAna,+${msisdn(1)},Manila\nBen,${msisdn(2)},Cebu`);
  assert.deepEqual(byNumbers.mapping, [null, 'number', null]);
  const headless = await fileOf(`${msisdn(1)},Ana\n${msisdn(2)},Ben`);
  assert.deepEqual([headless.mapping, headless.preview.length], [['number', null], 2]);

  const open = await fileOf(`Phone,Mobile\n${msisdn(1)},${msisdn(2)}`);
  assert.deepEqual(open.mapping, [null, null], 'the person chooses');
  assert.deepEqual((await refusal({ file_id: open.id, columns: null })).fields, ['columns']);

  const columns = ['param1', 'number', 'name'];
  const quote = await stage.quote({ content: 'Hi {param1} of {name}', file_id: byNumbers.id, columns });
  assert.deepEqual(
    quote.samples.map(({ text }) => text),
    ['Hi Ana of Manila', 'Hi Ben of Cebu'],
  );
  const again = await fileOf(`Kunde,Anschluss,Ort\nCho,${msisdn(3)},Davao`);
  assert.deepEqual([again.mapping, again.remembered], [columns, true]);
  stage.callers.set('colleague', callerOf(tenant, 'department_admin', { user_id: await addUser('colleague') }));
  assert.equal((await fileOf(`Kunde,Anschluss,Ort\nCho,${msisdn(3)},Davao`, 'colleague')).remembered, false);

  assert.deepEqual(await refusal({ file_id: again.id, columns: ['name', null, null] }), {
    status: 422,
    code: 'validation_failed',
    fields: ['columns'],
  });
  assert.deepEqual((await refusal({ file_id: again.id, columns: ['number', 'name', 'name'] })).fields, ['columns']);
  assert.deepEqual((await refusal({ file_id: again.id, columns: ['number'] })).fields, ['columns']);
});

test('each recipient gets the text of their row; a row without text is rejected', async () => {
  const file = await fileOf(
    `number,content\n${msisdn(1)},Hello {name} €\n${msisdn(2)},\n${msisdn(3)},"Two\nlines, 王"\n${msisdn(1)},again`,
  );
  const content = { content_type: 'multi', content: '', file_id: file.id, columns: file.mapping };
  const quote = await stage.quote(content);
  assert.deepEqual([quote.total_count, quote.gsm_count, quote.unicode_count], [2, 1, 1]);
  assert.deepEqual(quote.rejected, { missing_value: 1, duplicate: 1 });
  const messages = await messagesOf(await send(quote.id));
  assert.deepEqual(
    messages.map(({ text }) => text),
    ['Hello {name} €', 'Two\nlines, 王'],
  );
});

test('a file without any valid number has its own error', async () => {
  const file = await fileOf('number,name\nabc,Ana\n6.39171E+11,Ben\n');
  const none = await stage.quote({ file_id: file.id });
  assert.deepEqual([none.total_count, none.refusal], [0, 'file_without_valid_numbers']);
  const beside = await stage.quote({ file_id: file.id, custom_numbers: 'abc' });
  assert.equal(beside.refusal, 'audience_empty');
});

test('personal messages need a file and nothing else', async () => {
  const file = await fileOf(`number,content\n${msisdn(1)},Hello`);
  assert.deepEqual(await refusal({ content_type: 'multi', custom_numbers: msisdn(1) }), {
    status: 422,
    code: 'content_file_required',
    fields: ['file_id'],
  });
  assert.deepEqual((await refusal({ content_type: 'multi', file_id: file.id, custom_numbers: msisdn(1) })).fields, [
    'custom_numbers',
  ]);
  const to = { custom_numbers: msisdn(1), content: 'Hi {name}, {param1}' };
  assert.deepEqual((await refusal({ ...to, defaults: { name: 'you' } })).fields, ['defaults.param1']);
  const skipping = await stage.quote({ ...to, defaults: { name: 'you' }, skip_default_param: true });
  assert.deepEqual(skipping.rejected, { missing_value: 1 });
  assert.equal((await stage.quote({ ...to, content: '{param1}!', defaults: { name: 'you' } })).total_count, 1);
});

test('a quote shows costs by country, the most expensive rows and possible savings', async () => {
  const numbers = [...Array.from({ length: 6 }, (_, i) => msisdn(i)), '6591234567', '8613800000000'];
  await owner
    .insertInto('global_configuration')
    .values({ key: 'number_start_with_any_msisdn', name: 'Any prefix', description: '', value: 'true', enabled: true })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: 'true' }))
    .execute();
  const long = `“${'a'.repeat(80)}”`;
  const file = await fileOf(
    `number,content\n${numbers.map((number, i) => `${number},${i < 2 ? long : i === 2 ? 'gift 🎁' : 'short'}`).join('\n')}`,
  );
  const quote = await stage.quote({ content_type: 'multi', content: '', file_id: file.id, columns: file.mapping });
  const sum = quote.destinations.reduce((all, { count }) => all + count, 0);
  assert.equal(sum, quote.total_count);
  assert.deepEqual(quote.destinations[0], {
    calling_code: '63',
    count: 6,
    parts: 8,
    cost: ((8 * PRICE) / 1_000).toFixed(3),
  });
  assert.deepEqual(
    quote.dearest.slice(0, 2).map(({ number, parts }) => [number, parts]),
    [
      [msisdn(0), 2],
      [msisdn(1), 2],
    ],
  );
  assert.deepEqual(quote.unicode, {
    characters: [
      { character: '“', replacement: '"', rows: 2 },
      { character: '”', replacement: '"', rows: 2 },
      { character: '🎁', replacement: null, rows: 1 },
    ],
    replaceable_count: 2,
    saved_sms: 2,
    saved_cost: ((2 * PRICE) / 1_000).toFixed(3),
  });
});

test('a draft belongs to one person, and a change on an old version is refused', async () => {
  const file = await fileOf(`Tel,Who\n${msisdn(1)},Ana`);
  const content = { content: 'Half a tho', file_id: file.id, columns: ['number', 'name'], schedule: { start: null } };
  const made = await stage.call<Kept>('boss', 'POST', '/api/v1/campaigns/drafts', { content });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body.data;
  const path = `/api/v1/campaigns/drafts/${id}`;
  const saved = await stage.call<Kept>('boss', 'PUT', path, {
    content: { ...content, content: 'A whole thought' },
    version: 1,
  });
  assert.deepEqual([saved.status, saved.body.data.version, saved.body.data.name], [200, 2, 'A whole thought']);
  const late = await stage.call<{ code: string }>('boss', 'PUT', path, { content, version: 1 });
  assert.deepEqual([late.status, late.body.code], [409, 'changed_meanwhile']);
  const elsewhere = await stage.call<Kept>('boss', 'GET', path);
  assert.equal(elsewhere.body.data.content.content, 'A whole thought');
  assert.deepEqual(elsewhere.body.data.file?.columns, ['tel', 'who']);
  for (const [method, body] of [['GET'], ['PUT', { content, version: 2 }], ['DELETE']] as const) {
    assert.equal((await stage.call('colleague', method, path, body)).status, 404);
  }
  const list = await stage.call<{ data: { id: number }[] }>('boss', 'GET', '/api/v1/campaigns/drafts?search=whole');
  assert.deepEqual(
    list.body.data.map((row) => row.id),
    [id],
  );
  assert.equal((await stage.call('boss', 'DELETE', path)).status, 200);
  assert.equal((await stage.call('boss', 'GET', path)).status, 404);

  const quote = await stage.quote({ content: 'Hi {name}', custom_numbers: msisdn(1), defaults: { name: 'you' } });
  const copy = await stage.call<Kept>('boss', 'POST', `/api/v1/campaigns/${await send(quote.id)}/duplicate`);
  assert.equal(copy.status, 201, JSON.stringify(copy.body));
  const { content: text, custom_numbers, defaults, name } = copy.body.data.content;
  assert.deepEqual([text, custom_numbers, defaults, name], ['Hi {name}', msisdn(1), { name: 'you' }, 'As quoted']);
});

test('a number left out of a campaign gets no message, however it is written', async () => {
  const list = await makeList(owner, tenant, 'With some to leave out');
  await owner
    .insertInto('number_list_number')
    .values([1, 2, 3].map((i) => ({ number_list_id: list, number: msisdn(i) })))
    .execute();
  const file = await fileOf(`number\n${msisdn(4)}\n${msisdn(5)}`);
  const plus = `+63 (917) ${msisdn(2).slice(5)}`;
  const content = {
    content: 'Hi',
    list_ids: [list],
    custom_numbers: msisdn(6),
    file_id: file.id,
    blacklist_numbers: `${plus}; ${msisdn(5)}\n${msisdn(6)},${msisdn(7)}`,
  };
  // This person may skip the blacklist, but not the numbers left out of this campaign.
  await owner.updateTable('user_account').set({ skip_blacklist: true }).where('id', '=', tenant.user_id).execute();
  const quote = await stage.quote(content);
  assert.deepEqual([quote.total_count, quote.rejected], [3, { left_out: 3 }]);
  const id = await send(quote.id);
  const written = (await messagesOf(id)).map(({ msisdn }) => msisdn).sort();
  assert.deepEqual(written, [1, 3, 4].map(msisdn));
  await owner.updateTable('user_account').set({ skip_blacklist: false }).where('id', '=', tenant.user_id).execute();
  const copy = await stage.call<Kept>('boss', 'POST', `/api/v1/campaigns/${id}/duplicate`);
  assert.equal(copy.body.data.content.blacklist_numbers, content.blacklist_numbers);
  // A mistyped number is refused; otherwise a person who must get no message would get it.
  const slip = { ...content, blacklist_numbers: `${msisdn(2)}, 6391x` };
  assert.deepEqual(await refusal(slip), { status: 422, code: 'validation_failed', fields: ['blacklist_numbers'] });
});

test('an upload is kept for a day, and while a campaign or draft needs it', async () => {
  const [sent, drafted, forgotten] = await Promise.all([1, 2, 3].map(() => fileOf(`number\n${msisdn(70)}`)));
  await send((await stage.quote({ file_id: sent!.id })).id);
  await stage.call('boss', 'POST', '/api/v1/campaigns/drafts', { content: { file_id: drafted!.id } });
  const worker = { database: stage.home.db('worker'), config: stage.config, clock: systemClock };
  const left = async () => {
    await removeOld(worker, [uploadRetention], new AbortController().signal);
    const rows = await owner.selectFrom('upload').select('id').orderBy('id').execute();
    return [sent, drafted, forgotten].map((file) => rows.some(({ id }) => id === file!.id));
  };
  assert.deepEqual(await left(), [true, true, true]);
  await owner.updateTable('upload').set({ created_at: '2026-01-01T00:00:00Z' }).execute();
  assert.deepEqual(await left(), [true, true, false]);
  assert.equal((await stage.quote({ file_id: sent!.id })).total_count, 1);
});

test('one text reports the end of a campaign to the person who asked for it', async () => {
  assert.equal((await refusal({ custom_numbers: msisdn(1), notify_number: true })).code, 'notify_number_missing');
  await owner.updateTable('user_account').set({ phone: '+63 917 000 7777' }).where('id', '=', tenant.user_id).execute();
  const quote = await stage.quote({ custom_numbers: msisdn(1), notify_number: true });
  const id = await send(quote.id);
  const told: { msisdn: string; text: string }[] = [];
  const tell = () =>
    tellFinished(
      { database: stage.home.db('worker'), config: stage.config, clock: systemClock },
      async (_db, text) => void told.push(text),
      new AbortController().signal,
    );
  await tell();
  assert.equal(told.length, 0);
  await owner.updateTable('campaign').set({ state: 'completed' }).where('id', '=', id).execute();
  await Promise.all([tell(), tell()]);
  await tell();
  assert.deepEqual(
    told.map((each) => [each.msisdn, each.text]),
    [['639170007777', 'As quoted: Completed. 0 of 1 delivered, 0 not.']],
  );
});

async function addUser(name: string): Promise<number> {
  const { role_id } = await owner
    .selectFrom('user_account')
    .select('role_id')
    .where('id', '=', tenant.user_id)
    .executeTakeFirstOrThrow();
  const user = await owner
    .insertInto('user_account')
    .values({
      corporation_id: tenant.corporation_id,
      department_id: tenant.department_id,
      name,
      email: `${name}@heliograph.test`,
      password_hash: '',
      role_id,
      scope_level: 3,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return user.id;
}
