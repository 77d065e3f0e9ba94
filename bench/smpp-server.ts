import { pay } from '../apps/server/src/modules/billing/index.ts';
import { hashPassword } from '../apps/server/src/modules/identity/index.ts';
import { encodeGsm, openSession, type Session } from '../packages/smpp/src/index.ts';
import { inHouse, tell } from './harness/house.ts';
import { type Calm, calmNeighbours, floodingNeighbour } from './harness/neighbours.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';
import { openTenant } from './harness/tenant.ts';

// Measures submits of customers' programs over SMPP, each answered after its commit: checked, priced, reserved and
// written as a message. No sender runs, because `pipeline` measures the sending of messages.

const {
  count,
  binds,
  window,
  neighbours,
  seconds: calmSeconds,
  rounds,
} = readOptions({ count: 200_000, binds: 10, window: 1_000, neighbours: 100, seconds: 5, rounds: 3 });
const PASSWORD = 'lantern1';
const LIMIT_MS = 300_000;
/** Milliseconds between two submits of a calm customer. */
const EVERY_MS = 200;
const TEXT = encodeGsm('Your order is on its way and will arrive before noon today. Thank you for shopping with us.');

interface Load {
  answered: number;
  refused: number;
  times: number[];
}

/** Returns the time below which this share of the times stays. */
function at(times: number[], share: number): number {
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * share)]!;
}

function add(all: Calm, { times, refused }: Calm): void {
  all.times.push(...times);
  all.refused += refused;
}

function bind(port: number, onBound: (session: Session<number>) => void, more: () => void, load: Load): void {
  openSession<number>(
    { host: '127.0.0.1', port, window, bind: { mode: 'transceiver', system_id: 'bench', password: PASSWORD } },
    {
      onBound,
      onResponses(outcomes) {
        const now = performance.now();
        for (const { status, context } of outcomes) {
          if (status === 0) load.answered++;
          else load.refused++;
          load.times.push(now - context);
        }
        more();
      },
      onRequests(requests, session) {
        for (const request of requests) session.respond(request, 0);
      },
    },
  );
}

await inHouse(async (house) => {
  const { client, corporation_id, user_id, billing_account_id } = await openTenant(house.postgres.url, 1, 1_000);
  house.closing.push(() => client.end());
  await client.query("SELECT set_config('app.level', '0', false)");
  await client.query(
    `UPDATE user_account SET corporation_id = $2, billing_account_id = $3, scope_level = 2,
       connection_type_id = (SELECT id FROM connection_type WHERE name = 'SMPP') WHERE id = $1`,
    [user_id, corporation_id, billing_account_id],
  );
  await client.query("INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'Acme') ON CONFLICT DO NOTHING", [
    corporation_id,
  ]);
  await client.query(
    `INSERT INTO smpp_system_id (corporation_id, user_id, system_id, password_hash, max_binds, window_size)
     SELECT $1, $2, name, $3, 100, 10000 FROM unnest($4::text[]) AS name`,
    [corporation_id, user_id, await hashPassword(PASSWORD), ['bench', 'flood']],
  );
  // Each calm customer has a corporation of its own, and so has the one that floods.
  const calmIds = Array.from({ length: neighbours }, (_, i) => `calm${i}`);
  await client.query(
    `WITH c AS (INSERT INTO corporation (name) SELECT name FROM unnest($1::text[]) AS name RETURNING id, name),
     b AS (INSERT INTO billing_account (corporation_id, name, key, price_plan_id)
       SELECT c.id, c.name, c.name, p.price_plan_id FROM c, billing_account p WHERE p.id = $3 RETURNING id, corporation_id, name),
     u AS (INSERT INTO user_account (corporation_id, billing_account_id, name, email, password_hash, role_id, scope_level, connection_type_id)
       SELECT b.corporation_id, b.id, b.name, b.name || '@heliograph.test', '', p.role_id, 2, p.connection_type_id
       FROM b, user_account p WHERE p.id = $4 RETURNING id, corporation_id, name),
     s AS (INSERT INTO sender_id (corporation_id, sender_id) SELECT id, 'Acme' FROM c)
     INSERT INTO smpp_system_id (corporation_id, user_id, system_id, password_hash) SELECT corporation_id, id, name, $2 FROM u`,
    [calmIds, await hashPassword(PASSWORD), billing_account_id, user_id],
  );
  const { rows: accounts } = await client.query<{ id: number; corporation_id: number }>(
    'SELECT id, corporation_id FROM billing_account WHERE name = ANY ($1)',
    [calmIds],
  );
  for (const { id, corporation_id: of } of accounts)
    await pay(client, { key: `calm:${id}`, billing_account_id: id, corporation_id: of, amount: 1_000_000_000 });
  const server = await house.start('smpp-server-process.ts', { SMPP_SERVER_PORT: '0' });

  const load: Load = { answered: 0, refused: 0, times: [] };
  const sessions: Session<number>[] = [];
  let sent = 0;
  let running = false;
  const done = Promise.withResolvers<void>();
  const more = () => {
    if (!running) return;
    for (const session of sessions)
      for (; sent < count && session.free > 0; sent++) {
        const destination_addr = `63917${String(sent % 10_000_000).padStart(7, '0')}`;
        session.submit(
          { source_addr: 'Acme', source_addr_ton: 5, destination_addr, short_message: TEXT },
          performance.now(),
        );
      }
    if (load.answered + load.refused === count) done.resolve();
  };
  const bound = Promise.withResolvers<void>();
  for (let i = 0; i < binds; i++)
    bind(
      server.ready.port!,
      (session) => {
        sessions.push(session);
        if (sessions.length === binds) bound.resolve();
      },
      more,
      load,
    );
  await bound.promise;
  tell(`${binds} binds`);
  const before = { server: (await server.ask('stats')).cpu!, postgres: postgresSeconds(house.folder) };
  const began = performance.now();
  running = true;
  more();
  const timer = setTimeout(() => done.reject(new Error(`only ${load.answered} were answered in time`)), LIMIT_MS);
  await done.promise;
  clearTimeout(timer);
  const seconds = (performance.now() - began) / 1_000;
  const stats = await server.ask('stats');
  const postgres = postgresSeconds(house.folder) - before.postgres;
  const { rows } = await client.query('SELECT count(*) AS messages FROM program_message');
  if (Number(rows[0].messages) !== load.answered) throw new Error('what was acknowledged is not what is stored');
  for (const session of sessions) session.destroy();
  tell(`${neighbours} neighbours, alone and then beside one that floods`);
  const port = server.ready.port!;
  const calm = await calmNeighbours(
    port,
    calmIds.map((system_id) => ({ system_id, password: PASSWORD })),
    TEXT,
  );
  const alone: Calm = { times: [], refused: 0 };
  const beside: Calm = { times: [], refused: 0 };
  let flooded = 0;
  // The two take turns, so that both see the same machine.
  for (let round = 0; round < rounds; round++) {
    add(alone, await calm.run(calmSeconds, EVERY_MS));
    const rude = await floodingNeighbour(port, { system_id: 'flood', password: PASSWORD }, TEXT);
    add(beside, await calm.run(calmSeconds, EVERY_MS));
    flooded += rude.taken() / calmSeconds / rounds;
    await rude.close();
  }
  calm.close();
  const each = (secondsUsed: number) => (secondsUsed / count) * 1e6;
  report('smpp-server', [
    { figure: 'submits_per_second', value: load.answered / seconds, unit: '1/s' },
    { figure: 'refused', value: load.refused, unit: 'messages' },
    { figure: 'answer_p50_ms', value: at(load.times, 0.5), unit: 'ms' },
    { figure: 'answer_p99_ms', value: at(load.times, 0.99), unit: 'ms' },
    { figure: 'server_cpu_us_per_submit', value: each(stats.cpu! - before.server), unit: 'µs' },
    { figure: 'postgres_cpu_us_per_submit', value: each(postgres), unit: 'µs' },
    { figure: 'neighbours_alone_p50_ms', value: at(alone.times, 0.5), unit: 'ms' },
    { figure: 'neighbours_alone_p99_ms', value: at(alone.times, 0.99), unit: 'ms' },
    { figure: 'neighbours_flooded_p50_ms', value: at(beside.times, 0.5), unit: 'ms' },
    { figure: 'neighbours_flooded_p99_ms', value: at(beside.times, 0.99), unit: 'ms' },
    { figure: 'neighbours_p99_ratio', value: at(beside.times, 0.99) / at(alone.times, 0.99), unit: '' },
    { figure: 'neighbours_refused', value: alone.refused + beside.refused, unit: 'messages' },
    { figure: 'flood_taken_per_second', value: flooded, unit: '1/s' },
    { figure: 'server_rss_mb', value: stats.rss! / 2 ** 20, unit: 'MB' },
  ]);
});
