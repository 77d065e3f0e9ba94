import * as contract from '@heliograph/contract/campaigns/campaign';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { readSettings } from '#platform/operator/settings';
import { auditChange } from './audit-change.ts';
import { findCampaignRow } from './campaign-rows.ts';
import { lockCampaign } from './campaign-state.ts';
import { stopFor } from './change-campaign.ts';
import type { Quote } from './quotes.ts';
import { waitsForUndo } from './schedule/plan-schedule.ts';

/**
 * Returns the time until which a campaign that should start now waits for an undo, or null if it is too small. It is
 * the start time of the campaign, so the clock starts it even if its sender closes the screen or a process dies.
 */
export async function undoUntil(ctx: Context, quote: Quote): Promise<Date | null> {
  const settings = await readSettings(ctx.db, ['undo_seconds', 'undo_messages']);
  const seconds = Number(settings.get('undo_seconds') ?? 0);
  if (seconds === 0) return null;
  const account = await ctx.db
    .selectFrom('billing_account')
    .select('cost_warning_limit')
    .where('id', '=', quote.billing_account_id)
    .executeTakeFirstOrThrow();
  const limit = account.cost_warning_limit;
  const isLarge = quote.total_count >= Number(settings.get('undo_messages') ?? Number.POSITIVE_INFINITY);
  if (!isLarge && (limit === null || quote.cost <= limit)) return null;
  return new Date(ctx.clock.now().getTime() + seconds * 1_000);
}

/** Mounts the undo of sending. It is possible until the campaign has started. */
export function undoRoute(app: App): void {
  mount(app, contract.undoCampaign, async (ctx, { params, body }) => {
    const campaign = await lockCampaign(ctx.db, params.id);
    if (!campaign) throw new BusinessError('not_found');
    if (campaign.created_by !== ctx.caller.user_id) throw new BusinessError('forbidden');
    if (!waitsForUndo(campaign)) throw new BusinessError('undo_over');
    await stopFor(ctx, campaign, { user_id: ctx.caller.user_id, note: body.note, reason: 'undone' });
    const after = await findCampaignRow(ctx, campaign.id);
    await auditChange(ctx, campaign, 'sending undone', { state: campaign.state }, { state: after.state });
    return { data: after };
  });
}
