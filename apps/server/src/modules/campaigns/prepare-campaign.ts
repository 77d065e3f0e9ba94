import { campaignContent } from '@heliograph/contract/campaigns/quote';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { mayBecome } from '@heliograph/contract/kernel/states';
import { type Kysely, sql } from 'kysely';
import type { Pricing } from '#modules/billing';
import { HeldTexts, readModeration, WebFindings } from '#modules/moderation';
import { countRecipients, readHours } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import { lastingFailure } from '#platform/jobs/failure';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { emit } from '#platform/realtime/realtime';
import { throttled } from '#platform/tasks/progress';
import { currentTextKey } from '#platform/text/text-keys';
import { loadPlan } from './audience-plan.ts';
import { type Campaign, changeState, lockCampaign, releaseCost } from './campaign-state.ts';
import { isCommon } from './composer.ts';
import { deadAsQuoted } from './dead-numbers.ts';
import { type AudienceTotals, type ExpandedMessage, expandAudience } from './expand-audience.ts';
import { fingerprintOf } from './fingerprint.ts';
import { LanguageCounts } from './language-texts.ts';
import { WriteAhead } from './read-ahead.ts';
import { homeOfCampaign, scheduleOf } from './schedule/plan-schedule.ts';
import { letRun } from './schedule/run-campaign.ts';
import { openScheduledWriter } from './schedule/scheduled-writer.ts';
import { openContent } from './sealed-content.ts';
import { openShortLinks } from './short-links.ts';
import { parametersFor } from './template-values.ts';
import { cancelAll, isHalfWritten } from './unwritten.ts';
import { audienceForParts, NoLongerPreparing, type PartsOf, writeParts } from './write-parts.ts';

const NO_PAUSE = { pause_reason: null, resumes_at: null };

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>;

/** Maximum writes under way while texts are made; each has a thousand rows. */
const WRITES_AHEAD = 3;

/**
 * Writes the messages of a campaign and lets it run. A large one may be written in parts that are sent while others are
 * written; the next attempt goes on after the committed parts. Any other is written in one transaction: if a worker dies
 * there are no messages, and the next attempt begins again. A campaign that was stopped meanwhile, or prepared by another
 * worker, gets none. If the audience differs from the quote, the campaign is rejected and its reserve released.
 */
export async function prepareCampaign(worker: Worker, campaignId: number, signal: AbortSignal): Promise<void> {
  const { database } = worker;
  const campaign = await database.selectFrom('campaign').selectAll().where('id', '=', campaignId).executeTakeFirst();
  if (campaign?.state === 'pending' && campaign.revision > 0) {
    await database.transaction().execute((db) => removeEarlierMessages(db, campaignId));
  }
  if (!campaign) return;
  const begun = await isHalfWritten(database, campaignId);
  if (campaign.state !== 'preparing' && !begun) return;
  try {
    if (!begun) checkApproval(campaign);
    await writeMessages(worker, campaign, begun, signal);
  } catch (error) {
    if (error instanceof NoLongerPreparing) return;
    const failure = lastingFailure(error, signal);
    if (!failure) throw error;
    const known = error instanceof BusinessError;
    if (!known) worker.log.error({ err: error, campaign_id: campaignId }, 'could not prepare campaign');
    const reason = failure === 'internal_error' ? 'campaign_prepare_failed' : failure;
    await giveUp(worker, campaignId, known ? 'rejected' : 'failed', reason);
  }
}

/** Tells if a campaign still waits for messages. */
export async function isBeingPrepared(db: Kysely<Database>, campaignId: number): Promise<boolean> {
  const row = await db.selectFrom('campaign').select('state').where('id', '=', campaignId).executeTakeFirst();
  return row?.state === 'preparing' || row?.state === 'pending' || (await isHalfWritten(db, campaignId));
}

/** Throws if a campaign differs from the approved one. No edit may come between the approval and the messages. */
function checkApproval(campaign: Campaign): void {
  const { approved_fingerprint } = campaign;
  if (approved_fingerprint !== null && approved_fingerprint !== fingerprintOf(campaign)) {
    throw new BusinessError('changed_meanwhile');
  }
}

/** Deletes the messages of an earlier version that was scheduled and then edited. None of them was ever handed over. */
async function removeEarlierMessages(db: Kysely<Database>, campaignId: number): Promise<void> {
  const earlier = db
    .selectFrom('chunk')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'cancelled');
  await db
    .deleteFrom('message')
    .where('campaign_id', '=', campaignId)
    .where(sql<number>`id >> 10`, 'in', earlier)
    .execute();
  await db.deleteFrom('chunk').where('campaign_id', '=', campaignId).where('state', '=', 'cancelled').execute();
}

async function writeMessages(worker: Worker, campaign: Campaign, begun: boolean, signal: AbortSignal): Promise<void> {
  const { database, config, clock } = worker;
  const stored = await openContent({ db: database, config }, campaign);
  const content = campaignContent.parse(stored);
  const pricing = campaign.pricing as Pricing | null;
  const sending = { ...campaign, user_id: campaign.created_by };
  const now = await loadPlan(database, config, sending, stored, pricing, clock.now(), campaign.quote_id);
  const plan = { ...now, dead: await deadAsQuoted(database, now, campaign.quote_id) };
  const account = await database
    .selectFrom('billing_account')
    .select('charge_on_delivery')
    .where('id', '=', campaign.billing_account_id)
    .executeTakeFirstOrThrow();
  // If all messages have the same text, the chunk stores it once.
  const common_text = isCommon(plan) ? content.content + plan.ending : null;
  const shared = {
    corporation_id: campaign.corporation_id,
    department_id: campaign.department_id,
    user_id: campaign.created_by,
    billing_account_id: campaign.billing_account_id,
    campaign_id: campaign.id,
    class: 'bulk' as const,
    sender_id: campaign.sender_id,
    flash: content.flash,
    charge_on_delivery: account.charge_on_delivery,
    common_text,
    text_key: await currentTextKey(database, config, campaign.corporation_id),
    parameters: await parametersFor(database, campaign.corporation_id, { ...(stored as object), ...content }),
  };
  const of = { campaign, plan, shared };
  const audience = await audienceForParts(worker, campaign, plan, begun);
  if (audience) await writeParts(worker, of, audience, signal);
  else await writeWhole(worker, of, signal);
}

/** Writes all messages in one transaction, after which the campaign may run. */
async function writeWhole(worker: Worker, { campaign, plan, shared }: PartsOf, signal: AbortSignal): Promise<void> {
  const { database, clock } = worker;
  const { common_text } = shared;
  const languages = plan.languages && new LanguageCounts(plan.languages);
  const moderated = new HeldTexts(await readModeration(database), campaign);
  if (common_text !== null && !moderated.byNumber) moderated.look(common_text, '');
  await database.transaction().execute(async (db) => {
    if (campaign.revision > 0) await removeEarlierMessages(db, campaign.id);
    const { timezone } = await homeOfCampaign(db, campaign.corporation_id);
    const in_hours = (await readHours(db)).length > 0;
    const held = { total: campaign.total_count, home: timezone, in_hours };
    const writer = openScheduledWriter(db, shared, plan.prices.pricing.reseller, scheduleOf(campaign), held);
    const links =
      plan.short_link_base !== null && common_text === null
        ? openShortLinks(db, plan.short_link_base, { ...shared, campaign_id: campaign.id })
        : null;
    const add = (message: ExpandedMessage) => {
      if (common_text !== null) return writer.add({ ...message, text: null });
      if (!links) return writer.add(message);
      return writer.add({ ...message, text: links.shorten(message.written, message.msisdn) + plan.ending });
    };
    // A chunk is written while the next is made.
    await using ahead = new WriteAhead(WRITES_AHEAD);
    const findings = new WebFindings();
    const totals = await expandAudience(
      database,
      plan,
      {
        findings,
        message: (message) => {
          languages?.add(message);
          if (common_text === null || moderated.byNumber)
            moderated.look(common_text ?? message.written + plan.ending, message.msisdn);
          return ahead.after(add(message), links?.write());
        },
        progress: throttled(({ total_count }) =>
          emit(database, `private-campaign.${campaign.id}`, 'campaign.progress', {
            id: campaign.id,
            state: 'preparing',
            prepared: total_count,
            total_count: campaign.total_count,
          }),
        ),
      },
      signal,
    );
    await ahead.done();
    await links?.flush();
    await findings.write(db, common_text === null ? 1 : totals.total_count);
    const written = await writer.flush();
    const { amount, reseller_amount } = written;
    if (
      !asQuoted(totals, campaign) ||
      amount !== campaign.estimated_cost ||
      reseller_amount !== campaign.reseller_cost
    ) {
      throw new BusinessError('audience_changed');
    }
    const locked = await lockCampaign(db, campaign.id);
    if (locked?.state !== 'preparing') throw new NoLongerPreparing();
    await moderated.write(db, shared.text_key);
    if (languages) {
      const counted = JSON.stringify(languages.result());
      await db.updateTable('campaign').set({ languages: counted }).where('id', '=', campaign.id).execute();
    }
    if (!(await countRecipients(db, campaign, clock.now()))) throw new BusinessError('audience_changed');
    await letRun(db, locked, clock.now());
    failpoint('prepare.before-commit');
  });
  failpoint('prepare.after-commit');
}

function asQuoted(totals: AudienceTotals, campaign: Campaign): boolean {
  return (
    totals.total_count === campaign.total_count &&
    totals.total_sms === campaign.total_sms &&
    totals.gsm_count === campaign.gsm_count &&
    totals.unicode_count === campaign.unicode_count &&
    totals.rejected_count === campaign.rejected_count &&
    totals.cost === campaign.estimated_cost &&
    totals.reseller_cost === campaign.reseller_cost
  );
}

/**
 * Ends a campaign that is still being prepared, if `when` agrees behind its lock. Releases its reserve. One of which
 * parts are sent already is stopped, and what has not left is released.
 */
export async function giveUp(
  { database, clock }: Pick<Worker, 'database' | 'clock'>,
  campaignId: number,
  to: 'rejected' | 'failed',
  error_code: ErrorCode,
  when: (db: Kysely<Database>, id: number) => Promise<boolean> = async () => true,
): Promise<void> {
  await database.transaction().execute(async (db) => {
    const campaign = await lockCampaign(db, campaignId);
    if (!campaign || !(await when(db, campaignId))) return;
    const finished_at = clock.now().toISOString();
    if (campaign.state !== 'preparing') {
      if (!(await isHalfWritten(db, campaignId))) return;
      if (mayBecome(campaign.state, 'stopped'))
        await changeState(db, campaign, 'stopped', { user_id: null }, { error_code, finished_at, ...NO_PAUSE });
      await cancelAll(db, campaign);
      return;
    }
    await releaseCost(db, campaign, null);
    await changeState(db, campaign, to, { user_id: null }, { error_code, finished_at });
  });
}
