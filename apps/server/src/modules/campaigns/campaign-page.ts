import * as contract from '@heliograph/contract/campaigns/campaign';
import type { releaseRow, TransitionReason } from '@heliograph/contract/campaigns/campaign-row';
import { languageCount } from '@heliograph/contract/campaigns/languages';
import { campaignMessages as listMessages } from '@heliograph/contract/campaigns/message';
import type { MessageState } from '@heliograph/contract/kernel/states';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { attachRejects } from '#platform/tasks/reject-file';
import { campaignMessages } from './campaign-messages.ts';
import { findCampaignRow } from './campaign-rows.ts';
import { type KeptSegment, segmentsOf } from './kept-segments.ts';
import { clicksOf } from './link-results.ts';
import { endOfQuiet, hoursOf } from './schedule/hold-chunks.ts';
import { scheduleOf } from './schedule/plan-schedule.ts';
import { placedLanguageTexts } from './sealed-content.ts';

/** Returns the times at which waiting messages may leave, by the zones of their recipients, the earliest first. */
async function releasesOf(ctx: Context, campaignId: number): Promise<z.input<typeof releaseRow>[]> {
  const campaign = await ctx.db
    .selectFrom('campaign')
    .select(['schedule', 'starts_at', 'state', 'corporation_id'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  const now = ctx.clock.now();
  const from = campaign.state === 'scheduled' && campaign.starts_at ? new Date(campaign.starts_at) : now;
  const { hours, home } = await hoursOf(ctx.db, campaign.corporation_id);
  if (hours.length === 0 && !scheduleOf(campaign).quiet) return [];
  const { rows } = await sql<{ quiet_zone: string; messages: number }>`
    SELECT coalesce(quiet_zone, ${home}) AS quiet_zone, sum(size - cursor)::bigint AS messages FROM chunk
    WHERE campaign_id = ${campaignId} AND state IN ('open', 'held') AND cursor < size GROUP BY 1`.execute(ctx.db);
  return rows
    .map(({ quiet_zone, messages }) => {
      const end = endOfQuiet(campaign, quiet_zone, from, hours);
      return { zone: quiet_zone, messages, release_at: end?.toISOString() ?? null };
    })
    .sort((a, b) => (a.release_at ?? '').localeCompare(b.release_at ?? '') || b.messages - a.messages);
}

const LIVE: ReadonlySet<string> = new Set(['scheduled', 'running', 'paused']);

/** Mounts one campaign with its timeline and failures, its messages, and the file of rejected recipients. */
export function campaignPageRoutes(app: App): void {
  mount(app, contract.getCampaign, async (ctx, { params }) => {
    const row = await findCampaignRow(ctx, params.id);
    const kept = await ctx.db
      .selectFrom('campaign')
      .select(['corporation_id', 'content', 'languages'])
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow();
    const failures = row.failed + row.expired + row.blocked > 0 ? await failuresOf(ctx, params.id) : [];
    const releases = LIVE.has(row.state) ? await releasesOf(ctx, params.id) : [];
    return {
      data: {
        ...row,
        timeline: await timelineOf(ctx, params.id),
        segments: await keptOf(ctx, kept.content),
        languages: z.array(languageCount).parse(kept.languages ?? []),
        language_texts: row.content === null ? null : placedLanguageTexts(kept),
        releases,
        failures,
        clicks: await clicksOf(ctx, params.id),
        ...(await repliesOf(ctx, params.id)),
      },
    };
  });
  mount(app, contract.campaignDeliveries, async (ctx, { params }) => {
    await findCampaignRow(ctx, params.id);
    return { data: await deliveriesOf(ctx, params.id) };
  });
  mount(app, listMessages, async (ctx, { params, query }) => {
    const campaign = await findCampaignRow(ctx, params.id);
    return campaignMessages(ctx, campaign, query);
  });
  mountFile(app, contract.campaignRejected, 'whole', async (ctx, { params, query }) => {
    const campaign = await ctx.db
      .selectFrom('campaign')
      .select(['id', 'rejected_count', 'rejected_path'])
      .where('id', '=', params.id)
      .executeTakeFirst();
    const path = campaign?.rejected_path;
    if (!path || campaign.rejected_count === 0) throw new BusinessError('not_found');
    return attachRejects(ctx.config, path, `campaign-${campaign.id}-rejected`, query.format);
  });
}

/** Returns the segments of a campaign. Lists and campaigns that the caller does not see have no name. */
async function keptOf(ctx: Context, content: unknown): Promise<KeptSegment[]> {
  const kept = segmentsOf(content);
  const seen = async (table: 'number_list' | 'campaign', ids: readonly string[]) => {
    if (ids.length === 0) return new Set<string>();
    const rows = await ctx.db.selectFrom(table).select('id').where('id', 'in', ids.map(Number)).execute();
    return new Set(rows.map((row) => String(row.id)));
  };
  const lists = await seen(
    'number_list',
    kept.flatMap(({ names }) => Object.keys(names.lists)),
  );
  const campaigns = await seen(
    'campaign',
    kept.flatMap(({ names }) => Object.keys(names.campaigns)),
  );
  const only = (names: Record<string, string>, ids: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(names).filter(([each]) => ids.has(each)));
  return kept.map((segment) => ({
    ...segment,
    names: {
      fields: segment.names.fields,
      lists: only(segment.names.lists, lists),
      campaigns: only(segment.names.campaigns, campaigns),
    },
  }));
}

/** Counts the phones with messages that were counted as replies to a campaign, and those that opted out by them. */
async function repliesOf(ctx: Context, id: number): Promise<{ replies: number; opt_outs: number }> {
  const { rows } = await sql<{ replies: number; opt_outs: number }>`
    SELECT count(DISTINCT oa) AS replies, count(DISTINCT oa) FILTER (WHERE handled = 'opt_out') AS opt_outs
    FROM inbox_message WHERE campaign_id = ${id}`.execute(ctx.db);
  return rows[0]!;
}

/** Counts the delivered messages by minute. Most receipts are stored in packs of many messages, at one time. */
async function deliveriesOf(ctx: Context, id: number) {
  const { rows } = await sql<{ minute: string; delivered: number }>`
    WITH k AS MATERIALIZED (SELECT id, id << 10 AS first, (id + 1) << 10 AS past FROM chunk WHERE campaign_id = ${id})
    SELECT date_trunc('minute', at) AS minute, sum(delivered)::bigint AS delivered FROM (
      SELECT p.at, 1 + length(p.places) - length(replace(p.places, ',', '')) AS delivered
      FROM k JOIN receipt_pack p ON p.chunk_id = k.id
      UNION ALL
      SELECT o.done_at, 1 FROM k JOIN outcome o ON o.message_id >= k.first AND o.message_id < k.past
      WHERE o.state = 'delivered'
    ) d GROUP BY 1 ORDER BY 1 LIMIT 5000`.execute(ctx.db);
  return rows;
}

function timelineOf(ctx: Context, id: number) {
  return ctx.db
    .selectFrom('campaign_transition')
    .leftJoin('user_account', 'user_account.id', 'campaign_transition.user_id')
    .select([
      'campaign_transition.created_at',
      'campaign_transition.from_state',
      'campaign_transition.to_state',
      'user_account.name as user_name',
      'campaign_transition.note',
      sql<TransitionReason | null>`campaign_transition.reason`.as('reason'),
    ])
    .where('campaign_transition.campaign_id', '=', id)
    .orderBy('campaign_transition.id')
    .execute();
}

/**
 * Counts failures by reason, including messages that expired before they left. Outcomes are found by ranges of ids,
 * computed first as columns, because under row level security an index serves no arithmetic.
 */
async function failuresOf(ctx: Context, id: number) {
  const { rows } = await sql<{ state: MessageState; error_code: string; count: number }>`
    WITH k AS MATERIALIZED (
      SELECT id << 10 AS first, (id + 1) << 10 AS past, state, size - cursor AS unsent FROM chunk WHERE campaign_id = ${id}
    )
    SELECT o.state, coalesce(o.error_code, '') AS error_code, count(*) AS count
    FROM k JOIN outcome o ON o.message_id >= k.first AND o.message_id < k.past
    WHERE o.state NOT IN ('delivered', 'submitted', 'pending', 'cancelled')
    GROUP BY 1, 2
    UNION ALL
    SELECT 'expired', 'not_sent', sum(unsent)::bigint FROM k WHERE state = 'expired' HAVING sum(unsent) > 0
    ORDER BY 3 DESC, 1, 2 LIMIT 50`.execute(ctx.db);
  return rows;
}
