import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { embeddedAddress } from '@heliograph/installation/address';
import { StartError } from '@heliograph/installation/start-error';
import type pg from 'pg';
import { bookLines, holdAfterRestore, holdOf, releaseHold, restoreInstallation } from '#modules/operate';
import { type Config, readConfig } from '../platform/config/config.ts';
import { createPool } from '../platform/database/db.ts';
import { createLogger } from '../platform/log.ts';
import { failStart } from '../platform/process/shutdown.ts';
import { SENDING_JOBS } from './sending-jobs.ts';

// `npm run restore -- --from backups --data-dir empty-folder [--to-time 2026-01-31T08:00:00Z]` restores a backup.
// Nothing is sent after that until `npm run restore -- release`. `npm run restore -- hold` is for an operator's own
// PostgreSQL that was restored by its own tools.

const USAGE = `Usage, one of
  npm run restore -- --from folder --data-dir empty-folder [--to-time 2026-01-31T08:00:00Z] [--key secret.key]
  npm run restore -- status
  npm run restore -- release [--send-held]
  npm run restore -- hold --to-time 2026-01-31T08:00:00Z   (your own PostgreSQL, before Heliograph starts on it)`;

const say = (line: string) => void process.stdout.write(`${line}\n`);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        'data-dir': { type: 'string' },
        'to-time': { type: 'string' },
        key: { type: 'string' },
        'send-held': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${USAGE}`, 2);
  }
}

type Arguments = ReturnType<typeof readArguments>['values'];

/** Checks that a time has a zone, if there is a time: without one it would be read in this machine's zone. */
function timeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw new StartError(`"${text}" is not a time with a zone: write 2026-01-31T08:00:00Z, or …+08:00.`, 2);
  }
  if (Date.parse(text) > Date.now()) throw new StartError(`${text} is in the future.`, 2);
  return new Date(text).toISOString();
}

function tellHeld({
  paused,
  stopped,
  skipped_series,
  messages,
  tries_forgotten,
  jobs_cancelled,
}: Awaited<ReturnType<typeof holdAfterRestore>>) {
  say('Sending is on hold until you release it, because messages sent after that moment are not known here:');
  say(
    `  ${paused.length} campaigns are paused${paused.length > 0 ? ` (${paused.join(', ')})` : ''}, ${stopped.length} in preparation are stopped,`,
  );
  say(`  ${messages} messages outside campaigns are held, ${tries_forgotten} retries are dropped,`);
  say(
    `  ${jobs_cancelled} emails and texts to users are cancelled, ${skipped_series.length} due repetitions are skipped.`,
  );
}

async function restore(config: Config, values: Arguments): Promise<void> {
  const { from, 'data-dir': dataDir, key } = values;
  if (from === undefined || dataDir === undefined) throw new StartError(USAGE, 2);
  if (key !== undefined && !existsSync(key)) throw new StartError(`The file ${key} does not exist.`, 2);
  const started = performance.now();
  const target = resolve(dataDir);
  const request = { from: resolve(from), dataDir: target, toTime: timeOf(values['to-time']), tell: say };
  const restored = await restoreInstallation({ ...request, log: createLogger(config, 'restore') }, SENDING_JOBS);
  if (key !== undefined) await copyFile(key, join(target, 'secret.key'));
  say(
    `Restored ${target} in ${((performance.now() - started) / 1_000).toFixed(1)} s. It contains the changes up to ${restored.until}.`,
  );
  for (const line of bookLines(restored.books)) say(line);
  tellHeld(restored.held);
  if (!existsSync(join(target, 'secret.key')) && config.SECRET_KEY === undefined) {
    say(`BEFORE you start: copy the secret key to ${join(target, 'secret.key')}, or set SECRET_KEY. The backup`);
    say('does not contain it, and without it no password of a carrier can be read.');
  }
  say(`Next: DATA_DIR=${target} npm start; npm run doctor; look at the paused campaigns; npm run restore -- release;`);
  say('and create a new backup. See docs/operate/backup.md.');
  if (restored.books.contradictions > 0 || restored.books.activity_fault !== null) process.exitCode = 1;
}

async function withDatabase(config: Config, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const url = config.DATABASE_URL ?? embeddedAddress(config.DATA_DIR)?.url;
  if (url === undefined)
    throw new StartError(`${config.DATA_DIR} holds no database: set DATA_DIR, or DATABASE_URL.`, 2);
  const pool = createPool({ DATABASE_URL: url }, 'owner', { max: 1 });
  try {
    await pool.query('SELECT 1').catch((error: Error) => {
      throw new StartError(`The database cannot be reached: ${error.message}. Check that Heliograph is running.`);
    });
    await work(pool);
  } finally {
    await pool.end();
  }
}

async function status(pool: pg.Pool): Promise<void> {
  const hold = await holdOf(pool);
  if (!hold) return say('Nothing is on hold.');
  say(
    `Everything is on hold: the database was restored to ${hold.until}. ${hold.messages} messages outside campaigns wait.`,
  );
  say(
    'npm run restore -- release starts sending again, and lets those messages expire; with --send-held they are sent.',
  );
}

try {
  const config = readConfig();
  const { values, positionals } = readArguments();
  const [what = 'restore'] = positionals;
  const until = timeOf(values['to-time']);
  if (what === 'restore') await restore(config, values);
  else if (what === 'status') await withDatabase(config, status);
  else if (what === 'release') {
    await withDatabase(config, (pool) => releaseHold(pool, values['send-held']));
    say('Sending is released. Paused campaigns continue when a person resumes them.');
  } else if (what === 'hold' && until !== undefined) {
    await withDatabase(config, async (pool) => {
      tellHeld(await holdAfterRestore(pool, { until, now: new Date(), jobs: SENDING_JOBS }));
    });
  } else throw new StartError(USAGE, 2);
} catch (error) {
  failStart(error);
}
