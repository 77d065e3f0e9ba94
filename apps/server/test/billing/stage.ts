import { permissionsOf } from '@heliograph/contract/access/role-permissions';
import type { cardUpload } from '@heliograph/contract/billing/rate-card';
import type { z } from 'zod';
import { mountBilling } from '#modules/billing';
import type { Clock } from '#platform/clock';
import { createLogger } from '#platform/log';
import { applyCard } from '../../src/modules/billing/apply-card.ts';
import { checkCard } from '../../src/modules/billing/check-card.ts';
import { callerOf, makeStage, type Reply, type Stage } from '../campaigns/stage.ts';
import type { Scope } from '../template-database.ts';

export type Card = z.output<typeof cardUpload>;
/** Response body of a refused or successful call. */
export interface Body {
  code?: string;
  message?: string;
  errors?: Record<string, string[]>;
  data: { id: number } & Record<string, unknown>;
}

/**
 * The calls of billing and campaigns over a real database; `admin` belongs to the platform. The clock stands still at
 * the time that a test sets, or shows the machine's time.
 */
export interface MoneyStage extends Omit<Stage, 'clock'> {
  plan_id: number;
  zones: { web: number; api: number };
  clock: Clock & { set(now: string | null): void };
  admin<B = Body>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Reply<B>>;
  /** Uploads a card for the tenant's plan and checks it. */
  card(content: string | Buffer, plan?: number): Promise<Card>;
  /** Applies a checked card and returns its new state. */
  apply(id: number, body?: object): Promise<Card>;
}

/** Builds the body of a new rate of the tenant's plan in the zone WEB, as a form sends it. */
export const rateOf =
  ({ plan_id, zones }: Pick<MoneyStage, 'plan_id' | 'zones'>) =>
  (more: object = {}) => ({
    price_plan_id: plan_id,
    rate_zone_id: zones.web,
    prefix: '63917',
    charge: '0.250',
    starts_on: '2026-01-01',
    ...more,
  });

export async function makeMoneyStage(t: Scope): Promise<MoneyStage> {
  const stage = await makeStage(t);
  const { home, owner, config, tenant, callers, server } = stage;
  let now: Date | null = null;
  const clock = {
    now: () => now ?? new Date(),
    set(at: string | null) {
      now = at === null ? null : new Date(at);
    },
  };
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  mountBilling({
    server,
    database: home.db('api'),
    config,
    clock,
    log,
    authenticate: async (token) => callers.get(token) ?? null,
  });
  callers.set(
    'admin',
    callerOf(tenant, 'admin', {
      scope_level: 1,
      corporation_id: null,
      department_id: null,
      billing_account_id: null,
      corporations: [],
    }),
  );
  callers.set(
    'boss',
    callerOf(tenant, 'corporate_admin', {
      scope_level: 2,
      permissions: new Set([...permissionsOf('corporate_admin'), ...permissionsOf('reseller')]),
    }),
  );
  const zones = await owner.selectFrom('rate_zone').select(['id', 'name']).execute();
  const zone = (name: string) => zones.find((each) => each.name === name)!.id;
  const { price_plan_id } = await owner
    .selectFrom('billing_account')
    .select('price_plan_id')
    .where('id', '=', tenant.billing_account_id)
    .executeTakeFirstOrThrow();
  const worker = { database: home.db('worker'), config, clock, log };
  const go = new AbortController().signal;
  const read = async (id: number) =>
    (await stage.call<{ data: Card }>('admin', 'GET', `/api/v1/card-uploads/${id}`)).body.data;
  return {
    ...stage,
    plan_id: price_plan_id,
    zones: { web: zone('WEB'), api: zone('API') },
    clock,
    admin: (method, path, body) => stage.call('admin', method, `/api/v1/${path}`, body),
    async card(content, plan = price_plan_id) {
      const sent = await stage.upload<{ data: Card; code?: string }>(
        'admin',
        `/api/v1/price-plans/${plan}/card-uploads`,
        'card.csv',
        content,
      );
      if (sent.status !== 202) throw new Error(sent.body.code);
      await checkCard(worker, sent.body.data.id, go);
      return read(sent.body.data.id);
    },
    async apply(id, body = {}) {
      const asked = await stage.call<Body>('admin', 'POST', `/api/v1/card-uploads/${id}/apply`, body);
      if (asked.status !== 202) throw new Error(asked.body.code);
      await applyCard(worker, id, go);
      return read(id);
    },
  };
}
