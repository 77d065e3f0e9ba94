import type { releaseRow } from '@heliograph/contract/campaigns/campaign-row';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '#platform/context';
import { endOfQuiet } from './hold-chunks.ts';

/** When messages that have not left may leave, by the zones of their recipients; the earliest first. */
export async function releasesOf(ctx: Context, campaignId: number): Promise<z.input<typeof releaseRow>[]> {
  const campaign = await ctx.db
    .selectFrom('campaign')
    .select(['schedule', 'starts_at', 'state'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  const now = ctx.clock.now();
  const from = campaign.state === 'scheduled' && campaign.starts_at ? new Date(campaign.starts_at) : now;
  const { rows } = await sql<{ quiet_zone: string; messages: number }>`
    SELECT quiet_zone, sum(size - cursor)::bigint AS messages FROM chunk
    WHERE campaign_id = ${campaignId} AND quiet_zone IS NOT NULL AND state IN ('open', 'held') AND cursor < size
    GROUP BY quiet_zone`.execute(ctx.db);
  return rows
    .map(({ quiet_zone, messages }) => {
      const end = endOfQuiet(campaign, quiet_zone, from);
      return { zone: quiet_zone, messages, release_at: end?.toISOString() ?? null };
    })
    .sort((a, b) => (a.release_at ?? '').localeCompare(b.release_at ?? '') || b.messages - a.messages);
}
