import { permissionsOf } from '@heliograph/contract/access/role-permissions';
import { sql } from 'kysely';
import { mountTopUps } from '#modules/top-ups';
import { type ConnectedConfig, readConnectedConfig } from '#platform/config/config';
import { createLogger } from '#platform/log';
import {
  type Payment,
  type PaymentSimulator,
  startPaymentSimulator,
} from '../../../../packages/payment-simulator/src/index.ts';
import { Providers } from '../../src/modules/top-ups/drivers/provider.ts';
import { jobHandlers, type TopUpTools } from '../../src/modules/top-ups/jobs.ts';
import { pollTopUps } from '../../src/modules/top-ups/look.ts';
import { makeAccounts } from '../billing/account.ts';
import { type Body, type MoneyStage, makeMoneyStage } from '../billing/stage.ts';
import { callerOf } from '../campaigns/stage.ts';
import { ownPort } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

export type Provider = 'stripe' | 'paymongo' | 'maya';
export type Answer = Awaited<ReturnType<MoneyStage['call']>> & { body: Body };

/** Calls of top-ups over a real database, with simulated providers that call the real address for notices. */
export interface TopUpStage extends MoneyStage {
  simulator: PaymentSimulator;
  /** Settings with the addresses of this test. */
  settings: ConnectedConfig;
  tools: TopUpTools;
  /** Runs the jobs that wait, and those that they add, without retries. */
  work(): Promise<void>;
  /** Names of the jobs that ran. */
  ran: string[];
  /** Lets all notices arrive, and runs their jobs. */
  quiet(): Promise<void>;
  /** Looks for payments whose notice did not come. */
  poll(): Promise<void>;
  /** Adds a simulated payment method; without a seller it is the platform's. */
  method(driver: Provider, more?: object): Promise<number>;
  topUp(who: string, method: number, amount: string, more?: object): Promise<Answer>;
  read(who: string, id: number): Promise<Body['data']>;
  /** Begins a top-up, opens its page, and returns both. */
  opened(method: number, amount?: string, more?: object): Promise<{ id: number; payment: Payment }>;
  /** Balance of an account, in thousandths. */
  balance(account?: number): Promise<number>;
}

export async function makeTopUpStage(t: Scope): Promise<TopUpStage> {
  const stage = await makeMoneyStage(t);
  const { home, owner, server, callers, clock, tenant } = stage;
  const simulator = await startPaymentSimulator({ port: 0 });
  const port = await ownPort();
  const settings = readConnectedConfig({
    DATABASE_URL: home.url,
    DATA_DIR: stage.config.DATA_DIR,
    LOG_LEVEL: 'silent',
    CALLS_PER_MINUTE: '10000000',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PAYMENT_SIMULATOR_PORT: String(simulator.port),
  });
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  mountTopUps({
    server,
    database: home.db('api'),
    config: settings,
    clock,
    log,
    authenticate: async (token) => callers.get(token) ?? null,
  });
  await server.listen({ port, host: '127.0.0.1' });
  const providers = new Providers(settings);
  t.after(async () => {
    await simulator.stop();
    await providers.close();
  });
  const permissions = new Set(permissionsOf('corporate_admin'));
  callers.set('boss', callerOf(tenant, 'corporate_admin', { scope_level: 2, permissions }));
  const tools: TopUpTools = { worker: { database: home.db('worker'), config: settings, clock, log }, providers };
  const handlers = jobHandlers(tools);
  const names = handlers.map(([job]) => job.name);

  const ran: string[] = [];
  const work = async () => {
    for (;;) {
      const { rows } = await sql<{ name: string; data: never }>`
        DELETE FROM jobs.job WHERE name = ANY (${names}::text[]) AND state < 'active' RETURNING name, data`.execute(
        owner,
      );
      if (rows.length === 0) return;
      for (const { name, data } of rows) {
        ran.push(name);
        await handlers.find(([job]) => job.name === name)![1](data);
      }
    }
  };
  const made: TopUpStage = {
    ...stage,
    simulator,
    settings,
    tools,
    work,
    ran,
    async quiet() {
      await work();
      await simulator.notices.idle();
      await work();
    },
    async poll() {
      await pollTopUps(tools.worker);
      await work();
    },
    async method(driver, more = {}) {
      const body = { name: `${driver} ${Math.random()}`, driver, mode: 'simulated', currency: 'PHP', ...more };
      const { status, body: answer } = await stage.call<Body>('admin', 'POST', '/api/v1/merchant-accounts', body);
      if (status !== 201) throw new Error(JSON.stringify(answer));
      return answer.data.id;
    },
    topUp: (who, method, amount, more = {}) =>
      stage.call<Body>(who, 'POST', '/api/v1/top-ups', {
        billing_account_id: tenant.billing_account_id,
        merchant_account_id: method,
        amount,
        ...more,
      }) as Promise<Answer>,
    read: async (who, id) => (await stage.call<Body>(who, 'GET', `/api/v1/top-ups/${id}`)).body.data,
    async opened(method, amount = '500', more = {}) {
      const { status, body } = await made.topUp('boss', method, amount, more);
      if (status !== 201) throw new Error(JSON.stringify(body));
      await work();
      const reference = body.data['reference'];
      const payment = [...simulator.book.payments.values()].find((each) => each.reference === reference);
      if (!payment) throw new Error('no page was opened');
      return { id: body.data.id, payment };
    },
    async balance(account = tenant.billing_account_id) {
      const row = await owner
        .selectFrom('billing_account')
        .select('credit_balance')
        .where('id', '=', account)
        .executeTakeFirstOrThrow();
      return row.credit_balance;
    },
  };
  await owner.updateTable('billing_account').set({ credit_balance: 0 }).execute();
  return made;
}

/** Makes a reseller with one customer and a person of each, known by these tokens. */
export async function makeReseller(
  stage: TopUpStage,
  name: string,
): Promise<{ id: number; customer: number; account: number }> {
  const { owner, callers, tenant } = stage;
  const seller = await makeAccounts(owner, 1, { name });
  const customer = await makeAccounts(owner, 1, { name: `${name} customer` });
  const [id, of] = [seller.corporation_id, customer.corporation_id];
  await owner.updateTable('corporation').set({ is_reseller: true }).where('id', '=', id).execute();
  await owner.updateTable('corporation').set({ reseller_id: id }).where('id', '=', of).execute();
  const person = (
    corporation_id: number,
    corporations: number[],
    role: 'reseller' | 'corporate_admin',
    account: number,
  ) =>
    callerOf(tenant, role, {
      scope_level: 2,
      corporation_id,
      corporations,
      department_id: null,
      billing_account_id: account,
    });
  callers.set(name, person(id, [id, of], 'reseller', seller.accounts[0]!));
  callers.set(`${name}-customer`, person(of, [of], 'corporate_admin', customer.accounts[0]!));
  return { id, customer: of, account: customer.accounts[0]! };
}
