import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { scheduledFile } from '@heliograph/contract/scheduled-files/scheduled-file';
import { clientOf, noObjectStorage, startObjectStorage } from '../operate/object-storage.ts';
import { DAY, fileStage, HOUR, type Manifest, NOON, rowsIn } from './stage.ts';

const skip = noObjectStorage();
const s = await fileStage({ after });
const TODAY = NOON - 12 * HOUR;

test('files of a bucket arrive with a manifest, and a different object stays', { skip }, async (t) => {
  const storage = await startObjectStorage(t);
  const client = clientOf(storage);
  t.after(() => client.destroy());
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: username } = storage;
  const add = async (name: string, body: object = {}) => {
    const made = await s.corporate('POST', '/api/v1/scheduled-files', {
      name,
      wait_hours: 1,
      every: 'day',
      texts: true,
      destination: 's3',
      endpoint,
      bucket,
      folder: `cdr/${name}`,
      username,
      secret: storage.S3_SECRET_ACCESS_KEY,
      ...body,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return scheduledFile.createOne.reply.parse(made.body).data.id;
  };
  const tried = async (id: number) =>
    ((await s.corporate('POST', `/api/v1/scheduled-files/${id}/test`)).body as { data: { fault: string | null } }).data
      .fault;
  const keysOf = async (name: string) =>
    ((await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `cdr/${name}/` }))).Contents ?? []).map(
      ({ Key }) => Key!,
    );
  const read = async (Key: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
    return Buffer.from(await Body!.transformToByteArray());
  };

  const id = await add('good');
  assert.equal(await tried(id), null);
  assert.equal(await tried(await add('login', { secret: 'wrong secret' })), 'sign_in_refused');
  assert.equal(await tried(await add('place', { bucket: 'no-such-bucket' })), 'bucket_missing');

  await s.begin(id, TODAY - DAY);
  // Larger than one part of an upload.
  const texts = Array.from({ length: 1_000 }, () => randomBytes(7_000).toString('base64'));
  const ids = await s.messages('Acme Retail', TODAY - HOUR, texts);
  await s.run(id);
  const keys = await keysOf('good');
  assert.deepEqual(
    keys.map((key) => key.replace(/^.*_/, '')),
    ['20270309T160000Z.csv.gz', '20270309T160000Z.json'],
  );
  const manifest = JSON.parse((await read(keys[1]!)).toString()) as Manifest;
  const rows = rowsIn(await read(keys[0]!));
  assert.deepEqual([manifest.rows, rows.length], [ids.length, ids.length]);

  const other = await add('other');
  await s.begin(other, TODAY - DAY);
  await s.run(id);
  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  await client.send(
    new PutObjectCommand({ Bucket: bucket, Key: keys[0]!.replace('/good/', '/other/'), Body: 'of somebody else' }),
  );
  await s.run(other);
  assert.equal((await s.runs(other))[0]!.error, 'other_file');
  assert.equal((await read((await keysOf('other'))[0]!)).toString(), 'of somebody else');
});
