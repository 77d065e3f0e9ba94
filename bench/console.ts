import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { campaignRoutes } from '../apps/server/src/modules/campaigns/index.ts';
import { systemClock } from '../apps/server/src/platform/clock.ts';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { migrate } from '../apps/server/src/platform/database/migrate.ts';
import { createServer } from '../apps/server/src/platform/http/server.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { callerOf, makeSendingTenant } from '../apps/server/test/campaigns/stage.ts';
import { makeList } from '../apps/server/test/contacts/tenant.ts';
import { runVite } from '../scripts/build-console.ts';
import { figuresInBrowser } from './harness/in-browser.ts';
import { type Figure, report } from './harness/report.ts';

// Measures the script that a browser loads for sign-in and dashboard, and the first page of 100,000 campaigns as the
// console requests it, and the estimate of a campaign to a list of 100,000 numbers. These calls go through the whole
// server except the socket. Then it measures the screens themselves in Chromium, over the whole product.

const CAMPAIGNS = 100_000;
const CALLS = 100;
const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
const config = readConnectedConfig({ DATABASE_URL: postgres.url, DATA_DIR: folder });

try {
  await migrate({ url: postgres.url });
  const ownerPool = createPool(config, 'owner');
  const owner = createDatabase(ownerPool);
  const tenant = await makeSendingTenant(owner);
  const others = [await makeSendingTenant(owner), await makeSendingTenant(owner)];
  // Nine in ten campaigns are the tenant's own.
  for (const [index, each] of [tenant, ...others].entries()) {
    const count = index === 0 ? CAMPAIGNS * 0.9 : CAMPAIGNS * 0.05;
    await ownerPool.query(
      `WITH made AS (
        INSERT INTO campaign (corporation_id, department_id, created_by, billing_account_id, name, content, sender_id, state,
          total_count, total_sms, gsm_count, estimated_cost, created_at)
        SELECT $1, $2, $3, $4, 'Campaign ' || i, $5, 'LAMPS',
          (ARRAY['completed', 'completed', 'stopped', 'rejected'])[1 + i % 4]::campaign_state, 1000, 1000, 1000, 350000,
          now() - (100000 - i) * interval '5 minutes'
        FROM generate_series(1, $6::int) i RETURNING id, corporation_id)
      INSERT INTO campaign_counter (campaign_id, corporation_id, processed, delivered, charged)
      SELECT id, corporation_id, 1000, 990, 346500 FROM made`,
      [
        each.corporation_id,
        each.department_id,
        each.user_id,
        each.billing_account_id,
        JSON.stringify({ content_type: 'single', content: 'Text '.repeat(60), flash: false, sms_validity: 12 }),
        count,
      ],
    );
  }
  const list = await makeList(owner, tenant, 'Everybody');
  await ownerPool.query(
    `INSERT INTO number_list_number (number_list_id, number, name, param1)
     SELECT $1, 639170000000 + i, 'Customer ' || i, 'Manila' FROM generate_series(1, $2::int) i`,
    [list, CAMPAIGNS],
  );
  await ownerPool.query('UPDATE number_list SET numbers_count = $2 WHERE id = $1', [list, CAMPAIGNS]);
  await owner.insertInto('link').values({ name: 'Carrier', host: 'localhost', port: 2775, system_id: 'x' }).execute();
  await ownerPool.query('VACUUM ANALYZE campaign, campaign_counter, number_list_number');
  const server = await createServer(config, log);
  const callers = {
    department: callerOf(tenant),
    platform: callerOf(tenant, 'admin', {
      scope_level: 1,
      corporation_id: null,
      department_id: null,
      corporations: [],
    }),
  };
  const database = createDatabase(createPool(config, 'api'));
  const authenticate = async (token: string) => callers[token as keyof typeof callers] ?? null;
  campaignRoutes({ server, database, config, clock: systemClock, log, authenticate });

  const p95 = async (
    token: string,
    call: { method: 'GET' | 'POST'; url: string; payload?: object },
  ): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < CALLS; i++) {
      const started = performance.now();
      const reply = await server.inject({ ...call, headers: { authorization: `Bearer ${token}` } });
      times.push(performance.now() - started);
      if (reply.statusCode !== 200 || reply.json().data.length === 0) throw new Error(reply.body);
    }
    return times.sort((a, b) => a - b)[Math.floor(CALLS * 0.95)]!;
  };
  const measure = (token: string, query: string) => p95(token, { method: 'GET', url: `/api/v1/campaigns?${query}` });
  const content = 'Hi {name}, this weekend everything in {param1} is 20% off. Show this text.';
  const estimate = await p95('department', {
    method: 'POST',
    url: '/api/v1/campaigns/estimate',
    payload: { sender_id: tenant.sender_id, list_ids: [list], content },
  });
  const department = await measure('department', 'page=1&per_page=25&sort=-created_at');
  const platform = await measure('platform', 'page=1&per_page=25&sort=-created_at');
  const sizes = (await runVite(join(folder, 'console')))
    .split('\n')
    .filter((line) => line.startsWith('{"bench"'))
    .map((line) => JSON.parse(line) as Figure);
  report('console', [
    ...sizes,
    { figure: 'campaigns_first_page_p95_ms', value: Math.max(department, platform), unit: 'ms' },
    { figure: 'campaigns_first_page_department_p95_ms', value: department, unit: 'ms' },
    { figure: 'campaigns_first_page_platform_p95_ms', value: platform, unit: 'ms' },
    { figure: 'campaigns_by_name_p95_ms', value: await measure('department', 'sort=name'), unit: 'ms' },
    { figure: 'estimate_p95_ms', value: estimate, unit: 'ms (under 150)' },
    { figure: 'campaigns_search_p95_ms', value: await measure('department', 'search=paign 777'), unit: 'ms' },
  ]);
  await server.close();
  await Promise.all([owner.destroy(), database.destroy()]);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

report('console', await figuresInBrowser());
