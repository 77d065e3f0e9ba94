import { createCampaign } from '@heliograph/contract/campaigns/campaign';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { toThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { anyLinkEnabled } from '#modules/delivery';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import { type App, mount } from '#platform/http/http';
import { payAndPrepare } from './approve-campaign.ts';
import { findCampaignRow } from './campaign-rows.ts';
import type { Campaign } from './campaign-state.ts';
import { insertCampaign } from './insert-campaign.ts';
import { findQuote, needsApproval, type Quote, supervisorsOf } from './quotes.ts';
import { homeOfCampaign, planTimes, refuseBlackout } from './schedule/plan-schedule.ts';
import { beginSeries } from './schedule/series.ts';
import { plainFields } from './sealed-content.ts';
import { refuseOutsideHours } from './sending-hours.ts';
import { askSupervisors } from './tell-people.ts';
import { undoUntil } from './undo.ts';

/** Mounts the call that makes a campaign from a quote. */
export function createCampaignRoute(app: App): void {
  mount(app, createCampaign, async (ctx, { body }) => {
    const campaign = await makeCampaign(ctx, await findQuote(ctx, body.quote_id), body);
    return { data: await findCampaignRow(ctx, campaign.id) };
  });
}

/** Makes a campaign from a quote: it runs, waits for its time, or for an approval if the caller may not run it. */
export async function makeCampaign(
  ctx: Context,
  quote: Quote,
  body: Omit<BodyOf<typeof createCampaign>, 'quote_id'>,
): Promise<Campaign> {
  await checkQuote(ctx, quote, body.confirmed_cost);
  const supervisors = await supervisorsToAsk(ctx);
  const { user_id, skip_blackout } = ctx.caller;
  const now = ctx.clock.now();
  const home = await homeOfCampaign(ctx.db, quote.corporation_id);
  const { schedule } = body;
  const { sms_validity } = plainFields(quote.content);
  const times = planTimes(schedule, { zone: home.timezone, now, validity: sms_validity });
  // A campaign that waits for approval and has no start time is checked at its approval.
  if (!supervisors || times.starts_at) refuseBlackout(home, times.starts_at ?? now, skip_blackout);
  await refuseOutsideHours(ctx.db, quote, times.starts_at ?? now, home.timezone);
  const startsNow = !supervisors && times.starts_at === null;
  const starts_at = body.undo && startsNow ? await undoUntil(ctx, quote) : times.starts_at;
  const campaign = await insertCampaign(ctx.db, quote, {
    name: body.name,
    state: supervisors ? 'pending' : 'preparing',
    schedule,
    ...times,
    starts_at,
    skip_blackout,
    asked_by: supervisors ? user_id : null,
    user_id,
    now,
  });
  if (schedule.repeat) {
    await beginSeries(ctx.db, campaign, { schedule, timezone: home.timezone, waiting: supervisors !== null });
  }
  if (supervisors) await askSupervisors(ctx.db, campaign, supervisors);
  else await payAndPrepare(ctx, campaign);
  await audit(ctx, {
    name: 'campaigns',
    description: supervisors ? 'approval asked' : 'created',
    subject_type: 'campaigns',
    subject_id: campaign.id,
    corporation_id: campaign.corporation_id,
    after: { name: campaign.name, quote_id: quote.id, total_count: quote.total_count, cost: quote.cost, schedule },
  });
  failpoint('campaign.created');
  return campaign;
}

/**
 * Returns the supervisors that the caller has to ask, or null if the caller may run campaigns. Throws
 * `supervisor_required`.
 */
export async function supervisorsToAsk(ctx: Context): Promise<number[] | null> {
  if (!needsApproval(ctx)) return null;
  const supervisors = await supervisorsOf(ctx);
  if (supervisors.length === 0) throw new BusinessError('supervisor_required');
  return supervisors;
}

/** Checks that the quoted campaign may still be sent. A cost above the warning limit must be confirmed by the user. */
export async function checkQuote(ctx: Context, quote: Quote, confirmedCost: string | null): Promise<void> {
  if (quote.state !== 'ready') throw new BusinessError('changed_meanwhile');
  if (quote.total_count === 0) throw new BusinessError('audience_empty');
  if (quote.refusal_code) throw new BusinessError(quote.refusal_code as ErrorCode);
  const sender = await ctx.db
    .selectFrom('sender_id')
    .select('id')
    .where('id', '=', plainFields(quote.content).sender_id)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (!sender) throw new BusinessError('sender_not_allowed');
  if (!(await anyLinkEnabled(ctx.db))) throw new BusinessError('no_route');
  const { cost_warning_limit } = await ctx.db
    .selectFrom('billing_account')
    .select('cost_warning_limit')
    .where('id', '=', quote.billing_account_id)
    .executeTakeFirstOrThrow();
  if (cost_warning_limit === null || quote.cost <= cost_warning_limit) return;
  if (confirmedCost === null || toThousandths(confirmedCost) !== quote.cost) {
    throw new BusinessError('cost_not_confirmed');
  }
}
