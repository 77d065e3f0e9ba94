import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';

// Runs pg_basebackup as far as the guides use it. The embedded programs lack it, and Debian has it only for an older
// PostgreSQL. It makes the real BASE_BACKUP of the replication protocol, into a folder.

const { values } = parseArgs({
  options: {
    dbname: { type: 'string', short: 'd' },
    pgdata: { type: 'string', short: 'D' },
    'wal-method': { type: 'string', short: 'X' },
    slot: { type: 'string', short: 'S' },
    'write-recovery-conf': { type: 'boolean', short: 'R' },
    progress: { type: 'boolean', short: 'P' },
    checkpoint: { type: 'string', short: 'c' },
  },
});
const { dbname, pgdata } = values;
if (!pgdata || values['wal-method'] !== 'stream') throw new Error('-D and -X stream are wanted');

/** Returns where to connect: words such as `host=10.0.0.1`, else the socket of this machine. */
function connection(): pg.ClientConfig & Record<string, unknown> {
  if (!dbname) return {};
  const words = Object.fromEntries(dbname.split(' ').map((word) => word.split('=') as [string, string]));
  return { ...words, port: Number(process.env['PGPORT']), password: process.env['PGPASSWORD'] };
}

const client = new pg.Client({ ...connection(), replication: 'true' } as pg.ClientConfig);
await client.connect();
mkdirSync(pgdata, { recursive: true, mode: 0o700 });
const tar = spawn('tar', ['-C', pgdata, '-xpf', '-'], { stdio: ['pipe', 'inherit', 'inherit'] });
// It ends with the archive, which may be before the connection does.
const ended = once(tar, 'exit');
const manifest: Buffer[] = [];
let isManifest = false;
(client as unknown as { connection: NodeJS.EventEmitter }).connection.on('copyData', ({ chunk }: { chunk: Buffer }) => {
  const kind = String.fromCharCode(chunk[0]!);
  if (kind === 'm') isManifest = true;
  if (kind !== 'd') return;
  const bytes = Buffer.from(chunk.subarray(1));
  if (isManifest) manifest.push(bytes);
  else tar.stdin.write(bytes);
});
await client.query(
  `BASE_BACKUP (LABEL 'guide', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`,
);
await client.end();
tar.stdin.end();
const [status] = await ended;
if (status !== 0) throw new Error(`tar ended with ${status}`);
writeFileSync(join(pgdata, 'backup_manifest'), Buffer.concat(manifest));
if (values['write-recovery-conf']) {
  const { host, port, user, application_name } = connection();
  const words = { user, password: process.env['PGPASSWORD'], host, port, application_name };
  const conninfo = Object.entries(words).map(([name, value]) => `${name}=${value}`);
  appendFileSync(
    join(pgdata, 'postgresql.auto.conf'),
    `primary_conninfo = '${conninfo.join(' ')}'\nprimary_slot_name = '${values.slot}'\n`,
  );
  writeFileSync(join(pgdata, 'standby.signal'), '');
}
if (values.progress) process.stdout.write('100%\n');
