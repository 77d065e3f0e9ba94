import { createCampaign } from '@heliograph/contract/campaigns/campaign';
import { campaignContent } from '@heliograph/contract/campaigns/quote';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { z } from 'zod';
import { anyLinkEnabled } from '#modules/delivery';
import { audit } from '#platform/audit';
import type { Context } from '#platform/context';
import { BusinessError, constraintError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import { type App, mount } from '#platform/http';
import { defineJob, enqueue } from '#platform/jobs';
import { notify } from '#platform/realtime';
import { findCampaignRow } from './campaign-rows.ts';
import { recordTransition, reserveCost } from './campaign-state.ts';
import { findQuote, needsApproval, type Quote, supervisorsOf } from './quotes.ts';

/** Writes a campaign's messages and lets it run. */
export const prepareCampaignJob = defineJob('prepare-campaign', z.object({ campaign_id: z.int() }));

/** Mounts the call that makes a campaign of a quote. */
export function createCampaignRoute(app: App): void {
  mount(app, createCampaign, async (ctx, { body }) => {
    const quote = await findQuote(ctx, body.quote_id);
    const account = await checkQuote(ctx, quote);
    if (account.cost_warning_limit !== null && quote.cost > account.cost_warning_limit) {
      if (body.confirmed_cost === null || toThousandths(body.confirmed_cost) !== quote.cost) {
        throw new BusinessError('cost_not_confirmed');
      }
    }
    const supervisors = needsApproval(ctx) ? await supervisorsOf(ctx) : null;
    if (supervisors?.length === 0) throw new BusinessError('supervisor_required');
    const campaign = await insertCampaign(ctx, quote, body.name, supervisors ? 'pending' : 'preparing');
    if (supervisors) {
      for (const id of supervisors) {
        await notify(ctx.db, id, 'campaign.pending', { campaign_id: campaign.id, name: campaign.name });
      }
    } else {
      if (account.suspended || !account.enabled) throw new BusinessError('billing_account_suspended');
      await reserveCost(ctx.db, campaign, ctx.caller.user_id);
      await enqueue(ctx.db, prepareCampaignJob, { campaign_id: campaign.id });
    }
    await audit(ctx, {
      name: 'campaigns',
      description: supervisors ? 'approval asked' : 'created',
      subject_type: 'campaigns',
      subject_id: campaign.id,
      corporation_id: campaign.corporation_id,
      after: { name: campaign.name, quote_id: quote.id, total_count: quote.total_count, cost: quote.cost },
    });
    failpoint('campaign.created');
    return { data: await findCampaignRow(ctx, campaign.id) };
  });
}

/** Checks that what was quoted may still be sent, and answers the account that pays. */
async function checkQuote(ctx: Context, quote: Quote) {
  if (quote.state !== 'ready') throw new BusinessError('changed_meanwhile');
  if (quote.total_count === 0) throw new BusinessError('audience_empty');
  const sender = await ctx.db
    .selectFrom('sender_id')
    .select('id')
    .where('id', '=', campaignContent.parse(quote.content).sender_id)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (!sender) throw new BusinessError('sender_not_allowed');
  if (!(await anyLinkEnabled(ctx.db))) throw new BusinessError('no_route');
  return ctx.db
    .selectFrom('billing_account')
    .select(['cost_warning_limit', 'suspended', 'enabled'])
    .where('id', '=', quote.billing_account_id)
    .executeTakeFirstOrThrow();
}

async function insertCampaign(ctx: Context, quote: Quote, name: string, state: 'pending' | 'preparing') {
  const { sender_id } = await ctx.db
    .selectFrom('sender_id')
    .select('sender_id')
    .where('id', '=', campaignContent.parse(quote.content).sender_id)
    .executeTakeFirstOrThrow();
  const campaign = await ctx.db
    .insertInto('campaign')
    .values({
      corporation_id: quote.corporation_id,
      department_id: quote.department_id,
      created_by: quote.user_id,
      billing_account_id: quote.billing_account_id,
      quote_id: quote.id,
      name,
      content: JSON.stringify(quote.content),
      sender_id,
      state,
      total_count: quote.total_count,
      total_sms: quote.total_sms,
      gsm_count: quote.gsm_count,
      unicode_count: quote.unicode_count,
      rejected_count: quote.rejected_count,
      rejected_path: quote.rejected_path,
      estimated_cost: quote.cost,
      reseller_cost: quote.reseller_cost,
      pricing: JSON.stringify(quote.pricing),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      // The quote was made a campaign before, by a double click or another tab.
      throw constraintError(error, { campaign_quote_id_key: 'changed_meanwhile' }) ?? error;
    });
  await ctx.db
    .insertInto('campaign_counter')
    .values({ campaign_id: campaign.id, corporation_id: campaign.corporation_id })
    .execute();
  await recordTransition(ctx.db, campaign, null, state, { user_id: ctx.caller.user_id });
  return campaign;
}
