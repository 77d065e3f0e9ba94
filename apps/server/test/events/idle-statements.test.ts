import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Statements by their text, with the values and the role of their last run. */
const seen = new Map<string, { role: string; values: unknown[]; times: number }>();
const query = pg.Client.prototype.query as (this: pg.Client, ...values: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, statement: unknown, ...rest: unknown[]) {
  const { text, values } =
    typeof statement === 'string' ? { text: statement, values: rest[0] } : (statement as Partial<pg.QueryConfig>);
  const { application_name } = (this as unknown as { connectionParameters: { application_name?: string } })
    .connectionParameters;
  const role = /^heliograph (worker|sender|api|auth|intake)$/.exec(application_name ?? '')?.[1];
  if (role && text && /^\s*(SELECT|UPDATE|DELETE|WITH)/i.test(text)) {
    const times = (seen.get(text)?.times ?? 0) + 1;
    seen.set(text, { role, values: Array.isArray(values) ? values : [], times });
  }
  return query.call(this, statement, ...rest);
} as typeof pg.Client.prototype.query;

const { startTestApi } = await import('../test-api.ts');
const { startWorker } = await import('../../src/processes/worker.ts');
const { startSender } = await import('../../src/processes/sender.ts');
const { startSmppServer } = await import('../../src/processes/smpp-server.ts');

const api = await startTestApi({ after }, { settings: { SMPP_SERVER_PORT: '0' } });
const owner = api.database.pool('owner');

/** Copies a row of a table many times. `set` gives the columns that differ, as SQL of `n` and of the row `t`. */
async function multiply(table: string, times: number, where: string, set: Record<string, string>): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  await owner.query(
    `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${names.map((name) => set[name] ?? `t.${name}`).join(', ')}
     FROM generate_series(1, ${times}) n, (SELECT * FROM ${table} WHERE ${where} LIMIT 1) t`,
  );
}

/** Maximum number of 8 kB pages a statement may read, at any size of the tables; they take a millisecond at most. */
const MOST_PAGES = 100;
/** Time to listen; even the rarest statement of a timer that runs every second comes a few times meanwhile. */
const LISTEN_MS = 12_000;

interface Explained {
  'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
}

async function pagesOf(client: pg.PoolClient, text: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<Explained>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
  const { Plan } = rows[0]!['QUERY PLAN'][0];
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
}

test('no statement that a timer runs reads more than a few pages when idle', async () => {
  await owner.query(`INSERT INTO event (corporation_id, type, tx, created_at)
    SELECT 1, 'message.delivered', (n / 100 + 3)::text::xid8, now() - interval '1 day' FROM generate_series(1, 60000) n`);
  const yesterday = '((extract(epoch FROM now())::bigint / 86400 - 1) << 28)';
  await multiply('chunk', 60_000, 'settled', { id: `${yesterday} + 1000000 + n` });
  await multiply('campaign', 40_000, "state = 'completed'", { id: '1000000 + n' });
  await multiply('campaign_counter', 40_000, 'true', { campaign_id: '1000000 + n' });
  await multiply('inbound_message', 30_000, 'true', { id: '1000000 + n' });
  await multiply('receipt', 30_000, 'message_id IS NOT NULL', { received_at: "now() - n * interval '1 second'" });
  await owner.query(`INSERT INTO jobs.job (name, state, data, created_on, completed_on)
    SELECT 'import-numbers', 'completed', '{}', now() - interval '1 hour', now() FROM generate_series(1, 30000)`);
  // The tables are left as autovacuum leaves them. Then an index can answer without its table, and may be read as a
  // whole.
  await owner.query('VACUUM ANALYZE');
  const context = { config: api.config, log: api.log };
  const processes = [await startWorker(context), await startSender(context), await startSmppServer(context)];
  after(async () => {
    for (const each of processes) await each.stop();
  });
  await sleep(LISTEN_MS);
  assert.ok(seen.size > 50, `${seen.size} statements`);
  assert.ok([...seen.keys()].some((text) => text.includes('FROM event e')));
  const large: string[] = [];
  const client = await owner.connect();
  after(() => client.release());
  for (const [text, { role, values, times }] of seen) {
    if (times < 2) continue;
    await client.query('BEGIN');
    try {
      await client.query(`SET LOCAL ROLE heliograph_${role}`);
      // The first run of a session reads the catalog as well.
      await pagesOf(client, text, values);
      const pages = await pagesOf(client, text, values);
      if (pages > MOST_PAGES) large.push(`${pages} pages, ${times} times, ${role}: ${text.replaceAll(/\s+/g, ' ')}`);
    } finally {
      await client.query('ROLLBACK');
    }
  }
  assert.deepEqual(large, []);
});
