import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { changeState, lockCampaign, recordTransition, releaseCost } from './campaign-state.ts';
import { homeOfCampaign } from './schedule/plan-schedule.ts';
import { startCampaign } from './schedule/run-campaign.ts';
import { moveOn } from './schedule/series.ts';

/** Campaigns that were held, by their ids. */
export interface HeldCampaigns {
  /** Paused campaigns, which wait for a person to resume or stop them. */
  paused: number[];
  /** Campaigns that were being prepared. No message of them was written, and their reserve was released. */
  stopped: number[];
  /** Series with a due occurrence that is skipped. */
  skipped_series: number[];
}

/**
 * Holds campaigns after the database was restored to an earlier moment, because their messages may have left already.
 * Running campaigns, and those that should start by `now`, are paused. Campaigns in preparation are stopped, and due
 * occurrences of series are skipped. A campaign with a start in the future stays scheduled. The timelines record the
 * reason.
 */
export async function holdCampaigns(db: Kysely<Database>, now: Date, note: string): Promise<HeldCampaigns> {
  const held: HeldCampaigns = { paused: [], stopped: [], skipped_series: [] };
  const by = { user_id: null, note, reason: 'restored' as const };
  const found = await db
    .selectFrom('campaign')
    .select('id')
    .where('state', 'in', ['preparing', 'scheduled', 'running', 'paused'])
    .orderBy('id')
    .execute();
  for (const { id } of found) {
    const campaign = (await lockCampaign(db, id))!;
    const set = { pause_reason: 'person' as const, resumes_at: null };
    switch (campaign.state) {
      case 'preparing':
        await changeState(db, campaign, 'stopped', by, { finished_at: now.toISOString() });
        await releaseCost(db, campaign, null);
        held.stopped.push(id);
        break;
      case 'scheduled': {
        if (campaign.starts_at !== null && Date.parse(campaign.starts_at) > now.getTime()) break;
        await startCampaign(db, campaign, now, by);
        const started = (await lockCampaign(db, id))!;
        if (started.state === 'running') await changeState(db, started, 'paused', by, set);
        else await db.updateTable('campaign').set(set).where('id', '=', id).execute();
        held.paused.push(id);
        break;
      }
      case 'running':
        await changeState(db, campaign, 'paused', by, set);
        held.paused.push(id);
        break;
      default:
        // A pause for a blackout time would end by itself. Other pauses keep their reason, which decides how they end.
        if (campaign.pause_reason === 'blackout')
          await db.updateTable('campaign').set(set).where('id', '=', id).execute();
        await recordTransition(db, campaign, 'paused', 'paused', by);
        held.paused.push(id);
    }
  }
  held.skipped_series = await skipDueOccurrences(db, now);
  return held;
}

async function skipDueOccurrences(db: Kysely<Database>, now: Date): Promise<number[]> {
  const due = await db
    .selectFrom('campaign_series')
    .selectAll()
    .where('state', '=', 'active')
    .where('next_at', '<=', now.toISOString())
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const series of due) {
    const { timezone } = await homeOfCampaign(db, series.corporation_id);
    await moveOn(db, series, timezone, now);
  }
  return due.map(({ id }) => id);
}
