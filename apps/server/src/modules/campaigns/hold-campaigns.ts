import type { Kysely } from 'kysely';
import type { Database } from '#platform/db';
import { changeState, lockCampaign, recordTransition, releaseCost } from './campaign-state.ts';
import { homeOfCampaign } from './schedule/plan-schedule.ts';
import { startCampaign } from './schedule/run-campaign.ts';
import { moveOn } from './schedule/series.ts';

/** What became of campaigns, by their ids. */
export interface HeldCampaigns {
  /** They wait for a person to resume or stop them. */
  paused: number[];
  /** They were being prepared: nothing of them was written, and their reserve was released. */
  stopped: number[];
  /** Series whose occurrence that was due is left out. */
  skipped_series: number[];
}

/**
 * Keeps everything from leaving by itself that may have left before, after the database was put back to an earlier moment:
 * what runs is paused, what was to start by `now` is paused, what was being prepared is stopped, and no occurrence of a
 * series that was due is made. A campaign whose time is still to come stays scheduled. The timelines say why.
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
        // A pause by the clock would end by itself; the others keep their reason, which decides how they go on.
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
