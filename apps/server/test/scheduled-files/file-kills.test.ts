import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scheduledFile } from '@heliograph/contract/scheduled-files/scheduled-file';
import { startVictim } from '@heliograph/fault-kit';
import { FAILPOINT_VARIABLE } from '#platform/failpoints';
import { FILE_PLACES } from './file-places.ts';
import { noSshServer, startSshServer } from './ssh-server.ts';
import { DAY, fileStage, HOUR, manifestsIn, NOON, rowsIn } from './stage.ts';

const skip = noSshServer();
const TODAY = NOON - 12 * HOUR;

test('each period arrives once with one content, wherever a worker dies', { skip }, async () => {
  const s = await fileStage({ after });
  const ssh = await startSshServer({ after });
  const made = await s.corporate('POST', '/api/v1/scheduled-files', {
    name: 'Killed',
    wait_hours: 1,
    texts: true,
    destination: 'sftp',
    host: '127.0.0.1',
    port: ssh.port,
    folder: ssh.folder,
    username: ssh.username,
    private_key: ssh.private_key,
  });
  const { id } = scheduledFile.createOne.reply.parse(made.body).data;
  await s.owner.query('UPDATE scheduled_file SET host_key = $2 WHERE id = $1', [id, ssh.host_key]);
  const days = FILE_PLACES.length;
  await s.begin(id, TODAY - days * DAY);
  const ids: number[] = [];
  for (let day = days; day >= 1; day--) {
    const texts = Array.from({ length: 200 }, () => randomBytes(1_500).toString('base64'));
    ids.push(...(await s.messages('Acme Retail', TODAY - day * DAY + HOUR, texts)));
  }
  const victim = (now: number, variables: Record<string, string>) =>
    startVictim(join(import.meta.dirname, 'worker-process.ts'), {
      environment: {
        DATABASE_URL: s.api.database.url,
        DATA_DIR: s.api.config.DATA_DIR,
        LOG_LEVEL: 'silent',
        NODE_ENV: 'test',
        PRIVATE_TARGETS: '127.0.0.0/8',
        FILE_NOW: String(now),
        FILE_ID: String(id),
        ...variables,
      },
    });
  for (const [at, [place, visit]] of FILE_PLACES.entries()) {
    const now = TODAY - (days - 1 - at) * DAY + 2 * HOUR;
    const { gone } = await victim(now, { [FAILPOINT_VARIABLE]: `${place}:${visit}` });
    assert.equal(await gone, 'SIGKILL', place);
    // A name without a dot has all of its content, also before the manifest is there.
    for (const name of readdirSync(ssh.folder).filter((each) => /^messages.*gz$/.test(each)))
      assert.ok(rowsIn(readFileSync(join(ssh.folder, name))).length >= 200, place);
    await s.messages('Acme Retail', TODAY - (days - at) * DAY + 2 * HOUR, [`late, after ${place}`]);
  }
  assert.equal(await (await victim(NOON, {})).gone, null);
  const runs = await s.runs(id);
  assert.deepEqual(
    runs.map(({ state }) => state),
    FILE_PLACES.map(() => 'sent'),
  );
  const manifests = manifestsIn(ssh.folder);
  assert.deepEqual(
    manifests.map(({ sha256, previous_sha256 }) => [sha256, previous_sha256]),
    runs.map(({ sha256 }, place) => [sha256, runs[place - 1]?.sha256 ?? null]),
  );
  const rows = manifests.flatMap(({ file }) => rowsIn(readFileSync(join(ssh.folder, file))));
  const sent = rows.filter((row) => !row['text']!.startsWith('late')).map((row) => Number(row['id']));
  assert.deepEqual(sent.sort(), ids.sort());
  assert.equal(readdirSync(ssh.folder).length, 2 * days);
});
