import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { applyCard } from '../apps/server/src/modules/billing/apply-card.ts';
import { checkCard } from '../apps/server/src/modules/billing/check-card.ts';
import { priceLookup } from '../apps/server/src/modules/billing/index.ts';
import { systemClock } from '../apps/server/src/platform/clock.ts';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { keepDraft, newDraft, newFile } from '../apps/server/src/platform/files/files.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { prepareDatabase } from '../apps/server/src/processes/prepare-database.ts';
import { makeTenant } from '../apps/server/test/contacts/tenant.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';

// Measures a price card of 50,000 prefixes: from the stored file to the rates in force, then the first price (the card
// is read into memory), and then one more price.

const PREFIXES = 50_000;
const LOOKUPS = 5_000_000;
const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
const config = readConnectedConfig({ DATABASE_URL: postgres.url, DATA_DIR: folder });
const seconds = (since: number) => (performance.now() - since) / 1_000;

try {
  await prepareDatabase(postgres.url);
  const pool = createPool(config, 'owner');
  const owner = createDatabase(pool);
  const workers = createPool(config, 'worker');
  const tenant = await makeTenant(owner, 'Bench');
  const plan = await owner
    .insertInto('price_plan')
    .values({ name: 'Bench', type: 'prepaid_package', default_charge: 500 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const account = await owner
    .insertInto('billing_account')
    .values({ corporation_id: tenant.corporation_id, name: 'Bench', key: 'bench', price_plan_id: plan.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lines = Array.from(
    { length: PREFIXES },
    (_, i) => `WEB,${10_000_000 + i * 1_799},0.${100 + (i % 900)},2026-01-01`,
  );
  const text = `zone,prefix,charge,starts_on\n${lines.join('\n')}\n`;
  const file_path = newFile('uploads', 'bin');
  writeFileSync(await newDraft(config, file_path), text);
  await keepDraft(config, file_path);
  const upload = await owner
    .insertInto('task')
    .values({
      type: 'card_upload',
      kind: 'rate-cards',
      state: 'checking',
      price_plan_id: plan.id,
      user_id: tenant.user_id,
      file_name: 'card.csv',
      file_path,
      file_sha256: createHash('sha256').update(text).digest('hex'),
      error_path: newFile('rejects', 'csv'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const worker = { database: createDatabase(workers), config, clock: systemClock, log };
  const go = new AbortController().signal;

  const cpu = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 + postgresSeconds(folder);
  const before = cpu();
  let since = performance.now();
  await checkCard(worker, upload.id, go);
  const checking = seconds(since);
  await owner.updateTable('task').set({ state: 'applying', mode: 'merge' }).execute();
  since = performance.now();
  await applyCard(worker, upload.id, go);
  const applying = seconds(since);
  const spent = cpu() - before;
  const { count } = await owner
    .selectFrom('rate')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count !== PREFIXES) throw new Error(`${count} rates in place of ${PREFIXES}`);

  since = performance.now();
  const { priceOf } = await priceLookup(workers, account.id);
  const first = seconds(since);
  const numbers = Array.from({ length: 100_000 }, (_, i) =>
    String(10_000_000_000 + ((i * 7_919_333) % 90_000_000_000)),
  );
  let sum = 0;
  since = performance.now();
  for (let i = 0; i < LOOKUPS; i++) sum += priceOf(numbers[i % numbers.length]!);
  const lookup = (seconds(since) / LOOKUPS) * 1e6;
  if (sum === 0) throw new Error('no number had a price');

  report('rates', [
    { figure: 'seconds_for_50000', value: checking + applying, unit: 's' },
    { figure: 'check_seconds', value: checking, unit: 's' },
    { figure: 'apply_seconds', value: applying, unit: 's' },
    { figure: 'cpu_seconds', value: spent, unit: 's' },
    { figure: 'first_lookup_ms', value: first * 1_000, unit: 'ms' },
    { figure: 'lookup_us', value: lookup, unit: 'us' },
  ]);
  await Promise.all([pool.end(), workers.end()]);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
