import { type NotNull, sql } from 'kysely';
import { isUnpaid } from '#modules/billing';
import { readHours } from '#modules/policy';
import { isTransient } from '#platform/database/transient-error';
import type { Repeated } from '#platform/jobs/repeat';
import { repeatWhileWork, SOON } from '#platform/jobs/work-watch';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { emit, notify } from '#platform/realtime/realtime';
import { type Campaign, changeState, lockCampaign } from '../campaign-state.ts';
import { TESTS_SOON, takeTestSteps } from '../variants/test-clock.ts';
import { type CampaignHours, endOfQuiet, holdChunks, zonesOfCampaign } from './hold-chunks.ts';
import { failsTooOften, nextStep, type Progress, type Step, type Timed } from './next-step.ts';
import { type Home, homeOfCampaign, isSwitchedOff, scheduleOf } from './plan-schedule.ts';
import {
  endCampaign,
  pauseInBlackout,
  pauseSwitchedOff,
  pauseUnpaid,
  resumeCampaign,
  startCampaign,
} from './run-campaign.ts';
import { makeOccurrences, SERIES_SOON } from './series.ts';

const EVERY_MS = 500;
const MINUTE_MS = 60_000;

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'config' | 'log' | 'watch'>;

/** Campaigns and series with a step that may be due before the next look for work. */
const STEPS_SOON = `EXISTS (SELECT FROM running_campaigns()) OR EXISTS (
  SELECT FROM waiting_campaigns() WHERE state = 'preparing' OR ends_at <= ${SOON}
    OR (state = 'scheduled' AND coalesce(starts_at, now()) <= ${SOON})
    OR (state = 'paused' AND pause_reason IN ('blackout', 'switched_off', 'unpaid'))
) OR ${SERIES_SOON} OR ${TESTS_SOON}`;

/**
 * Starts, pauses, resumes and ends campaigns by the clock. The next step follows only from the rows and the time, and
 * is checked again behind the campaign's lock. So any number of workers may look, and the others continue if one dies.
 */
export class CampaignClock {
  readonly #worker: Worker;
  /**
   * Groups of recipients that had quiet hours at the last look, by campaign. If they change, chunks must be held or
   * opened.
   */
  readonly #quiet = new Map<number, string>();
  /** Groups of a campaign's recipients; they change only with the first sending hours and with the corporation's zone. */
  readonly #zones = new Map<number, { place: string; zones: readonly string[] }>();
  /** Whether there were sending hours at the last look, or before the first; their end releases what they held. */
  #hadHours = true;
  #looking: Repeated | undefined;
  #stopped = false;
  #lookedAt = performance.now();

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Time of the last complete look (performance.now()). */
  get lookedAt(): number {
    return this.#lookedAt;
  }

  start(): void {
    const { watch } = this.#worker;
    watch?.add({ sql: STEPS_SOON });
    this.#looking = repeatWhileWork(
      watch,
      EVERY_MS,
      async () => {
        await this.look();
        this.#lookedAt = performance.now();
      },
      (error) => {
        const level = isTransient(error) ? 'warn' : 'error';
        this.#worker.log[level]({ err: error }, 'could not check campaign schedules; retrying');
      },
    );
    this.#looking.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking?.stop();
  }

  /** Looks once at everything that the clock may change. A fault of one campaign does not stop the others. */
  async look(): Promise<void> {
    const now = this.#worker.clock.now();
    const hours = await readHours(this.#worker.database);
    const found = await this.#candidates(now, hours.length > 0 || this.#hadHours);
    for (const { id, home, progress, ...campaign } of found) {
      // The next look of any worker handles the rest.
      if (this.#stopped) return;
      try {
        if (nextStep(campaign, progress, home, now)) await this.#step(id, now);
        if (campaign.state === 'running') await this.#keepQuiet(id, campaign, { hours, home: home.timezone }, now);
      } catch (error) {
        if (isTransient(error)) throw error;
        this.#worker.log.error({ err: error, campaign_id: id }, 'could not run campaign schedule');
      }
    }
    this.#hadHours = hours.length > 0;
    this.#forget(new Set(found.map(({ id }) => id)));
    await makeOccurrences(this.#worker);
    await takeTestSteps(this.#worker);
  }

  /**
   * Finds the campaigns that may have a step due. These are waiting ones, and running or paused ones with an end, a
   * blackout time, quiet hours or a canary. With sending hours of the platform, all running ones may.
   */
  async #candidates(now: Date, inHours: boolean): Promise<(Timed & { id: number; home: Home; progress: Progress })[]> {
    const at = now.toISOString();
    const { rows: held } = await sql`SELECT FROM billing_account WHERE hold <> 'none' LIMIT 1`.execute(
      this.#worker.database,
    );
    // Most installations hold no account; then the statement below reads only the campaigns that wait.
    const unpaid = held.length > 0 ? sql`sending_hold(c.billing_account_id) <> 'none'` : sql`false`;
    const { rows } = await sql<
      Timed & Progress & { id: number; timezone: string; blackout_start: string | null; blackout_end: string | null }
    >`SELECT c.id, c.state, c.schedule, c.starts_at, c.ends_at, c.skip_blackout, c.pause_reason, c.canary_state,
        c.canary_count, c.canary_until, n.processed, n.failed, n.expired, o.timezone,
        NOT o.enabled OR NOT coalesce(d.enabled, true) AS switched_off,
        ${unpaid} AS unpaid, b.start_time AS blackout_start, b.end_time AS blackout_end
      FROM campaign c JOIN campaign_figure n ON n.campaign_id = c.id JOIN corporation o ON o.id = c.corporation_id
      LEFT JOIN department d ON d.id = c.department_id
      LEFT JOIN blackout_time b ON b.corporation_id = c.corporation_id AND b.enabled
      WHERE c.state IN ('scheduled', 'running', 'paused') AND (
        c.ends_at <= ${at}
        OR (c.state = 'scheduled' AND coalesce(c.starts_at, ${at}) <= ${at})
        OR (c.state = 'paused' AND c.pause_reason IN ('blackout', 'switched_off', 'unpaid'))
        OR (c.state = 'running' AND (
          NOT o.enabled OR NOT d.enabled OR ${unpaid} OR (b.id IS NOT NULL AND NOT c.skip_blackout) OR c.canary_state IN ('sending', 'watching') OR jsonb_typeof(c.schedule->'quiet') = 'object' OR ${inHours})))
      ORDER BY c.id`.execute(this.#worker.database);
    return rows.map(({ timezone, blackout_start, blackout_end, processed, failed, expired, ...campaign }) => ({
      ...campaign,
      progress: { processed, failed, expired },
      home: {
        timezone,
        blackout: blackout_start && blackout_end ? { from: blackout_start, to: blackout_end } : null,
      },
    }));
  }

  async #step(id: number, now: Date): Promise<void> {
    await this.#worker.database.transaction().execute(async (db) => {
      const campaign = await lockCampaign(db, id);
      if (!campaign) return;
      const progress = await db
        .selectFrom('campaign_figure')
        .select(['processed', 'failed', 'expired'])
        .$narrowType<{ processed: NotNull; failed: NotNull; expired: NotNull }>()
        .where('campaign_id', '=', id)
        .executeTakeFirstOrThrow();
      const home = await homeOfCampaign(db, campaign.corporation_id);
      const switched_off = await isSwitchedOff(db, campaign);
      const unpaid = await isUnpaid(db, campaign);
      const step = nextStep({ ...campaign, switched_off, unpaid }, progress, home, now);
      if (step) await STEPS[step](db, campaign, now, progress);
    });
  }

  async #keepQuiet(id: number, campaign: Timed, rules: CampaignHours, now: Date): Promise<void> {
    const { database } = this.#worker;
    const place = `${rules.hours.length > 0} ${rules.home}`;
    let known = this.#zones.get(id);
    if (known?.place !== place) {
      known = { place, zones: await zonesOfCampaign(database, id, rules) };
      this.#zones.set(id, known);
    }
    const quiet = known.zones.filter((each) => endOfQuiet(campaign, each, now, rules.hours) !== null).join(' ');
    if (this.#quiet.get(id) === quiet) return;
    await database.transaction().execute(async (db) => {
      const locked = await lockCampaign(db, id);
      if (locked?.state === 'running') await holdChunks(db, locked, now);
    });
    this.#quiet.set(id, quiet);
  }

  #forget(living: ReadonlySet<number>): void {
    for (const id of this.#zones.keys()) {
      if (living.has(id)) continue;
      this.#zones.delete(id);
      this.#quiet.delete(id);
    }
  }
}

type Db = Parameters<typeof lockCampaign>[0];
const BY_CLOCK = { user_id: null };

const STEPS: Readonly<Record<Step, (db: Db, campaign: Campaign, now: Date, progress: Progress) => Promise<unknown>>> = {
  start: (db, campaign, now) => startCampaign(db, campaign, now, BY_CLOCK),
  end: endCampaign,
  blackout: pauseInBlackout,
  blackout_over: (db, campaign, now) => resumeCampaign(db, campaign, now, { ...BY_CLOCK, reason: 'blackout_over' }),
  switched_off: pauseSwitchedOff,
  unpaid: pauseUnpaid,
  paid: (db, campaign, now) => resumeCampaign(db, campaign, now, { ...BY_CLOCK, reason: 'paid' }),
  switched_on: (db, campaign, now) => resumeCampaign(db, campaign, now, { ...BY_CLOCK, reason: 'switched_on' }),
  watch_canary: async (db, campaign, now) => {
    const minutes = scheduleOf(campaign).canary?.watch_minutes ?? 0;
    const canary_until = new Date(now.getTime() + minutes * MINUTE_MS).toISOString();
    await setCanary(db, campaign, { canary_state: 'watching', canary_until });
  },
  judge_canary: async (db, campaign, now, progress) => {
    if (failsTooOften(campaign, progress) || (await optOutsTooOften(db, campaign))) {
      await changeState(
        db,
        campaign,
        'paused',
        { ...BY_CLOCK, reason: 'canary' },
        { pause_reason: 'canary', canary_state: 'failed' },
      );
      await notify(db, campaign.created_by, 'campaign.paused', { campaign_id: campaign.id, name: campaign.name });
      return;
    }
    await setCanary(db, campaign, { canary_state: 'passed' });
    await holdChunks(db, { ...campaign, canary_state: 'passed' }, now);
  },
};

async function setCanary(
  db: Db,
  { id }: Campaign,
  set: { canary_state: 'watching' | 'passed'; canary_until?: string },
): Promise<void> {
  await db.updateTable('campaign').set(set).where('id', '=', id).execute();
  await emit(db, `private-campaign.${id}`, 'campaign.progress', { id, state: 'running' });
}

/** Tells if more recipients of the canary have opted out than its rule allows. */
async function optOutsTooOften(db: Db, campaign: Campaign): Promise<boolean> {
  const { canary } = scheduleOf(campaign);
  if (!canary) return false;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM opt_out o
    WHERE o.corporation_id = ${campaign.corporation_id} AND o.ended_at IS NULL AND o.opted_out_at >= ${campaign.started_at}
      AND EXISTS (SELECT FROM message m JOIN chunk k ON k.id = m.id >> 10
        WHERE m.msisdn = o.number AND m.campaign_id = ${campaign.id} AND NOT k.after_canary)`.execute(db);
  return (rows[0]!.count / Math.max(1, campaign.canary_count ?? 0)) * 100 > canary.max_opt_out_percent;
}
