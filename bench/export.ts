import { exportTransactions } from '../apps/server/src/modules/reports/export-transactions.ts';
import { systemClock } from '../apps/server/src/platform/clock.ts';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { callerOf, makeSendingTenant } from '../apps/server/test/campaigns/stage.ts';
import { inHouse, ownSession } from './harness/house.ts';
import { makeMessages } from './harness/made-messages.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';

// Measures the export of a month of messages into a CSV on the disk, with the worker's own code in this process.

const { messages } = readOptions({ messages: 2_000_000 });
const DAYS = 28;
const dateBefore = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

await inHouse(async (house) => {
  const config = readConnectedConfig({ DATABASE_URL: house.postgres.url, DATA_DIR: house.folder });
  const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
  const owner = createDatabase(createPool(config, 'owner'));
  const pool = createPool(config, 'worker');
  const database = createDatabase(pool);
  house.closing.push(() => Promise.all([owner.destroy(), database.destroy()]));
  const tenant = await makeSendingTenant(owner);
  const link = await owner
    .insertInto('link')
    .values({ name: 'Carrier', host: 'localhost', port: 2775, system_id: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await makeMessages(await ownSession(house), {
    tenants: [{ ...tenant, sender_id: 'LAMPS' }],
    link_id: link.id,
    messages,
    days: DAYS,
  });
  const caller = callerOf(tenant, 'corporate_admin', { scope_level: 2, department_id: null });
  const { id } = await owner
    .insertInto('task')
    .values({
      type: 'download',
      corporation_id: tenant.corporation_id,
      user_id: tenant.user_id,
      kind: 'transactions',
      parameters: JSON.stringify({ from: dateBefore(DAYS), to: dateBefore(0), locale: 'en' }),
      download_file: 'transactions.csv',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  let rss = 0;
  const watch = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage.rss());
  }, 50);
  const started = performance.now();
  await exportTransactions(
    { pool, database, config, clock: systemClock, log },
    async () => caller,
    id,
    new AbortController().signal,
  );
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  const { rows, size, state } = await owner
    .selectFrom('task')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (state !== 'done') throw new Error(`the export is ${state}`);
  report('export', [
    { figure: 'rows_per_second', value: rows / seconds, unit: '1/s (over 100,000)' },
    { figure: 'rss_mb', value: rss / 2 ** 20, unit: 'MB (under 250)' },
    { figure: 'rows', value: rows, unit: '' },
    { figure: 'file_mb', value: (size ?? 0) / 2 ** 20, unit: 'MB' },
  ]);
});
