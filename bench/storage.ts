import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeDay } from '../apps/server/src/modules/reports/index.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { type House, inHouse, type Line, openLine, ownSession, reached, run, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { pass } from './harness/pass.ts';
import { type Figure, report } from './harness/report.ts';
import { queueMessages } from './harness/tenant.ts';

// Measures the octets that a finished message leaves, by table and by its indexes, before and after its day is closed:
// of one large campaign, and of many campaigns of a few messages. The ledger is part of them.

const { count, small, each } = readOptions({ count: 200_000, small: 10_000, each: 5 });
const LIMIT_SECONDS = 120;
/** Tables with less than this many octets a message are added up as others. */
const SMALLEST = 0.5;

// Partitions count for their table.
const SIZES = `
  SELECT regexp_replace(c.relname, '_\\d{8}$', '') AS name,
    sum(pg_table_size(c.oid))::float8 AS rows, sum(pg_indexes_size(c.oid))::float8 AS indexes
  FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1`;

type Sizes = Map<string, { rows: number; indexes: number }>;

async function readSizes(client: pg.Client): Promise<Sizes> {
  await client.query('VACUUM (ANALYZE)');
  const { rows } = await client.query<{ name: string; rows: number; indexes: number }>(SIZES);
  return new Map(rows.map(({ name, ...sizes }) => [name, sizes]));
}

/** Returns what was added for each message, the largest first, and the sum. */
function octets(label: string, before: Sizes, after: Sizes, messages: number): Figure[] {
  const added = [...after]
    .flatMap(([name, size]) => {
      const was = before.get(name) ?? { rows: 0, indexes: 0 };
      return [
        { name, octets: (size.rows - was.rows) / messages },
        { name: `${name}_indexes`, octets: (size.indexes - was.indexes) / messages },
      ];
    })
    .sort((a, b) => b.octets - a.octets);
  const large = added.filter((part) => part.octets >= SMALLEST);
  const sum = (parts: typeof added) => parts.reduce((all, part) => all + part.octets, 0);
  const figure = (name: string, value: number) => ({ figure: `${label}_${name}`, value, unit: 'B' });
  return [
    figure('octets', sum(added)),
    ...large.map((part) => figure(part.name, part.octets)),
    figure('others', sum(added) - sum(large)),
  ];
}

/** Sends campaigns of a few messages, all at the same time. */
async function sendSmall(line: Line): Promise<void> {
  const campaigns: number[] = [];
  for (let i = 0; i < small / each; i++) campaigns.push(await queueMessages(line.tenant, each));
  for (const id of campaigns) await run(line.tenant, id);
  for (const id of campaigns) await reached(line.tenant, id, 'delivered', each, LIMIT_SECONDS);
}

/** Waits for the end of the campaigns, and settles the chunks as the daily sweep does: both belong to the open day. */
async function settle(client: pg.Client): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query(`SELECT FROM campaign WHERE state = 'running' LIMIT 1`);
    if (rows.length === 0) break;
    if (tries === 100) throw new Error('a campaign did not end');
    await sleep(300);
  }
  await client.query(`UPDATE chunk SET settled = true, state = 'done' WHERE NOT settled`);
}

/** Closes all days with messages, and returns the milliseconds that it took. */
async function close(house: House, client: pg.Client): Promise<number> {
  const pool = createPool({ DATABASE_URL: house.postgres.url }, 'worker');
  const { rows } = await client.query<{ day: string }>(
    `SELECT DISTINCT (date '1970-01-01' + (id >> 28)::integer)::text AS day FROM chunk`,
  );
  const started = performance.now();
  for (const { day } of rows) {
    if (!(await closeDay(createDatabase(pool), day, new AbortController().signal)))
      throw new Error(`${day} changed while it was closed`);
  }
  await pool.end();
  return performance.now() - started;
}

// Each kind has an installation of its own, so that its day holds nothing else.
const kinds = {
  large: { messages: count, send: (house: House, line: Line) => pass(house, line, count) },
  small: { messages: small, send: (_house: House, line: Line) => sendSmall(line) },
};
const figures: Figure[] = [];
for (const [label, { messages, send }] of Object.entries(kinds))
  await inHouse(async (house) => {
    const carrier = await house.start('simulator-process.ts');
    const line = await openLine(house, carrier);
    const client = await ownSession(house);
    // Pages that every table begins with, and partitions, are there before anything is counted.
    await pass(house, line, 1_000);
    await settle(client);
    tell(`${label}: sending ${messages.toLocaleString('en')} messages`);
    const before = await readSizes(client);
    await send(house, line);
    await settle(client);
    const sent = await readSizes(client);
    tell('closing the day');
    const seconds = (await close(house, client)) / 1_000;
    figures.push(...octets(`${label}_open`, before, sent, messages));
    figures.push(...octets(`${label}_closed`, before, await readSizes(client), messages));
    figures.push({ figure: `${label}_closing_us_per_message`, value: (seconds / messages) * 1e6, unit: 'µs' });
  });
report('storage', figures);
