import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@heliograph/installation/postgres';
import pg from 'pg';
import { wakeSenders } from '../../apps/server/src/modules/delivery/index.ts';
import { connectionSettings } from '../../apps/server/src/platform/database/db.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { createLogger } from '../../apps/server/src/platform/log.ts';
import { SENDER_NODE_OPTIONS } from '../../apps/server/src/platform/process/node-options.ts';
import { type Child, startChild } from './child.ts';
import { type BenchTenant, openTenant } from './tenant.ts';

/** Parts that a benchmark has started; they are closed in reverse order, also on Ctrl-C. */
export interface House {
  /** Folder of the database and other files; removed at the end. */
  folder: string;
  postgres: EmbeddedPostgres;
  /** Starts a file of this folder as its own process. */
  start(file: string, environment?: Record<string, string>, nodeOptions?: readonly string[]): Promise<Child>;
  /** Steps that run before the database is stopped. */
  closing: (() => Promise<unknown>)[];
}

/** Reports the progress of a benchmark on stderr. */
export const tell = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs a benchmark over its own migrated database, and cleans everything up in every case. */
export async function inHouse(work: (house: House) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
  const closing: House['closing'] = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      for (const each of closing.reverse()) await each().catch((error: Error) => tell(`clearing up: ${error.message}`));
      rmSync(folder, { recursive: true, force: true });
    })();
    return closed;
  };
  const interrupt = () => {
    tell('interrupted: clearing up');
    void close().then(() => process.exit(130));
  };
  // The reader of the figures may close the pipe early, and everything must be cleaned up all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
    closing.push(() => postgres.stop());
    await migrate({ url: postgres.url });
    await work({
      folder,
      postgres,
      closing,
      async start(file, environment = {}, nodeOptions = []) {
        const base = { DATABASE_URL: postgres.url, DATA_DIR: folder, LOG_LEVEL: 'warn' };
        const child = await startChild(file, { ...base, ...environment }, nodeOptions);
        closing.push(() => child.stop());
        return child;
      },
    });
  } catch (error) {
    // A failure during the cleanup after an interruption is not reported.
    if (!closed) {
      const { name, message, stack } = error as Error;
      tell(name === 'Error' ? `It failed: ${message}.` : String(stack));
      process.exitCode = 1;
    }
  } finally {
    await close();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

/** Opens another session of the database's owner, which ends with the house. */
export async function ownSession(house: House): Promise<pg.Client> {
  const client = new pg.Client(connectionSettings({ DATABASE_URL: house.postgres.url }, 'owner'));
  // Without a listener, the loss of the database would end the process before its cleanup.
  client.on('error', () => undefined);
  await client.connect();
  house.closing.push(() => client.end());
  return client;
}

/** A tenant with a link to a carrier, and a sender that is bound to it. */
export interface Line {
  tenant: BenchTenant;
  carrier: Child;
  sender: Child;
}

const BIND_MS = 30_000;

/** Starts a sender for a new tenant's link to the carrier, and waits until it is bound. */
export async function openLine(
  house: House,
  carrier: Child,
  {
    window = 2_000,
    profile,
    rate = null,
  }: { window?: number; profile?: string | undefined; rate?: number | null } = {},
): Promise<Line> {
  const tenant = await openTenant(house.postgres.url, carrier.ready.port!, window);
  await tenant.client.query('UPDATE link SET rate = $1 WHERE id = $2', [rate, tenant.link_id]);
  house.closing.push(() => tenant.client.end());
  return { tenant, carrier, sender: await openSender(house, carrier, profile) };
}

/** Starts a sender and waits until it is bound to the carrier. */
export async function openSender(house: House, carrier: Child, profile?: string): Promise<Child> {
  const sender = await house.start('sender-process.ts', {}, [
    ...SENDER_NODE_OPTIONS,
    ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []),
  ]);
  for (let waited = 0; (await carrier.ask('counts')).binds === 0; waited += 50) {
    if (waited > BIND_MS) throw new Error('the sender did not bind to the carrier within 30 s');
    await sleep(50);
  }
  return sender;
}

/** Starts a queued campaign. */
export async function run({ client }: BenchTenant, campaignId: number): Promise<void> {
  await client.query(`UPDATE campaign SET state = 'running', started_at = now() WHERE id = $1`, [campaignId]);
  await wakeSenders(client);
}

/** Counters of a campaign that a benchmark waits for. */
export type Counter = 'submitted' | 'delivered';

/**
 * Waits until a campaign's counter has reached `count`; looks every 50 ms and calls `onLook` with the value. Throws if
 * it takes more than `limitSeconds`, or if nothing moves for a minute.
 */
export async function reached(
  { client }: BenchTenant,
  campaignId: number,
  counter: Counter,
  count: number,
  limitSeconds: number,
  onLook: (value: number) => void = () => undefined,
): Promise<void> {
  const started = performance.now();
  let [last, movedAt] = [-1, started];
  for (;;) {
    const { rows } = await client.query<Record<Counter, number>>(
      'SELECT submitted, delivered FROM campaign_counter WHERE campaign_id = $1',
      [campaignId],
    );
    const value = rows[0]![counter];
    onLook(value);
    if (value >= count) return;
    const now = performance.now();
    if (value !== last) [last, movedAt] = [value, now];
    const only = `${value.toLocaleString('en')} of ${count.toLocaleString('en')} messages are ${counter}`;
    if (now - started > limitSeconds * 1_000) throw new Error(`only ${only} after ${limitSeconds} s`);
    if (now - movedAt > 60_000) throw new Error(`${only}, and nothing has moved for a minute`);
    await sleep(50);
  }
}
