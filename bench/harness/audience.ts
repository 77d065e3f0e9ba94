import { createWriteStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { reserveCost } from '../../apps/server/src/modules/campaigns/campaign-state.ts';
import { countQuoteJob, prepareCampaignJob } from '../../apps/server/src/modules/campaigns/index.ts';
import { insertCampaign } from '../../apps/server/src/modules/campaigns/insert-campaign.ts';
import { readConnectedConfig } from '../../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../../apps/server/src/platform/database/db.ts';
import { filePath, keepDraft, newDraft, newFile } from '../../apps/server/src/platform/files/files.ts';
import { enqueue, startEnqueuing } from '../../apps/server/src/platform/jobs/jobs.ts';
import { createLogger } from '../../apps/server/src/platform/log.ts';
import { prepareDatabase } from '../../apps/server/src/processes/prepare-database.ts';
import { campaignSchedule } from '../../packages/contract/src/campaigns/schedule.ts';
import type { Child } from './child.ts';
import { type House, tell } from './house.ts';
import { type BenchTenant, openTenant } from './tenant.ts';

/** Numbers on the corporation's blacklist; one in a hundred of the audience is among them. */
const BLACKLISTED = 1_000_000;
const LIMIT_MS = 600_000;
const TEXT =
  'Hi {name}, your order {param1} is on its way and will arrive before noon. Thank you for shopping with us.';

/** An audience in a file, and a worker that counts and prepares campaigns. */
export interface AudienceHouse {
  worker: Child;
  tenant: BenchTenant;
  database: ReturnType<typeof createDatabase>;
  /** Quotes the file; returns the quote and the seconds since its job was queued. */
  quote(): Promise<{ id: number; total_count: number; rejected_count: number; seconds: number }>;
  /** Makes a campaign of a quote, reserves its cost and queues its preparation, as the screen's button does. */
  send(quoteId: number): Promise<{ id: number; total_count: number; estimated_cost: number }>;
  /** Sends a campaign until its messages are written; returns the seconds since its job was queued. */
  prepare(quoteId: number): Promise<{ messages: number; seconds: number }>;
}

/** Yields rows as customers have them: one in twenty with its number in another spelling, one in a hundred twice. */
function* csv(rows: number): Generator<string> {
  yield 'number,name,param1\r\n';
  let text = '';
  for (let i = 0; i < rows; i++) {
    const place = i % 100 === 7 ? i - 1 : i;
    const digits = `9${String(100_000_000 + ((place * 7_919) % 900_000_000)).slice(-9)}`;
    const number = i % 20 === 3 ? `+63 ${digits.slice(0, 3)}-${digits.slice(3)}` : `63${digits}`;
    text += `${number},Person ${i % 5_000},A${i * 31}\r\n`;
    if (text.length > 60_000) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/**
 * Makes a tenant with a blacklist of a million numbers and a file of `rows` recipients, and starts a worker. Its link
 * leads to `carrier`, or to nobody.
 */
export async function openAudience(
  house: House,
  rows: number,
  profile?: string,
  carrier: { port: number; window: number } = { port: 9, window: 10 },
): Promise<AudienceHouse> {
  await prepareDatabase(house.postgres.url);
  const config = readConnectedConfig({ DATABASE_URL: house.postgres.url, DATA_DIR: house.folder, LOG_LEVEL: 'warn' });
  const pool = createPool(config, 'owner');
  const database = createDatabase(pool);
  house.closing.push(() => database.destroy());
  const enqueuing = await startEnqueuing(pool, createLogger(config, 'bench', process.stderr));
  house.closing.push(() => enqueuing.stop());
  const tenant = await openTenant(house.postgres.url, carrier.port, carrier.window);
  house.closing.push(() => tenant.client.end());
  const { corporation_id, user_id, billing_account_id } = tenant;
  const sender = await database
    .insertInto('sender_id')
    .values({ corporation_id, sender_id: 'Bench' })
    .returning('id')
    .executeTakeFirstOrThrow();
  tell(`loading a blacklist of ${BLACKLISTED.toLocaleString('en')} numbers`);
  await tenant.client.query(
    `INSERT INTO blacklist_number (corporation_id, number)
     SELECT $1, CASE WHEN i % 100 = 0 THEN '639' || right((100000000 + (i::bigint * 7919) % 900000000)::text, 9)
       ELSE '6388' || lpad(i::text, 8, '0') END
     FROM generate_series(1, $2::integer) AS i ON CONFLICT DO NOTHING`,
    [corporation_id, BLACKLISTED],
  );
  await tenant.client.query('VACUUM ANALYZE blacklist_number');
  tell(`writing a file of ${rows.toLocaleString('en')} rows`);
  const file_path = newFile('uploads', 'bin');
  await pipeline(Readable.from(csv(rows)), createWriteStream(await newDraft(config, file_path)));
  await keepDraft(config, file_path);
  const upload = await database
    .insertInto('upload')
    .values({
      corporation_id,
      user_id,
      file_name: 'bench.csv',
      file_path,
      size: statSync(filePath(config, file_path)).size,
      columns: JSON.stringify(['number', 'name', 'param1']),
      preview: '[]',
      mapping: JSON.stringify(['number', 'name', 'param1']),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const content = { content_type: 'single', sender_id: sender.id, file_id: upload.id, content: TEXT, sms_validity: 12 };
  const options = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const worker = await house.start('worker-process.ts', {}, options);

  const send = (quoteId: number) =>
    database.transaction().execute(async (db) => {
      const quote = await db.selectFrom('quote').selectAll().where('id', '=', quoteId).executeTakeFirstOrThrow();
      const campaign = await insertCampaign(db, quote, {
        name: 'Bench',
        state: 'preparing',
        schedule: campaignSchedule.parse({}),
        starts_at: null,
        ends_at: null,
        skip_blackout: true,
        asked_by: null,
        now: new Date(),
      });
      await reserveCost(db, campaign, user_id, new Date());
      await enqueue(db, prepareCampaignJob, { campaign_id: campaign.id });
      return campaign;
    });

  return {
    worker,
    tenant,
    database,
    send,
    async quote() {
      const started = performance.now();
      const { id } = await database.transaction().execute(async (db) => {
        const quote = await db
          .insertInto('quote')
          .values({
            corporation_id,
            user_id,
            billing_account_id,
            content: JSON.stringify(content),
            rejected_path: newFile('rejects', 'csv'),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await enqueue(db, countQuoteJob, { quote_id: quote.id });
        return quote;
      });
      const row = await until(
        () => database.selectFrom('quote').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        ({ state }) => state !== 'counting',
      );
      if (row.state !== 'ready' || row.rows_read !== rows || row.total_count + row.rejected_count !== rows) {
        throw new Error(`the quote does not add up: ${JSON.stringify({ ...row, samples: null, details: null })}`);
      }
      return { ...row, seconds: (performance.now() - started) / 1_000 };
    },
    async prepare(quoteId) {
      const started = performance.now();
      const { id } = await send(quoteId);
      const row = await until(
        () =>
          database
            .selectFrom('campaign')
            .selectAll()
            .select((eb) =>
              eb.exists(eb.selectFrom('campaign_part').where('campaign_id', '=', id).select('part')).as('half_written'),
            )
            .where('id', '=', id)
            .executeTakeFirstOrThrow(),
        ({ state, half_written }) => state !== 'preparing' && !half_written,
      );
      const seconds = (performance.now() - started) / 1_000;
      const written = await database
        .selectFrom('message')
        .select((eb) => eb.fn.countAll<number>().as('messages'))
        .where('campaign_id', '=', id)
        .executeTakeFirstOrThrow();
      if (row.state !== 'running' || written.messages !== row.total_count) {
        throw new Error(`the messages do not add up: ${JSON.stringify({ state: row.state, ...written })}`);
      }
      return { messages: written.messages, seconds };
    },
  };
}

async function until<Row>(read: () => Promise<Row>, done: (row: Row) => boolean): Promise<Row> {
  const started = performance.now();
  for (;;) {
    const row = await read();
    if (done(row)) return row;
    if (performance.now() - started > LIMIT_MS) throw new Error('it takes more than ten minutes');
    await sleep(50);
  }
}
