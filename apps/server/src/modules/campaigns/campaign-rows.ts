import { campaignRejectedPath } from '@heliograph/contract/campaigns/campaign';
import type { campaignRow } from '@heliograph/contract/campaigns/campaign-row';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { type CampaignState, mayBecome } from '@heliograph/contract/kernel/states';
import type { NotNull } from 'kysely';
import type { z } from 'zod';
import type { Caller, Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { sliceOf } from './audience-slice.ts';
import { scheduleOf, waitsForUndo } from './schedule/plan-schedule.ts';
import { placedContent } from './sealed-content.ts';

const FIGURES = [
  'processed',
  'waiting',
  'submitted',
  'delivered',
  'failed',
  'expired',
  'blocked',
  'cancelled',
  'charged',
] as const;

/** Selects campaigns with the details that a list shows. The caller may not see every user who made one. */
export const campaignQuery = (ctx: Pick<Context, 'db'>) =>
  ctx.db
    .selectFrom('campaign')
    .innerJoin('corporation', 'corporation.id', 'campaign.corporation_id')
    .leftJoin('department', 'department.id', 'campaign.department_id')
    .leftJoin('user_account', 'user_account.id', 'campaign.created_by')
    .leftJoin('user_account as approver', 'approver.id', 'campaign.approved_by')
    .innerJoin('billing_account', 'billing_account.id', 'campaign.billing_account_id')
    .innerJoin('campaign_figure', 'campaign_figure.campaign_id', 'campaign.id')
    .selectAll('campaign')
    .select([
      'corporation.name as corporation_name',
      'corporation.currency',
      'corporation.timezone',
      'approver.name as approved_by_name',
      'department.name as department_name',
      'user_account.name as user_name',
      'billing_account.content_visible',
      ...FIGURES.map((figure) => `campaign_figure.${figure}` as const),
    ])
    .$narrowType<Record<(typeof FIGURES)[number], NotNull>>();

type Row = Awaited<ReturnType<ReturnType<typeof campaignQuery>['executeTakeFirstOrThrow']>>;
type Wire = z.output<typeof campaignRow>;

/** Returns one campaign as callers see it; throws `not_found`. */
export async function findCampaignRow(ctx: Pick<Context, 'db' | 'caller' | 'clock'>, id: number): Promise<Wire> {
  const row = await campaignQuery(ctx).where('campaign.id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return campaignOnWire(row, ctx);
}

/** Converts a campaign for the caller of a call. Texts and abilities depend on the caller. */
export function campaignOnWire(row: Row, { caller, clock }: Pick<Context, 'caller' | 'clock'>): Wire {
  const now = clock.now();
  const content = row.content as {
    content_type: 'single' | 'multi';
    flash: boolean;
    sms_validity: number;
  };
  return {
    id: row.id,
    name: row.name,
    corporation_id: row.corporation_id,
    corporation_name: row.corporation_name,
    department_id: row.department_id,
    department_name: row.department_name,
    user_name: row.user_name ?? '',
    sender_id: row.sender_id,
    content_type: content.content_type,
    content: caller.content_visible && row.content_visible ? placedContent(row) : null,
    flash: content.flash,
    sms_validity: content.sms_validity,
    state: row.state,
    error_code: row.error_code,
    total_count: row.total_count,
    total_sms: row.total_sms,
    gsm_count: row.gsm_count,
    unicode_count: row.unicode_count,
    rejected_count: row.rejected_count,
    rejected_file: row.rejected_count > 0 && row.rejected_path ? campaignRejectedPath(row.id) : null,
    estimated_cost: fromThousandths(row.estimated_cost),
    charged: fromThousandths(row.charged),
    currency: row.currency,
    processed: row.processed,
    waiting: row.waiting,
    submitted: row.submitted,
    delivered: row.delivered,
    failed: row.failed,
    expired: row.expired,
    blocked: row.blocked,
    cancelled: row.cancelled,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    schedule: scheduleOf(row),
    timezone: row.timezone,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    spread_until: row.spread_until,
    pause_reason: row.pause_reason as Wire['pause_reason'],
    resumes_at: row.resumes_at,
    canary_state: row.canary_state as Wire['canary_state'],
    canary_count: row.canary_count,
    canary_until: row.canary_until,
    undo_seconds: waitsForUndo(row) ? Math.max(0, (Date.parse(row.starts_at!) - now.getTime()) / 1_000) : null,
    fingerprint: row.fingerprint ?? '',
    approved_by_name: row.approved_by_name,
    approved_at: row.approved_at,
    series_id: row.series_id,
    occurrence: row.occurrence,
    abilities: { ...abilitiesOf(row, caller), ...(sliceOf(content) && { edit: false }) },
  };
}

interface Owned extends Pick<Row, 'schedule' | 'starts_at'> {
  state: CampaignState;
  created_by: number;
  asked_by: number | null;
  pause_reason: string | null;
  series_id: number | null;
}

/** Returns the actions that the caller may take on a campaign now, by permission, state and ownership. */
export function abilitiesOf(
  campaign: Owned,
  { permissions, user_id, skip_blackout }: Pick<Caller, 'permissions' | 'user_id' | 'skip_blackout'>,
): Wire['abilities'] {
  const { state, created_by, asked_by, pause_reason, series_id } = campaign;
  const can = (permission: string, to: CampaignState) => permissions.has(permission) && mayBecome(state, to);
  const pending = state === 'pending';
  const scheduled = state === 'scheduled';
  const own = created_by === user_id || asked_by === user_id;
  return {
    edit: (pending || scheduled) && permissions.has('campaigns-edit'),
    delete: false,
    stop: !pending && !scheduled && can('running-campaigns-stop', 'stopped'),
    pause: can('running-campaigns-pause', 'paused'),
    // A pause for a blackout time ends by itself, or by a person who may skip it.
    resume:
      state === 'paused' &&
      pause_reason !== 'moderation' &&
      (pause_reason !== 'blackout' || skip_blackout) &&
      can('running-campaigns-pause', 'running'),
    approve: pending && !own && can('pending-campaigns-approve', 'preparing'),
    discard: pending && can('pending-campaigns-discard', 'discarded'),
    cancel: pending && own && can('campaigns-create', 'stopped'),
    remind: pending && own && permissions.has('campaigns-create'),
    unschedule: scheduled && can('schedule-campaigns-stop', 'stopped'),
    reschedule: scheduled && permissions.has('schedule-campaigns-reschedule'),
    end_series: series_id !== null && permissions.has('schedule-campaigns-stop'),
    undo: created_by === user_id && waitsForUndo(campaign) && permissions.has('campaigns-create'),
    rename: permissions.has('campaigns-edit'),
  };
}
