import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { type NetworkTable, readNetworks } from '#modules/networks';
import type { ConnectedConfig } from '#platform/config/config';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { failpoint } from '#platform/failpoints';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { OutboundAgent } from '#platform/outbound/agent';
import { open, secretKey } from '#platform/process/seal';
import type { Asked, LookupAnswer, Source } from './drivers/answer.ts';
import { askEnum } from './drivers/enum.ts';
import { askHttp } from './drivers/http.ts';

/** Job that asks services for the numbers that wait. It has no data: the numbers are in a table of their own. */
export const lookUpNumbersJob = defineJob('look-up-numbers', z.object({}));

/** Numbers that one step asks for. */
const AT_ONCE = 1_000;
/** Calls of one service under way at the same time. */
const CALLS_AHEAD = 4;

/** Returns the context in which a source's header is sealed. */
export const authorizationContext = (id: number) => `number_source.authorization.${id}`;

const SIMULATOR = {
  batch_size: 100,
  items_path: 'data',
  number_path: 'number',
  mcc_path: 'mcc',
  mnc_path: 'mnc',
  state_path: 'state',
  dead_values: ['dead'],
} as const;

type Asking = { config: ConnectedConfig; agent: OutboundAgent };

/** Asks a source for numbers: at most as many as `batch_size` in a call. */
async function askSource({ config, agent }: Asking, source: Source, numbers: readonly string[]): Promise<Asked> {
  if (source.driver === 'enum') return askEnum(config, source, numbers);
  if (source.driver === 'simulator') {
    // The simulator of this installation is on this machine, where no other address of a service may be.
    const own = new OutboundAgent({ PRIVATE_TARGETS: ['127.0.0.1/32'] });
    const url = `http://127.0.0.1:${config.SIMULATOR_HTTP_PORT}/api/lookups?numbers={numbers}`;
    return askHttp(own, { ...source, ...SIMULATOR, url }, numbers, null).finally(() => own.close());
  }
  const sealed = source.authorization_sealed;
  const authorization = sealed === null ? null : open(secretKey(config), sealed, authorizationContext(source.id));
  return askHttp(agent, source, numbers, authorization);
}

const batchOf = ({ driver, batch_size }: Source) =>
  driver === 'enum' ? AT_ONCE : driver === 'simulator' ? SIMULATOR.batch_size : batch_size;

/**
 * Asks a source for numbers within its budgets, in batches, and keeps the answers. Answers those by number, how many the
 * budgets allowed, and the fault if the service failed; then it is not asked further.
 */
export async function askWithin(
  asking: Asking,
  database: Kysely<Database>,
  source: Source,
  numbers: readonly string[],
  networks: NetworkTable,
): Promise<Asked & { taken: number }> {
  const answers = new Map<string, LookupAnswer>();
  let [taken, fault] = [0, null as string | null];
  const size = batchOf(source);
  for (let start = 0; start < numbers.length && fault === null; start += size * CALLS_AHEAD) {
    const wanted = numbers.slice(start, start + size * CALLS_AHEAD);
    // The budget is taken before the call: a crash in between never leads to more calls than it allows.
    const { rows } = await sql<{ taken: number }>`SELECT take_lookups(${source.id}, ${wanted.length}) AS taken`.execute(
      database,
    );
    const allowed = wanted.slice(0, rows[0]!.taken);
    taken += allowed.length;
    failpoint('lookup.budget-taken');
    const batches = Array.from({ length: Math.ceil(allowed.length / size) }, (_, nth) =>
      allowed.slice(nth * size, (nth + 1) * size),
    );
    for (const asked of await Promise.all(batches.map((batch) => askSource(asking, source, batch)))) {
      fault ??= asked.fault;
      for (const [number, answer] of asked.answers) answers.set(number, answer);
    }
    await keepAnswers(database, source.id, answers, networks);
    if (allowed.length < wanted.length) break;
  }
  return { answers, fault, taken };
}

/** Keeps answers in place of older ones, and counts them. */
async function keepAnswers(
  database: Kysely<Database>,
  source: number,
  answers: ReadonlyMap<string, LookupAnswer>,
  networks: NetworkTable,
): Promise<void> {
  if (answers.size === 0) return;
  const rows = [...answers].map(([msisdn, { code, dead }]) => ({
    msisdn,
    network_id: code ? (networks.byCode(...code)?.id ?? null) : null,
    dead,
  }));
  await sql`
    WITH kept AS (
      INSERT INTO number_lookup AS l (msisdn, number_source_id, network_id, dead)
      SELECT msisdn, ${source}, network_id, dead
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (msisdn text, network_id bigint, dead boolean)
      ORDER BY msisdn
      ON CONFLICT (msisdn) DO UPDATE SET number_source_id = excluded.number_source_id, network_id = excluded.network_id,
        dead = excluded.dead, looked_up_at = now()
    )
    UPDATE number_source_use SET answered = answered + ${rows.length}
    WHERE number_source_id = ${source} AND day = (now() AT TIME ZONE 'UTC')::date`.execute(database);
}

/** Notes numbers without a lookup, and lets a worker ask for them. Nothing waits for the answers. */
export async function wantLookups(db: Kysely<Database>, numbers: readonly string[]): Promise<void> {
  const { rows } = await sql<{ wanted: number }>`SELECT want_lookups(${numbers}::text[]) AS wanted`.execute(db);
  if (rows[0]!.wanted > 0) await enqueue(db, lookUpNumbersJob, {});
}

/** Asks the services for all numbers that wait, each only for those that the ones before it do not know. */
export async function lookUpNumbers(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const agent = new OutboundAgent(config);
  try {
    for (;;) {
      signal.throwIfAborted();
      const { rows } = await sql<{ msisdn: string }>`
        DELETE FROM number_wanted WHERE msisdn IN (
          SELECT msisdn FROM number_wanted ORDER BY wanted_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
        ) RETURNING msisdn`.execute(database);
      if (rows.length === 0) return;
      let open_ = rows.map(({ msisdn }) => msisdn);
      const networks = await readNetworks((text, values) => rowsOf(database, text, values));
      const sources = await database
        .selectFrom('number_source')
        .selectAll()
        .where('enabled', '=', true)
        .where('driver', '!=', 'dump')
        .orderBy('position')
        .orderBy('id')
        .execute();
      for (const source of sources) {
        const mine = open_.filter((number) => number.startsWith(source.prefix));
        if (mine.length === 0) continue;
        const { answers, fault } = await askWithin({ config, agent }, database, source as Source, mine, networks);
        if (fault) log.warn({ number_source_id: source.id, fault }, 'number lookup failed');
        open_ = open_.filter((number) => !answers.get(number)?.code && answers.get(number)?.dead !== true);
      }
    }
  } finally {
    await agent.close();
  }
}
