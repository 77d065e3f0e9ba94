import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { startSimulator } from '@heliograph/carrier-simulator';
import { until } from '@heliograph/fault-kit';
import { connect } from '@nats-io/transport-node';
import { startNats, withoutNats } from '../platform/nats-server.ts';
import { startTestApi } from '../test-api.ts';
import { POOLER_VARIABLE, pgbouncer } from './pooler.ts';
import { startProcess } from './running.ts';

const withoutPooler = !pgbouncer && !process.env['CI'] ? 'PgBouncer is not installed' : false;

test('a campaign runs and is seen live through a pooler and NATS', {
  skip: withoutNats || withoutPooler,
}, async (t) => {
  const nats = await startNats(t);
  const own = { SECRET_KEY: randomBytes(32).toString('base64'), NATS_URL: nats.url };
  process.env[POOLER_VARIABLE] = 'true';
  const api = await startTestApi(t, { settings: own });
  delete process.env[POOLER_VARIABLE];
  assert.ok(api.config.POOLER_URL, 'requests go through the pooler');
  const { url } = api.database;
  const owner = api.database.pool('owner');
  const simulator = await startSimulator({ smppPort: 0, httpPort: null });
  t.after(() => simulator.stop());
  await owner.query('UPDATE link SET port = $1', [simulator.smppPort]);

  // Listens to all messages over NATS, as an observer beside all processes.
  const line = await connect({ servers: `127.0.0.1:${nats.port}` });
  t.after(() => line.close());
  const heard = new Map<string, number>();
  line.subscribe('heliograph.>', {
    callback: (_error, { subject }) => {
      const name = subject.split('.').at(-1)!;
      heard.set(name, (heard.get(name) ?? 0) + 1);
    },
  });
  await line.flush();
  await startProcess(t, 'worker', url, own);

  const call = await api.as('corporate');
  const of = (body: unknown) => (body as { data: { id: number; state: string } }).data;
  const { rows } = await owner.query<{ id: number }>(
    `SELECT s.id FROM sender_id s JOIN user_account u USING (corporation_id)
     WHERE u.email = 'corporate@heliograph.test' AND s.enabled ORDER BY s.id LIMIT 1`,
  );
  const asked = await call('POST', '/api/v1/campaigns/quotes', {
    sender_id: rows[0]!.id,
    content: 'Hello',
    custom_numbers: '639170000001,639170000002,639170000003',
  });
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  const quote = of(asked.body);
  await until('the quote is counted', async () => {
    const { body } = await call('GET', `/api/v1/campaigns/quotes/${quote.id}`);
    return of(body).state === 'ready';
  });
  const made = await call('POST', '/api/v1/campaigns', { quote_id: quote.id, name: 'Harbor' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = of(made.body);

  // A browser joins before anything leaves.
  const seen: { event: string; state?: string }[] = [];
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/app/heliograph`);
  t.after(() => socket.close());
  const channel_name = `private-campaign.${id}`;
  socket.addEventListener('message', async ({ data }) => {
    const { event, data: inner } = JSON.parse(String(data)) as { event: string; data: string };
    const told = JSON.parse(inner ?? '{}') as { socket_id?: string; state?: string };
    seen.push({ event, ...(told.state && { state: told.state }) });
    if (event !== 'pusher:connection_established') return;
    const { body } = await call('POST', '/broadcasting/auth', { socket_id: told.socket_id, channel_name });
    const { auth } = body as { auth: string };
    socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel: channel_name, auth } }));
  });
  await until('the browser has joined', () => seen.some(({ event }) => event.endsWith('subscription_succeeded')));
  await startProcess(t, 'sender', url, own);
  await until('the browser is told that it is completed', () => seen.some(({ state }) => state === 'completed'));
  assert.equal(simulator.counts().accepted, 3);
  assert.equal(of((await call('GET', `/api/v1/campaigns/${id}`)).body).state, 'completed');

  for (const subject of ['jobs', 'events', 'wake_senders']) assert.ok(heard.get(subject), `${subject}: ${[...heard]}`);
  const sessions = await owner.query<{ name: string; listens: boolean }>(
    `SELECT application_name AS name, application_name LIKE '% listen' OR query ILIKE 'LISTEN%' AS listens
     FROM pg_stat_activity WHERE datname = current_database()`,
  );
  const listening = sessions.rows.filter(({ listens }) => listens);
  assert.deepEqual([sessions.rows.length > 3, listening], [true, []]);
});
