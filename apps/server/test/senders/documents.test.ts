import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { documentRetention } from '#modules/senders';
import { removeOldFiles } from '../../src/modules/contacts/remove-old-files.ts';
import { removeOld } from '../../src/platform/jobs/retention.ts';
import { codeOf, dataOf } from '../answers.ts';
import { apiStage } from '../api/stage.ts';
import type { Client } from '../test-api.ts';
import { formOf } from '../uploads.ts';

// Acme's admin adds papers to a sender ID; its owner and the people who decide read them.

const { api, acme, one } = await apiStage({ after });
const [superadmin, corporate, user, harbor, reseller] = (await Promise.all(
  ['superadmin', 'corporate', 'user', 'corporate@harbor.test', 'reseller'].map((login) => api.as(login)),
)) as [Client, Client, Client, Client, Client];

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

interface Document {
  id: number;
  name: string;
  type: string;
  size: number;
  user_name: string | null;
}
let made = 0;
const request = async (draft: boolean) =>
  dataOf<{ id: number }>(
    await corporate('POST', '/api/v1/sender-ids', {
      corporation_id: acme.corporation_id,
      sender_id: `Papers ${++made}`,
      draft,
    }),
  ).id;
const add = (client: Client, id: number, content: Buffer, name: string) =>
  client('POST', `/api/v1/sender-ids/${id}/documents`, formOf(content, name));
const listed = async (client: Client, id: number) =>
  dataOf<Document[]>(await client('GET', `/api/v1/sender-ids/${id}/documents`));
const fileOf = async (id: number) =>
  join(
    api.config.DATA_DIR,
    'files',
    (await one<{ file_path: string }>('SELECT file_path FROM sender_document WHERE id = $1', [id])).file_path,
  );

test('a document is read as an attachment by its owner and by who decides', async () => {
  const sender = await request(false);
  const added = await add(corporate, sender, PDF, 'Letter of authorization.pdf');
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const { id } = dataOf<Document>(added);
  const [document] = await listed(superadmin, sender);
  assert.deepEqual(
    [document!.name, document!.type, document!.size],
    ['Letter of authorization.pdf', 'application/pdf', PDF.length],
  );
  assert.ok(document!.user_name);
  for (const client of [corporate, superadmin]) {
    const answer = await client('GET', `/api/v1/sender-documents/${id}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="Letter_of_authorization.pdf"/,
    );
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(String(answer.body), PDF.toString());
  }
  assert.equal(codeOf(await api.anonymous()('GET', `/api/v1/sender-documents/${id}`)), 'unauthenticated');
});

test('nobody outside the corporation and its reseller learns that a document exists', async () => {
  const sender = await request(false);
  const { id } = dataOf<Document>(await add(corporate, sender, PNG, 'id.png'));
  const asked = [`sender-documents/${id}`, `sender-ids/${sender}/documents`];
  for (const path of asked) {
    assert.equal((await reseller('GET', `/api/v1/${path}`)).status, 200);
    assert.equal((await harbor('GET', `/api/v1/${path}`)).status, 404);
  }
  assert.equal((await harbor('DELETE', `/api/v1/sender-documents/${id}`)).status, 404);
  assert.equal((await add(harbor, sender, SVG, 'x.svg')).status, 404);
  // People without the right to change or decide read names only.
  assert.equal((await listed(user, sender)).length, 1);
  assert.equal(codeOf(await user('GET', `/api/v1/sender-documents/${id}`)), 'forbidden');
  assert.equal(codeOf(await add(user, sender, PDF, 'a.pdf')), 'forbidden');
});

test('only a PDF, PNG or JPEG of at most 5 MB is taken, by its bytes', async () => {
  const sender = await request(true);
  const html = Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(64));
  for (const [content, name] of [
    [SVG, 'logo.svg'],
    [SVG, 'logo.png'],
    [html, 'letter.pdf'],
    [PDF, 'letter.html'],
    [PDF, 'letter.png'],
    [PNG, 'letter.jpg'],
    [Buffer.alloc(0), 'letter.pdf'],
  ] as const)
    assert.equal(codeOf(await add(corporate, sender, content, name)), 'validation_failed', name);
  const large = Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024)]);
  const refused = await add(corporate, sender, large, 'large.pdf');
  assert.deepEqual([refused.status, codeOf(refused)], [413, 'payload_too_large']);
  assert.match(JSON.stringify(refused.body), /5 MB/);
  const whole = large.subarray(0, 5 * 1024 * 1024);
  assert.equal((await add(corporate, sender, whole, '..\\..\\large\u202e.PDF')).status, 201);
  assert.deepEqual(
    (await listed(corporate, sender)).map(({ name }) => name),
    ['large.PDF'],
  );
  for (let count = 1; count < 10; count++)
    assert.equal((await add(corporate, sender, PNG, `${count}.png`)).status, 201);
  assert.equal(codeOf(await add(corporate, sender, PNG, '11.png')), 'validation_failed');
});

test('a document is removed from a draft only, and the history keeps its name', async () => {
  const sender = await request(true);
  const first = dataOf<Document>(await add(corporate, sender, PDF, 'wrong.pdf')).id;
  const file = await fileOf(first);
  assert.ok(existsSync(file));
  assert.equal((await corporate('DELETE', `/api/v1/sender-documents/${first}`)).status, 200);
  await until('the file is gone', () => !existsSync(file));
  const second = dataOf<Document>(await add(corporate, sender, PDF, 'right.pdf')).id;
  await api.database.pool('owner').query("UPDATE sender_id SET state = 'submitted' WHERE id = $1", [sender]);
  for (const client of [corporate, superadmin])
    assert.equal(codeOf(await client('DELETE', `/api/v1/sender-documents/${second}`)), 'sender_document_kept');
  const history = dataOf<{ to_state: string; reason: string }[]>(
    await corporate('GET', `/api/v1/sender-ids/${sender}/history`),
  );
  assert.deepEqual(history.map(({ to_state, reason }) => [to_state, reason]).slice(0, 3), [
    ['document_added', 'right.pdf'],
    ['document_removed', 'wrong.pdf'],
    ['document_added', 'wrong.pdf'],
  ]);
  await superadmin('POST', '/api/v1/sender-ids/decisions', { ids: [sender], decision: 'reject', reason: 'Unreadable' });
  assert.equal((await corporate('DELETE', `/api/v1/sender-documents/${second}`)).status, 200);
});

test('documents stay a year after a deletion, and never longer than the corporation', async () => {
  const database = api.database.db('worker');
  const clean = async (days: number) => {
    const now = () => new Date(Date.now() + days * 86_400_000);
    const worker = { database, config: api.config, clock: { now } };
    await removeOld(worker, [documentRetention], AbortSignal.timeout(60_000));
    await removeOldFiles(worker, AbortSignal.timeout(60_000));
  };
  const [kept, gone] = [await request(false), await request(false)];
  const keptFile = await fileOf(dataOf<Document>(await add(corporate, kept, PDF, 'kept.pdf')).id);
  const goneFile = await fileOf(dataOf<Document>(await add(corporate, gone, PDF, 'gone.pdf')).id);
  assert.equal((await corporate('DELETE', `/api/v1/sender-ids/${gone}`)).status, 200);
  await clean(300);
  assert.deepEqual([existsSync(keptFile), existsSync(goneFile)], [true, true]);
  await clean(366);
  assert.deepEqual([existsSync(keptFile), existsSync(goneFile)], [true, false]);
  const owner = api.database.pool('owner');
  const { id } = (await owner.query<{ id: number }>("INSERT INTO corporation (name) VALUES ('Gone Ltd.') RETURNING id"))
    .rows[0]!;
  await owner.query('UPDATE sender_document SET corporation_id = $1 WHERE sender_id_id = $2', [id, kept]);
  await owner.query('DELETE FROM corporation WHERE id = $1', [id]);
  await clean(3);
  assert.equal(existsSync(keptFile), false);
});
