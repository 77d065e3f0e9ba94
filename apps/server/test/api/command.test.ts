import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Heliograph } from '../../../../packages/client/src/index.ts';
import { bookOfRows } from '../contacts/table-file.ts';
import { acme, api, count, FULL, failed, folder, harm, heliograph, key, message, one, stage } from './client-stage.ts';

test('the command names the cause of an outage and when to try again', async () => {
  const { url } = await harm('full');
  const args = ['send', '--from', acme.sender, '--to', stage.number(7), '--text', 'Hello'];
  const { code, wrong } = await heliograph(args, { url });
  assert.equal(code, 1);
  assert.equal(wrong, `heliograph: ${FULL.message} (unavailable, database_full)\n`);
});

test('the command sends, shows states, follows events and explains errors', async () => {
  const sent = await heliograph([
    'send',
    '--from',
    acme.sender,
    '--to',
    stage.number(7),
    '--text',
    'Hello',
    '--ref',
    'c-1',
    '--json',
  ]);
  assert.equal(sent.code, 0, sent.wrong);
  const { id } = JSON.parse(sent.out) as { id: string };
  const row = await one<{ user_id: number; id: number }>(
    'SELECT user_id, message_id AS id FROM program_message WHERE message_id = $1',
    [id],
  );
  await failed(row, 'x');
  const runs = await Promise.all([
    heliograph(['status', id]),
    heliograph(['status', '--ref', 'c-1']),
    heliograph(['tail', '--all', '--once', '--json', '--types', 'message.failed', '--cursor', 'place']),
    heliograph(['send', '--from', acme.sender, '--to', '12', '--text', 'x']),
    heliograph(['send', '--from', acme.sender, '--to', '12']),
    heliograph(['status', '--nothing']),
    heliograph(['fly']),
    heliograph(['import', '--help']),
    heliograph(['status', id, '--config', 'none.json']),
    heliograph(['--version']),
  ]);
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0, 1, 2, 2, 2, 0, 1, 0],
    JSON.stringify(runs),
  );
  for (const run of runs.slice(0, 2)) assert.ok(run.out.startsWith(`${id}  ${stage.number(7)}  pending`), run.out);
  assert.ok(
    runs[2]!.out
      .trim()
      .split('\n')
      .every((line) => JSON.parse(line).type === 'message.failed'),
    runs[2]!.out,
  );
  const next = await heliograph(['tail', '--once', '--cursor', 'place', '--types', 'message.failed']);
  assert.deepEqual([next.code, next.out], [0, '']);
  assert.match(runs[3]!.wrong, /\(validation_failed, request .*\n {2}to: \S/);
  assert.match(runs[4]!.wrong, /--text is missing/);
  assert.match(runs[7]!.out, /Usage: heliograph import FILE/);
  assert.match(runs[9]!.out, /^\d+\.\d+\.\d+\n$/);
});

test('the command cancels a message and a batch', async () => {
  const client = new Heliograph({ url: api.url, key });
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await client.send({ ...message(9), send_at });
  const batch = await client.sendBatch({
    from: acme.sender,
    text: 'Hi',
    recipients: [{ to: stage.number(9) }],
    send_at,
  });
  const runs = await Promise.all([
    heliograph(['cancel', id]),
    heliograph(['cancel', '--batch', batch.id]),
    heliograph(['cancel', '--batch', '999999']),
    heliograph(['cancel']),
  ]);
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 1, 2],
    JSON.stringify(runs),
  );
  assert.ok(runs[0]!.out.startsWith(`${id}  ${stage.number(9)}  cancelled`), runs[0]!.out);
  assert.match(runs[1]!.out, /1 cancelled/);
});

test('an interrupted import resumes, and sends to every recipient once', async () => {
  const rows = Array.from({ length: 25 }, (_, row) => `${stage.number(100 + row)};"Ana; ""A""\n${row}"`);
  writeFileSync(join(folder, 'list.csv'), ['To;Name', ...rows, '12;Nobody', ''].join('\r\n'));
  const args = ['import', 'list.csv', '--from', acme.sender, '--text', 'Hi {name}', '--size', '5', '--json'];
  const before = await count();
  // The command dies after the API has accepted the third batch, before the answer arrives.
  const dying = new AbortController();
  const { url } = await harm('pass', 'pass', () => dying.abort());
  const first = await heliograph(args, { url, signal: dying.signal });
  assert.equal(first.code, null);
  assert.equal(await count(), before + 15);
  const second = await heliograph(args);
  assert.equal(second.code, 0, second.wrong);
  const { rows: read, accepted, rejected, resumed } = JSON.parse(second.out) as Record<string, number>;
  assert.deepEqual([read, accepted, rejected, resumed], [26, 25, 1, 2]);
  assert.equal(await count(), before + 25);
  assert.match(
    readFileSync(join(folder, 'list.csv.refused.csv'), 'utf8'),
    /^\ufeffline,field,value,reason,code\n52,to,12,The number is too short\.,validation_failed\n$/,
  );
  const third = await heliograph(args);
  assert.deepEqual([third.code, await count()], [0, before + 25]);
  writeFileSync(join(folder, 'list.csv'), 'to\n12\n');
  assert.match((await heliograph(args)).wrong, /other contents/);
});

test('an import reads the same files as the console, and reports the columns used', async (t) => {
  const before = await count();
  const rows = [
    ['姓名', '手机号码', 'City'],
    ...[1, 2].map((row) => [`Ana ${row}`, Number(stage.number(200 + row)), '']),
  ];
  copyFileSync(await bookOfRows(t, rows, [3]), join(folder, 'book.xlsx'));
  writeFileSync(join(folder, 'bare.txt'), Buffer.from(`${stage.number(203)}\tÉva\n`, 'utf16le'));
  writeFileSync(join(folder, 'two.csv'), `Phone|Mobile\n${stage.number(204)}|${stage.number(205)}\n`);
  writeFileSync(join(folder, 'old.xls'), Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  const send = (...args: string[]) => heliograph(['import', ...args, '--from', acme.sender, '--text', 'Hi']);
  const runs = [];
  for (const args of [['book.xlsx'], ['bare.txt'], ['two.csv'], ['two.csv', '--column', 'Mobile'], ['old.xls']])
    runs.push(await send(...args));
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 2, 0, 1],
    JSON.stringify(runs),
  );
  assert.match(runs[0]!.wrong, /column "手机号码"\. Not used: "City"/);
  assert.match(
    readFileSync(join(folder, 'book.xlsx.refused.csv'), 'utf8'),
    new RegExp(`\\n3,to,${stage.number(202)},"The sheet hides this row\\.`),
  );
  assert.match(runs[2]!.wrong, /"Phone", "Mobile"/);
  assert.match(runs[4]!.wrong, /file is incomplete/);
  assert.equal(await count(), before + 3);
});
