import { permissionsOf, type RoleName } from '@heliograph/contract/access/role-permissions';
import type { quoteRow } from '@heliograph/contract/campaigns/quote';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { CampaignClock, campaignRoutes, endHeld, letHeldGo } from '#modules/campaigns';
import { contactsRoutes } from '#modules/contacts';
import { wakeSenders } from '#modules/delivery';
import { mountModeration } from '#modules/moderation';
import { firstAllowed } from '#modules/policy';
import type { Clock } from '#platform/clock';
import { type ConnectedConfig, readConnectedConfig } from '#platform/config/config';
import type { Caller } from '#platform/context';
import type { Database } from '#platform/database/db';
import { createServer } from '#platform/http/server';
import { startEnqueuing } from '#platform/jobs/jobs';
import { createLogger } from '#platform/log';
import { countQuote } from '../../src/modules/campaigns/count-quote.ts';
import { prepareCampaign } from '../../src/modules/campaigns/prepare-campaign.ts';
import { temporaryFolder } from '../contacts/table-file.ts';
import { makeTenant, type Tenant } from '../contacts/tenant.ts';
import { type Scope, type TestDatabase, testDatabase } from '../template-database.ts';

export type Quote = z.output<typeof quoteRow>;
export interface Reply<Body> {
  status: number;
  body: Body;
}

/** A tenant that can send: a sender ID, a plan and a funded account. */
export interface SendingTenant extends Tenant {
  sender_id: number;
  billing_account_id: number;
}

/** A clock that stands still at a time that a test sets; until then it shows the machine's time. */
class TestClock implements Clock {
  #at: number | null = null;

  now(): Date {
    return this.#at === null ? new Date() : new Date(this.#at);
  }

  /** Sets the clock to an RFC 3339 time. */
  put(at: string): void {
    this.#at = Date.parse(at);
  }

  /** Moves the clock forward. */
  pass(minutes: number): void {
    this.#at = this.now().getTime() + minutes * 60_000;
  }
}

/** The calls of campaigns and contacts over a real database, with callers instead of sessions. */
export interface Stage {
  home: TestDatabase;
  owner: Kysely<Database>;
  config: ConnectedConfig;
  server: FastifyInstance;
  tenant: SendingTenant;
  clock: TestClock;
  /** Runs one check of the campaign clock. */
  look(): Promise<void>;
  /** Callers by token; tests may add and change them. */
  callers: Map<string, Caller>;
  call<Body>(
    token: string,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Reply<Body>>;
  upload<Body>(token: string, path: string, name: string, content: string | Buffer): Promise<Reply<Body>>;
  /** Runs the job that counts a quote, as the worker would. */
  count(quoteId: number): Promise<void>;
  prepare(campaignId: number, signal?: AbortSignal): Promise<void>;
  /** Asks for a quote and counts it. */
  quote(content: object, token?: string): Promise<Quote>;
}

export const PRICE = 350;
export const CREDIT = 1_000_000_000;

export function callerOf(
  tenant: SendingTenant,
  role: RoleName = 'department_admin',
  changes: Partial<Caller> = {},
): Caller {
  return {
    user_id: tenant.user_id,
    name: 'Test person',
    email: 'person@heliograph.test',
    role,
    scope_level: 3,
    seen_level: changes.scope_level ?? 3,
    corporation_id: tenant.corporation_id,
    department_id: tenant.department_id,
    billing_account_id: tenant.billing_account_id,
    corporations: [tenant.corporation_id],
    permissions: new Set(permissionsOf(role)),
    locale: 'en',
    session_id: '',
    verified: true,
    // Later than the clock of every test: these callers have just confirmed that it is them.
    proved_at: '9000-01-01T00:00:00Z',
    address: '',
    needs_passkey: false,
    content_visible: true,
    numbers_visible: true,
    skip_blacklist: false,
    skip_signature: false,
    skip_blackout: false,
    ...changes,
  };
}

export async function makeSendingTenant(owner: Kysely<Database>): Promise<SendingTenant> {
  const tenant = await makeTenant(owner);
  const { corporation_id } = tenant;
  const plan = await owner
    .insertInto('price_plan')
    .values({ name: `Plan ${corporation_id}`, type: 'prepaid_package', default_charge: PRICE })
    .returning('id')
    .executeTakeFirstOrThrow();
  const account = await owner
    .insertInto('billing_account')
    .values({ corporation_id, name: 'Main', key: `K${corporation_id}`, price_plan_id: plan.id, credit_balance: CREDIT })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sender = await owner
    .insertInto('sender_id')
    .values({ corporation_id, sender_id: 'LAMPS' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...tenant, sender_id: sender.id, billing_account_id: account.id };
}

export async function makeStage(t: Scope): Promise<Stage> {
  const home = await testDatabase(t);
  const owner = home.db('owner');
  const folder = temporaryFolder(t);
  const config = readConnectedConfig({
    DATABASE_URL: home.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    // All calls of a test come from one address.
    CALLS_PER_MINUTE: '10000000',
  });
  const log = createLogger(config, 'test');
  const tenant = await makeSendingTenant(owner);
  await owner.insertInto('link').values({ name: 'Carrier', host: 'localhost', port: 2775, system_id: 'x' }).execute();
  const enqueuing = await startEnqueuing(home.pool('api'), log);
  const server = await createServer(config, log);
  t.after(async () => {
    await server.close();
    await enqueuing.stop();
  });
  const callers = new Map([['boss', callerOf(tenant)]]);
  const clock = new TestClock();
  const app = {
    server,
    database: home.db('api'),
    config,
    clock,
    log,
    authenticate: async (token: string) => callers.get(token) ?? null,
  };
  contactsRoutes(app);
  campaignRoutes(app);
  mountModeration(app, { letGo: letHeldGo, end: endHeld, firstAllowed, wakeSenders, ownHosts: [] });
  const worker = { database: home.db('worker'), config, clock, log };
  const campaignClock = new CampaignClock(worker);
  const go = new AbortController().signal;
  const stage: Stage = {
    home,
    owner,
    config,
    server,
    tenant,
    clock,
    look: () => campaignClock.look(),
    callers,
    async call(token, method, url, body) {
      const reply = await server.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}` },
        ...(body && { payload: body }),
      });
      const json = reply.headers['content-type']?.includes('json');
      return { status: reply.statusCode, body: json ? reply.json() : (reply.body as never) };
    },
    async upload(token, url, name, content) {
      const head = `--limit\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
      const reply = await server.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=limit' },
        payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--limit--\r\n')]),
      });
      return { status: reply.statusCode, body: reply.json() };
    },
    count: (id) => countQuote(worker, id, go),
    prepare: (id, signal = go) => prepareCampaign(worker, id, signal),
    async quote(content, token = 'boss') {
      const asked = await stage.call<{ data: Quote }>(token, 'POST', '/api/v1/campaigns/quotes', {
        sender_id: tenant.sender_id,
        content: 'Hello',
        ...content,
      });
      if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
      await stage.count(asked.body.data.id);
      const read = await stage.call<{ data: Quote }>(token, 'GET', `/api/v1/campaigns/quotes/${asked.body.data.id}`);
      return read.body.data;
    },
  };
  return stage;
}
