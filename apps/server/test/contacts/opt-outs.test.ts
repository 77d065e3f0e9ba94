import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { optIn, optOut } from '#modules/contacts';
import { codeOf, dataOf, type Row } from '../answers.ts';
import { uploadFile } from '../uploads.ts';
import { at, listStage, range } from './list-stage.ts';

const { owner, corporate, harbor, readonly, corporation_id, listOf, page } = await listStage({ after });

test('exports of lists and opt-outs are safe for spreadsheets', async () => {
  const list = await listOf(range(0, 3));
  await owner.query(
    `UPDATE number_list_number SET name = '=1+1', param1 = '@x' WHERE number_list_id = $1 AND number = $2`,
    [list, at(1)],
  );
  const fetched = async (path: string, body?: object) => {
    const { status, body: answer } = await corporate('POST', path, body ?? {});
    assert.equal(status, 202);
    const { id } = (answer as { data: Row }).data;
    for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
      const opened = (await corporate('GET', `/api/v1/queue-download-unread-file/${id}`)).body as {
        success: boolean;
        data: { path: string };
      };
      if (opened.success)
        return parse(String((await corporate('GET', opened.data.path)).body), { bom: true }) as string[][];
      assert.ok(Date.now() < deadline);
    }
  };
  const numbers = await fetched(`/api/v1/number-lists/${list}/exports`, { selection: { search: at(1) } });
  assert.deepEqual(
    numbers.map((row) => row.slice(0, 3)),
    [
      ['number', 'name', 'param1'],
      [at(1), "'=1+1", "'@x"],
    ],
  );
  await optOut(owner, { corporation_id, number: at(900), source: 'message', at: new Date(), message: '=cmd' });
  const outs = await fetched('/api/v1/opt-outs/exports');
  const row = outs.find(([number]) => number === at(900))!;
  assert.ok(row.includes("'=cmd") && row.includes('Acme Retail'));
  assert.ok(!outs.some((each) => each.includes('Blue Harbor Bank')));
});

test('an opt-out ends only by START, or by its deletion if a person noted it', async () => {
  const number = at(500);
  await optOut(owner, {
    corporation_id,
    number: `+${number}`,
    source: 'message',
    at: new Date(),
    message: 'Stop pls',
    keyword: 'STOP',
    recipient: '2929',
  });
  const list = await listOf([]);
  await corporate('POST', '/api/v1/numbers', { number_list_id: list, number });
  assert.equal((await page(list, '')).data[0]!['opted_out'], true);
  const { upload } = await uploadFile(
    corporate,
    `opt-outs/bulk?corporation_id=${corporation_id}`,
    `number,opted_out_at,note\n${number},2020-01-01,again\n${at(501)},2024-05-31,from CRM\n${at(502)},soon,x\n+63 917 0000 503,,\n`,
  );
  assert.deepEqual([upload.state, upload.rows_added, upload.rows_rejected], ['done', 2, 1]);
  const found = (await corporate('GET', `/api/v1/opt-outs?search=${number}`)).body as { data: Row[] };
  const { message, keyword, recipient, source, active, abilities } = found.data[0]!;
  assert.deepEqual([message, keyword, recipient, source, active], ['Stop pls', 'STOP', '2929', 'message', true]);
  assert.deepEqual(abilities, { edit: true, delete: false });
  assert.equal(codeOf(await corporate('DELETE', `/api/v1/opt-outs/${found.data[0]!.id}`)), 'opt_out_kept');
  assert.equal(codeOf(await corporate('POST', '/api/v1/opt-outs', { corporation_id, number })), 'already_opted_out');
  const noted = dataOf(
    await corporate('POST', '/api/v1/opt-outs', { corporation_id, number: at(504), note: 'by phone' }),
  );
  assert.equal((await corporate('DELETE', `/api/v1/opt-outs/${noted.id}`)).status, 200);
  assert.equal(dataOf(await corporate('GET', `/api/v1/opt-outs/${noted.id}`))['active'], false);
  assert.equal((await harbor('GET', `/api/v1/opt-outs/${noted.id}`)).status, 404);
  assert.equal((await readonly('DELETE', `/api/v1/opt-outs/${noted.id}`)).status, 403);
  assert.equal(await optIn(owner, { corporation_id, number, at: new Date(), message: 'START' }), true);
  assert.equal((await page(list, '')).data[0]!['opted_out'], false);
  assert.equal(await optOut(owner, { corporation_id, number, source: 'message', at: new Date() }), true, 'and again');
});
