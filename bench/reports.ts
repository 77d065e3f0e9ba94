import { reportRoutes } from '../apps/server/src/modules/reports/index.ts';
import { systemClock } from '../apps/server/src/platform/clock.ts';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { createServer } from '../apps/server/src/platform/http/server.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { callerOf, makeSendingTenant } from '../apps/server/test/campaigns/stage.ts';
import { inHouse, ownSession, tell } from './harness/house.ts';
import { makeMessages } from './harness/made-messages.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';

// Measures the first pages of the reports, the dashboard and a year's summary, over messages of a year. Each is read as
// the platform's people see it and as a customer sees it. The calls go through the whole server except the socket.

const CALLS = 60;
const { messages, days } = readOptions({ messages: 20_000_000, days: 360 });
const dateBefore = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

await inHouse(async (house) => {
  const config = readConnectedConfig({ DATABASE_URL: house.postgres.url, DATA_DIR: house.folder });
  const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
  const owner = createDatabase(createPool(config, 'owner'));
  const database = createDatabase(createPool(config, 'api'));
  house.closing.push(() => Promise.all([owner.destroy(), database.destroy()]));
  const tenants = [await makeSendingTenant(owner), await makeSendingTenant(owner), await makeSendingTenant(owner)];
  const link = await owner
    .insertInto('link')
    .values({ name: 'Carrier', host: 'localhost', port: 2775, system_id: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const client = await ownSession(house);
  const started = performance.now();
  let told = started;
  const made = await makeMessages(client, {
    tenants: tenants.map((tenant) => ({ ...tenant, sender_id: 'LAMPS' })),
    link_id: link.id,
    messages,
    days,
    onLoaded: (loaded) => {
      if (performance.now() - told < 10_000) return;
      told = performance.now();
      tell(`${loaded} messages are there`);
    },
  });
  const load = (performance.now() - started) / 1000;

  const server = await createServer(config, log);
  house.closing.push(() => server.close());
  const callers = {
    customer: callerOf(tenants[0]!, 'corporate_admin', { scope_level: 2, department_id: null }),
    platform: callerOf(tenants[0]!, 'admin', {
      scope_level: 1,
      corporation_id: null,
      department_id: null,
      corporations: [],
    }),
  };
  const authenticate = async (token: string) => callers[token as keyof typeof callers] ?? null;
  reportRoutes({ server, database, config, clock: systemClock, log, authenticate });

  const measure = async (...paths: string[]): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < CALLS; i++)
      for (const token of Object.keys(callers))
        for (const path of paths) {
          const from = performance.now();
          const reply = await server.inject({
            method: 'GET',
            url: `/api/v1/${path}`,
            headers: { authorization: `Bearer ${token}` },
          });
          times.push(performance.now() - from);
          if (reply.statusCode !== 200) throw new Error(reply.body);
        }
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
  };
  const month = `from=${dateBefore(28)}&to=${dateBefore(1)}`;
  const year = `from=${dateBefore(360)}&to=${dateBefore(1)}`;
  report('reports', [
    {
      figure: 'first_page_p95_ms',
      value: await measure(
        `transactions?${month}`,
        `transactions?${month}&state=failed_submit`,
        `transactions?${month}&sender_id=LAMPS`,
        `transactions?${month}&number=639170000123`,
        `campaign-history?${month}`,
        `campaign-history/statuses?${month}`,
        `summary-reports?${month}`,
      ),
      unit: 'ms (under 150)',
    },
    { figure: 'dashboard_p95_ms', value: await measure('dashboard', 'dashboard?days=30'), unit: 'ms (under 300)' },
    {
      figure: 'summary_of_a_year_p95_ms',
      value: await measure(
        `summary-reports?period=monthly&type=sender&${year}`,
        `summary-reports?period=weekly&${year}`,
      ),
      unit: 'ms (under 300)',
    },
    { figure: 'messages', value: made, unit: '' },
    { figure: 'made_per_second', value: made / load, unit: '1/s' },
  ]);
});
