import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { confirmHostKey, scheduledFile, scheduledFileRuns } from '@heliograph/contract/scheduled-files/scheduled-file';
import { noSshServer, startSshServer } from './ssh-server.ts';
import { DAY, fileStage, HOUR, manifestsIn, NOON, rowsIn } from './stage.ts';

const skip = noSshServer();
const s = await fileStage({ after });
const ssh = skip ? undefined : await startSshServer({ after });

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
/** Midnight in Manila of the day of the stage's clock. */
const TODAY = NOON - 12 * HOUR;

/** Creates a scheduled file for the server, with a folder of its own. */
async function add(name: string, body: object = {}) {
  const folder = join(ssh!.folder, name);
  const { port, username, private_key } = ssh!;
  const made = await s.corporate('POST', '/api/v1/scheduled-files', {
    corporation_id: s.acme,
    name,
    wait_hours: 1,
    destination: 'sftp',
    host: '127.0.0.1',
    port,
    folder,
    username,
    private_key,
    ...body,
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = scheduledFile.createOne.reply.parse(made.body).data;
  return { id, folder };
}
const confirm = async (id: number, host_key = ssh!.host_key) => {
  const { status } = await s.corporate('POST', confirmHostKey.path.replace(':id', String(id)), { host_key });
  assert.equal(status, 200);
};
const tried = async (id: number) =>
  ((await s.corporate('POST', `/api/v1/scheduled-files/${id}/test`)).body as { data: object }).data;

test('a host key is shown, confirmed, and only then is the login used', { skip }, async () => {
  const { id, folder } = await add('confirmed');
  assert.deepEqual(await tried(id), { fault: 'host_key_unconfirmed', host_key: ssh!.host_key });
  await confirm(id);
  assert.deepEqual(await tried(id), { fault: null, host_key: ssh!.host_key });
  assert.deepEqual(readdirSync(folder), []);
  const old = ssh!.host_key;
  await ssh!.renewKey();
  assert.notEqual(ssh!.host_key, old);
  assert.deepEqual(await tried(id), { fault: 'host_key_changed', host_key: ssh!.host_key });
  await confirm(id);
  // Another server must not get the login by a change of the host name alone.
  const moved = await s.corporate('PATCH', `/api/v1/scheduled-files/${id}`, { host: '127.0.0.2' });
  assert.equal(scheduledFile.updateOne.reply.parse(moved.body).data.host_key, null);
});

test('each message of a period is in exactly one file, with its state of then', { skip }, async () => {
  const { id, folder } = await add('periods', { texts: true });
  await confirm(id);
  await s.begin(id, TODAY - 2 * DAY);
  const edges = [TODAY - 2 * DAY, TODAY - DAY - 1, TODAY - DAY, TODAY - 1];
  const ids: number[] = [];
  for (const at of edges) ids.push(...(await s.messages('Acme Retail', at, [`=made, "${at}"`, 'two'])));
  await s.messages('Green Valley Clinic', TODAY - DAY + HOUR, ['of another tenant']);
  await s.messages('Acme Retail', TODAY, ['of a later period']);
  await s.run(id);
  await s.run(id);
  const manifests = manifestsIn(folder);
  assert.deepEqual(
    manifests.map(({ period_start, period_end, rows }) => [Date.parse(period_start), Date.parse(period_end), rows]),
    [
      [TODAY - 2 * DAY, TODAY - DAY, 4],
      [TODAY - DAY, TODAY, 4],
    ],
  );
  assert.equal(manifests[1]!.previous_sha256, manifests[0]!.sha256);
  assert.equal(manifests[0]!.previous_sha256, null);
  const rows = manifests.flatMap(({ file, sha256: digest, bytes }) => {
    const content = readFileSync(join(folder, file));
    assert.deepEqual([sha256(content), content.length], [digest, bytes]);
    return rowsIn(content);
  });
  assert.deepEqual(rows.map((row) => Number(row['id'])).sort(), ids.sort());
  assert.ok(rows.every((row) => row['state'] === 'submitted' && row['corporation_id'] === String(s.acme)));
  assert.ok(rows.some((row) => row['text'] === `=made, "${edges[0]}"`));
  assert.equal(rows.at(-1)!['created_at'], new Date(edges[2]!).toISOString());
  assert.equal(readdirSync(folder).length, 4);
});

test('texts are in a file only if it asks for them, and its maker may read them', { skip }, async () => {
  const { id, folder } = await add('silent');
  await confirm(id);
  await s.begin(id, TODAY - DAY);
  await s.run(id);
  const [manifest] = manifestsIn(folder);
  const rows = rowsIn(readFileSync(join(folder, manifest!.file)));
  assert.ok(rows.length > 0 && rows.every((row) => row['text'] === ''));
  await s.owner.query(`UPDATE user_account SET content_visible = false WHERE email = 'corporate@heliograph.test'`);
  const { status, body } = await s.corporate('PATCH', `/api/v1/scheduled-files/${id}`, { texts: true });
  await s.owner.query(`UPDATE user_account SET content_visible = true WHERE email = 'corporate@heliograph.test'`);
  assert.equal(status, 422);
  assert.ok(JSON.stringify(body).includes('texts'));
});

test('a destination that was away for days gets every file in order', { skip }, async () => {
  const { id, folder } = await add('away');
  await confirm(id);
  await s.begin(id, TODAY - 4 * DAY);
  await ssh!.stop();
  s.time.now = NOON - 2 * DAY;
  await s.run(id);
  assert.deepEqual(
    (await s.runs(id)).map(({ state, error }) => [state, error]),
    [
      ['waiting', 'unreachable'],
      ['waiting', null],
    ],
  );
  const [held] = await s.runs(id);
  // A message that is written after its period's file is in no file.
  await s.messages('Acme Retail', TODAY - 4 * DAY + HOUR, ['written too late']);
  s.time.now = NOON;
  await s.due(id);
  await s.run(id);
  const failing = await s.one<{ n: number }>(
    `SELECT count(*)::int AS n FROM scheduled_file WHERE id = $1 AND failing_since = $2`,
    [id, new Date(NOON - 2 * DAY).toISOString()],
  );
  assert.equal(failing.n, 1);
  await ssh!.start();
  await s.due(id);
  await s.run(id);
  const runs = await s.runs(id);
  assert.deepEqual(
    runs.map(({ state }) => state),
    ['sent', 'sent', 'sent', 'sent'],
  );
  assert.equal(runs[0]!.sha256, held!.sha256);
  assert.deepEqual(
    manifestsIn(folder).map((manifest) => manifest.sha256),
    runs.map((run) => run.sha256),
  );
});

test('a broken upload continues, and a damaged part is never renamed', { skip }, async () => {
  const { id, folder } = await add('broken', { texts: true });
  await confirm(id);
  await s.begin(id, TODAY - DAY);
  await s.messages(
    'Acme Retail',
    TODAY - HOUR,
    Array.from({ length: 900 }, () => randomBytes(1_500).toString('base64')),
  );
  await s.run(id);
  const [run] = await s.runs(id);
  const [manifest] = manifestsIn(folder);
  const final = join(folder, manifest!.file);
  const whole = readFileSync(final);
  const part = join(folder, `.${manifest!.file}.${run!.sha256!.slice(0, 16)}.part`);
  assert.ok(whole.length > 1_100_000, `${whole.length} bytes`);
  const again = async (left: Buffer) => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    writeFileSync(part, left);
    await s.owner.query(
      `UPDATE scheduled_file_run SET state = 'waiting', next_at = 'epoch' WHERE scheduled_file_id = $1`,
      [id],
    );
    await s.run(id);
    return (await s.runs(id))[0]!;
  };
  assert.equal((await again(whole.subarray(0, 1_060_000))).state, 'sent');
  assert.ok(readFileSync(final).equals(whole));
  const damaged = Buffer.from(whole.subarray(0, 1_060_000));
  damaged[10] = damaged[10]! ^ 255;
  assert.deepEqual([(await again(damaged)).error, readdirSync(folder)], ['interrupted', []]);
  await s.due(id);
  await s.run(id);
  assert.ok(readFileSync(final).equals(whole));
  truncateSync(final, 100);
  await s.owner.query(
    `UPDATE scheduled_file_run SET state = 'waiting', next_at = 'epoch' WHERE scheduled_file_id = $1`,
    [id],
  );
  await s.run(id);
  assert.equal((await s.runs(id))[0]!.error, 'other_file');
  assert.equal(readFileSync(final).length, 100);
});

test('a file is sent again with the same bytes, until its content is gone', { skip }, async () => {
  const { id, folder } = await add('again');
  await confirm(id);
  await s.begin(id, TODAY - DAY);
  await s.run(id);
  const listed = await s.corporate('GET', `/api/v1/scheduled-file-runs?scheduled_file_id=${id}`);
  const [run] = scheduledFileRuns.reply.parse(listed.body).data;
  assert.deepEqual([run!.state, run!.kept, run!.tries], ['sent', true, 1]);
  const bytes = readFileSync(join(folder, run!.file_name));
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const send = () => s.corporate('POST', `/api/v1/scheduled-file-runs/${run!.id}/send`);
  assert.equal((await send()).status, 202);
  await s.due(id);
  await s.run(id);
  assert.ok(readFileSync(join(folder, run!.file_name)).equals(bytes));
  await s.owner.query('UPDATE scheduled_file_run SET kept_path = NULL WHERE id = $1', [run!.id]);
  assert.equal((await send()).status, 409);
});

test('a wrong login, a bad folder and a private host have their own reasons', { skip }, async () => {
  const refused = await add('refused', { private_key: null, secret: 'not the password' });
  await confirm(refused.id);
  assert.deepEqual(await tried(refused.id), { fault: 'sign_in_refused', host_key: ssh!.host_key });
  writeFileSync(join(ssh!.folder, 'a-file'), '');
  const nowhere = await add('nowhere', { folder: join(ssh!.folder, 'a-file', 'below') });
  await confirm(nowhere.id);
  assert.ok(['folder_missing', 'refused'].includes(((await tried(nowhere.id)) as { fault: string }).fault));
  mkdirSync(join(ssh!.folder, 'ports'));
  const port = await add('port', { port: 25 });
  await s.owner.query(`UPDATE scheduled_file SET host = '10.0.0.1' WHERE id = $1`, [port.id]);
  assert.deepEqual(await tried(port.id), { fault: 'address_not_allowed', host_key: null });
});

test('only administrators of a corporation or the platform have scheduled files', async () => {
  const body = { name: 'x', destination: 's3', username: 'k', secret: 'long enough', bucket: 'b' };
  const url = { endpoint: 'https://s3.example.com' };
  const department = await s.api.as('department');
  assert.equal((await department('POST', '/api/v1/scheduled-files', { ...body, ...url })).status, 403);
  const clinic = await s.one<{ id: number }>(`SELECT id FROM corporation WHERE name = 'Green Valley Clinic'`);
  const foreign = await s.corporate('POST', '/api/v1/scheduled-files', { ...body, ...url, corporation_id: clinic.id });
  assert.equal(foreign.status, 422);
  // Without a corporation, a corporation's own person makes one for it, and never for the platform.
  const own = await s.corporate('POST', '/api/v1/scheduled-files', { ...body, ...url });
  assert.equal(scheduledFile.createOne.reply.parse(own.body).data.corporation_id, s.acme);
  for (const [field, wrong] of [
    ['endpoint', null],
    ['bucket', null],
    ['secret', null],
    ['endpoint', 'https://me:secret@example.com'],
  ] as const) {
    const answer = await s.corporate('POST', '/api/v1/scheduled-files', { ...body, ...url, name: 'y', [field]: wrong });
    assert.equal(answer.status, 422, field);
    assert.ok(JSON.stringify(answer.body).includes(`"${field}"`), JSON.stringify(answer.body));
  }
  const key = { destination: 'sftp', host: 'sftp.example.com', private_key: 'no key' };
  const answer = await s.corporate('POST', '/api/v1/scheduled-files', { ...body, ...key, name: 'z' });
  assert.ok(JSON.stringify(answer.body).includes('"private_key"'));
  const { stored } = await s.one<{ stored: string }>(`SELECT string_agg(f::text, ' ') AS stored FROM scheduled_file f`);
  assert.ok(!stored.includes('long enough') && !stored.includes('PRIVATE KEY'));
});
