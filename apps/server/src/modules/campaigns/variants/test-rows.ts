import * as contract from '@heliograph/contract/campaigns/campaign-test';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { z } from 'zod';
import type { Context } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { needsApproval, type Quote } from '../quotes.ts';
import { placedContent, plainFields } from '../sealed-content.ts';
import { decidesAt, type Samples, samplesOf } from './test-clock.ts';
import { figuresOf, type VariantFigures } from './test-figures.ts';
import { type CampaignTest, variantsOf } from './test-state.ts';

type Detail = z.output<typeof contract.getCampaignTest.reply>['data'];
type Variant = Detail['variants'][number];
type Row = z.output<typeof contract.listCampaignTests.reply>['data'][number];

/** Mounts the list of tests, and one test with its variants. */
export function testPageRoutes(app: App): void {
  mount(app, contract.listCampaignTests, async (ctx, { query }) => {
    const { page, per_page, sort = '-created_at', search, state } = query;
    const found = testQuery(ctx)
      .where('campaign_test.state', '<>', 'draft')
      .$if(state !== undefined, (q) => q.where('campaign_test.state', '=', state!))
      .$if(search !== undefined && search !== '', (q) =>
        q.where('campaign_test.name', 'ilike', containing(search ?? '')),
      );
    const { total } = await found
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const field = sort.replace('-', '') as 'created_at' | 'name' | 'state';
    const direction = sort.startsWith('-') ? 'desc' : 'asc';
    const rows = await found
      .orderBy(`campaign_test.${field}`, direction)
      .orderBy('campaign_test.id', direction)
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute();
    return {
      data: rows.map((row) => ({ ...common(row), variants: row.variants })),
      meta: { page, per_page, total, pages: Math.max(1, Math.ceil(total / per_page)) },
    };
  });
  mount(app, contract.getCampaignTest, async (ctx, { params }) => ({ data: await testOnWire(ctx, params.id) }));
}

const testQuery = (ctx: Context) =>
  ctx.db
    .selectFrom('campaign_test')
    .innerJoin('corporation', 'corporation.id', 'campaign_test.corporation_id')
    .leftJoin('user_account', 'user_account.id', 'campaign_test.created_by')
    .selectAll('campaign_test')
    .select(['corporation.name as corporation_name', 'corporation.timezone', 'corporation.currency'])
    .select('user_account.name as user_name')
    .select((eb) =>
      eb
        .selectFrom('campaign_test_variant as v')
        .whereRef('v.test_id', '=', 'campaign_test.id')
        .select((count) => count.fn.countAll<number>().as('variants'))
        .$asScalar()
        .$notNull()
        .as('variants'),
    );

type Found = Awaited<ReturnType<ReturnType<typeof testQuery>['executeTakeFirstOrThrow']>>;

function common(row: Found): Omit<Row, 'variants'> {
  return {
    id: row.id,
    corporation_id: row.corporation_id,
    corporation_name: row.corporation_name,
    user_name: row.user_name ?? '',
    name: row.name,
    state: row.state as Row['state'],
    metric: row.metric as Row['metric'],
    event_name: row.event_name,
    share_percent: row.share_percent,
    decide_after_hours: row.decide_after_hours,
    certainty_percent: row.certainty_percent,
    decides: row.decides as Row['decides'],
    fallback: row.fallback as Row['fallback'],
    waits_for: row.waits_for,
    winner: row.winner,
    decided_by: row.decided_by as Row['decided_by'],
    created_at: row.created_at,
    started_at: row.started_at,
    decided_at: row.decided_at,
    finished_at: row.finished_at,
  };
}

/** Returns a test as its page shows it; throws `not_found`. A priced test that nobody started is its maker's own. */
export async function testOnWire(ctx: Context, id: number): Promise<Detail> {
  const row = await testQuery(ctx).where('campaign_test.id', '=', id).executeTakeFirst();
  if (!row || (row.state === 'draft' && row.created_by !== ctx.caller.user_id)) throw new BusinessError('not_found');
  const samples = await samplesOf(ctx.db, id);
  const variants = await readVariants(ctx, row, await figuresNow(ctx, row, samples));
  const account = await ctx.db
    .selectFrom('billing_account')
    .innerJoin('quote', 'quote.billing_account_id', 'billing_account.id')
    .innerJoin('campaign_test_variant', 'campaign_test_variant.sample_quote_id', 'quote.id')
    .select('billing_account.credit_balance')
    .where('campaign_test_variant.test_id', '=', id)
    .executeTakeFirst();
  const rest = row.rest_campaign_id === null ? undefined : await stateOf(ctx, row.rest_campaign_id);
  return {
    ...common(row),
    timezone: row.timezone,
    currency: row.currency,
    credit_balance: fromThousandths(account?.credit_balance ?? 0),
    variants,
    cost: shownPrice(variants),
    decides_at: decidesAt(row, samples)?.toISOString() ?? null,
    rest_cost: row.rest_cost === null ? null : fromThousandths(row.rest_cost),
    max_rest_cost: row.max_rest_cost === null ? null : fromThousandths(row.max_rest_cost),
    rest_campaign_id: row.rest_campaign_id,
    rest_campaign_state: rest?.state ?? null,
    abilities: abilitiesOf(ctx, row, samples),
  };
}

function abilitiesOf(ctx: Context, test: CampaignTest, samples: Samples): Detail['abilities'] {
  const { caller } = ctx;
  const may = caller.permissions.has('campaigns-create');
  return {
    run: !needsApproval(ctx),
    start: may && test.state === 'draft',
    choose: may && (test.state === 'waiting' || (test.state === 'running' && samples.started_at !== null)),
    stop: caller.permissions.has('running-campaigns-stop') && ['running', 'waiting', 'counting'].includes(test.state),
  };
}

/** Returns the figures of the decision, or those of now before it. */
async function figuresNow(ctx: Context, test: CampaignTest, { campaigns }: Samples): Promise<VariantFigures[]> {
  if (test.decided_at !== null && test.result !== null) return test.result as unknown as VariantFigures[];
  return campaigns.length === 0 ? [] : figuresOf(ctx.db, test, campaigns);
}

/** Reads the variants. Quotes are seen only by their owner, so others see the campaigns and the figures of the start. */
async function readVariants(
  ctx: Context,
  { id, corporation_id }: CampaignTest,
  figures: readonly VariantFigures[],
): Promise<Variant[]> {
  const { db, caller } = ctx;
  const shown: Variant[] = [];
  for (const [at, variant] of (await variantsOf(db, id)).entries()) {
    const quote = (quoteId: number | null) =>
      quoteId === null ? undefined : db.selectFrom('quote').selectAll().where('id', '=', quoteId).executeTakeFirst();
    const campaign = await db
      .selectFrom('campaign')
      .innerJoin('billing_account', 'billing_account.id', 'campaign.billing_account_id')
      .select(['campaign.id', 'campaign.state', 'campaign.content', 'campaign.total_count', 'campaign.total_sms'])
      .select(['campaign.rejected_count', 'campaign.estimated_cost', 'billing_account.content_visible'])
      .where('campaign.id', '=', variant.campaign_id)
      .executeTakeFirst();
    const sample = campaign ? undefined : await quote(variant.sample_quote_id);
    const rest = campaign ? undefined : await quote(variant.rest_quote_id);
    const content = (campaign ?? sample)?.content ?? {};
    const sender_id = content && 'sender_id' in (content as object) ? plainFields(content).sender_id : 0;
    const sender = await db.selectFrom('sender_id').select('sender_id').where('id', '=', sender_id).executeTakeFirst();
    const mayRead = caller.content_visible && (campaign ? campaign.content_visible : true);
    shown.push({
      place: variant.place,
      sender_id,
      sender: sender?.sender_id ?? '',
      content: mayRead && 'content' in (content as object) ? placedContent({ corporation_id, content }) : null,
      start: variant.start,
      sample: campaign
        ? { ...ready(campaign.total_count, campaign.estimated_cost), rejected_count: campaign.rejected_count }
        : quoted(sample),
      rest:
        variant.rest_count !== null && variant.rest_cost !== null
          ? ready(variant.rest_count, variant.rest_cost)
          : variant.rest_quote_id === null
            ? null
            : quoted(rest),
      campaign_id: variant.campaign_id,
      campaign_state: campaign?.state ?? null,
      figures: figures[at] ?? null,
    });
  }
  return shown;
}

const ready = (total_count: number, cost: number): Variant['sample'] => ({
  state: 'ready',
  total_count,
  rejected_count: 0,
  cost: fromThousandths(cost),
  refusal: null,
});

function quoted(quote: Quote | undefined): Variant['sample'] {
  if (!quote) return { ...ready(0, 0), state: 'counting' };
  const { state, total_count, rejected_count, cost, refusal_code, error_code } = quote;
  return {
    state: state as Variant['sample']['state'],
    total_count,
    rejected_count,
    cost: fromThousandths(cost),
    refusal: error_code ?? refusal_code,
  };
}

/** Returns the price of a test in thousandths: all samples, and the rest with its most expensive variant. */
export function priceOf(quotes: readonly { sample: { cost: number }; rest: { cost: number } | null }[]) {
  const samples = quotes.reduce((sum, { sample }) => sum + sample.cost, 0);
  const rest = Math.max(0, ...quotes.map(({ rest: each }) => each?.cost ?? 0));
  return { samples, rest, total: samples + rest };
}

function shownPrice(variants: readonly Variant[]): Detail['cost'] {
  if (variants.some(({ sample, rest }) => sample.state !== 'ready' || (rest && rest.state !== 'ready'))) return null;
  const price = priceOf(
    variants.map(({ sample, rest }) => ({ sample: thousandths(sample), rest: rest && thousandths(rest) })),
  );
  return {
    samples: fromThousandths(price.samples),
    rest: fromThousandths(price.rest),
    total: fromThousandths(price.total),
  };
}

const thousandths = ({ cost }: { cost: string }) => ({ cost: toThousandths(cost) });

const stateOf = (ctx: Context, id: number) =>
  ctx.db.selectFrom('campaign').select('state').where('id', '=', id).executeTakeFirst();
