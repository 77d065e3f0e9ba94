import * as contract from '@heliograph/contract/campaigns/quote';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { NUMBER_FAULTS } from '@heliograph/contract/kernel/number-rules';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { isUnpaid } from '#modules/billing';
import { marginOfQuote } from '#modules/margin-guard';
import { OpenLimits } from '#modules/policy';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { newFile } from '#platform/files/files';
import { type App, mount } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import { attachRejects } from '#platform/tasks/reject-file';
import type { CampaignContent } from './audience-plan.ts';
import type { AudienceSlice } from './audience-slice.ts';
import { splitPasted } from './audience-source.ts';
import { countedOf } from './campaign-state.ts';
import { type Checked, checkSend, checkSources, rememberColumns } from './check-content.ts';
import { keptFieldsOf } from './contact-placeholders.ts';
import { keptContent } from './kept-segments.ts';
import { endOfBlackout, homeOfCampaign } from './schedule/plan-schedule.ts';
import { placedSamples, plainFields, storedContent } from './sealed-content.ts';

/** Job that counts and prices a quote. */
export const countQuoteJob = defineJob('count-quote', z.object({ quote_id: z.int() }));

export type Quote = Selectable<Database['quote']>;

/** Mounts the quote of a campaign, and the file of its rejected rows. */
export function quoteRoutes(app: App): void {
  mount(app, contract.createQuote, async (ctx, { body }) => {
    const { sending, fields } = await checkSend(ctx, body, contract.bringsTexts(body));
    await checkSources(ctx, body, sending.corporation_id);
    await rememberColumns(ctx, body);
    return { data: await quoteOnWire(ctx, await askForQuote(ctx, { sending, fields }, body)) };
  });
  mount(app, contract.getQuote, async (ctx, { params }) => ({
    data: await quoteOnWire(ctx, await findQuote(ctx, params.id)),
  }));
  mountFile(app, contract.quoteRejected, 'whole', async (ctx, { params, query }) => {
    const { id, state, rejected_count, rejected_path } = await findQuote(ctx, params.id);
    if (state !== 'ready' || rejected_count === 0 || !rejected_path) throw new BusinessError('not_found');
    return attachRejects(ctx.config, rejected_path, `quote-${id}-rejected`, query.format);
  });
}

/** Stores a quote of a checked content and starts its count. With a slice, only its recipients are counted. */
export async function askForQuote(
  ctx: Context,
  { sending, fields }: Pick<Checked, 'sending' | 'fields'>,
  content: CampaignContent,
  slice?: AudienceSlice,
): Promise<Quote> {
  const quote = await ctx.db
    .insertInto('quote')
    .values({
      ...sending,
      content: JSON.stringify({
        ...(await storedContent(ctx, sending.corporation_id, content)),
        ...(await keptContent(ctx, content.segment_ids, sending.corporation_id)),
        ...keptFieldsOf(fields),
        ...(slice && { slice }),
      }),
      rejected_path: newFile('rejects', 'csv'),
      rows_expected: await expectedRows(ctx, content),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await enqueue(ctx.db, countQuoteJob, { quote_id: quote.id }, { tenant: quote.corporation_id });
  return quote;
}

/** Returns a quote of the caller's own; throws `not_found`. */
export async function findQuote(ctx: Context, id: number): Promise<Quote> {
  const quote = await ctx.db.selectFrom('quote').selectAll().where('id', '=', id).executeTakeFirst();
  if (!quote) throw new BusinessError('not_found');
  return quote;
}

/** Tells if the caller's campaigns need an approval. */
export const needsApproval = (ctx: Context): boolean => !ctx.caller.permissions.has('campaigns-run');

/** Returns the users who may approve the caller's campaigns. */
export async function supervisorsOf(ctx: Context): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('user_supervisor')
    .select('supervisor_id')
    .where('user_id', '=', ctx.caller.user_id)
    .execute();
  return rows.map(({ supervisor_id }) => supervisor_id);
}

/** Returns the expected number of rows, or null if a file does not show it, or a segment is counted. */
async function expectedRows(ctx: Context, content: CampaignContent): Promise<number | null> {
  if (content.segment_ids.length > 0) return null;
  let rows = splitPasted(content.custom_numbers).length;
  if (content.list_ids.length > 0) {
    const lists = await ctx.db
      .selectFrom('number_list')
      .select((eb) => eb.fn.sum<number | string>('numbers_count').as('numbers'))
      .where('id', 'in', content.list_ids)
      .executeTakeFirstOrThrow();
    rows += Number(lists.numbers);
  }
  if (content.file_id === null) return rows;
  const file = await ctx.db
    .selectFrom('upload')
    .select('rows_estimate')
    .where('id', '=', content.file_id)
    .executeTakeFirst();
  return file?.rows_estimate == null ? null : rows + file.rows_estimate;
}

/** Reasons for which a number is invalid. */
const NO_NUMBERS: ReadonlySet<string> = new Set(NUMBER_FAULTS);

/**
 * Returns the reason why there are no recipients. A campaign with only a file that holds no valid number has its own
 * code.
 */
function nobodyBecause({ content, rejected }: Quote): ErrorCode {
  const { file_id, list_ids, segment_ids, custom_numbers } = plainFields(content);
  const others = list_ids.length + segment_ids.length;
  const fileAlone = file_id !== null && others === 0 && custom_numbers.trim() === '';
  const reasons = Object.keys(rejected as Record<string, number>);
  return fileAlone && reasons.every((reason) => NO_NUMBERS.has(reason))
    ? 'file_without_valid_numbers'
    : 'audience_empty';
}

/** Returns the end of the blackout time that blocks a campaign now. */
async function blackoutUntil({ db, clock }: Context, { corporation_id }: Quote): Promise<string | null> {
  const end = endOfBlackout(await homeOfCampaign(db, corporation_id), clock.now());
  return end?.toISOString() ?? null;
}

/** Multiple of the warning limit above which a person must type the number of messages. */
const FAR_ABOVE = 10;

/** Returns the median cost of the last campaigns of a quote's account; null if there are none. */
async function usualCost({ db }: Context, { billing_account_id }: Quote): Promise<string | null> {
  const { rows } = await sql<{ usual: number | null }>`
    SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY estimated_cost) AS usual FROM (
      SELECT estimated_cost FROM campaign
      WHERE billing_account_id = ${billing_account_id} AND started_at IS NOT NULL ORDER BY id DESC LIMIT 20
    ) latest`.execute(db);
  const usual = rows[0]?.usual ?? null;
  return usual === null ? null : fromThousandths(usual);
}

/** Returns the limit that a campaign would pass now, in words, or null if none has too little left. */
async function limitRefusal({ db, clock }: Context, quote: Quote) {
  const entry = countedOf(quote);
  const refused = (await OpenLimits.of(db, [entry], clock.now(), { lock: false })).take(entry);
  return refused && contract.limitRefusal.parse(refused.params);
}

async function quoteOnWire(ctx: Context, quote: Quote): Promise<z.output<typeof contract.quoteRow>> {
  const account = await ctx.db
    .selectFrom('billing_account')
    .innerJoin('corporation', 'corporation.id', 'billing_account.corporation_id')
    .select([
      'corporation.currency',
      'billing_account.credit_balance',
      'billing_account.credit_limit',
      'billing_account.cost_warning_limit',
      'billing_account.suspended',
      'billing_account.enabled',
    ])
    .where('billing_account.id', '=', quote.billing_account_id)
    .executeTakeFirstOrThrow();
  const limit_refusal = quote.state === 'ready' && quote.total_count > 0 ? await limitRefusal(ctx, quote) : null;
  const refusal = async (): Promise<string | null> => {
    if (quote.state !== 'ready') return null;
    if (quote.total_count === 0) return nobodyBecause(quote);
    if (quote.refusal_code) return quote.refusal_code;
    if (limit_refusal) return 'sending_limit_reached';
    // Credit is reserved at the approval.
    if (needsApproval(ctx)) return (await supervisorsOf(ctx)).length === 0 ? 'supervisor_required' : null;
    if (account.suspended || !account.enabled) return 'billing_account_suspended';
    if (await isUnpaid(ctx.db, quote)) return 'billing_account_held';
    return account.credit_balance + account.credit_limit < quote.cost ? 'insufficient_credit' : null;
  };
  const limit = account.cost_warning_limit;
  const details = contract.quoteDetails.parse(quote.details);
  const farAbove = limit !== null && quote.cost > limit * FAR_ABOVE;
  return {
    id: quote.id,
    state: quote.state as 'counting' | 'ready' | 'failed',
    rows_read: quote.rows_read,
    rows_expected: quote.rows_expected,
    total_count: quote.total_count,
    total_sms: quote.total_sms,
    gsm_count: quote.gsm_count,
    unicode_count: quote.unicode_count,
    rejected_count: quote.rejected_count,
    rejected: quote.rejected as z.output<typeof contract.quoteRow>['rejected'],
    ...details,
    dearest: placedSamples(quote.corporation_id, details.dearest),
    cost: fromThousandths(quote.cost),
    currency: account.currency,
    credit_balance: fromThousandths(account.credit_balance),
    balance_after: fromThousandths(account.credit_balance - quote.cost),
    cost_warning: limit !== null && quote.cost > limit,
    far_above_warning: farAbove,
    usual_cost: farAbove ? await usualCost(ctx, quote) : null,
    refusal: await refusal(),
    limit_refusal,
    margin: await marginOfQuote(ctx, quote.id),
    blackout_until: ctx.caller.skip_blackout ? null : await blackoutUntil(ctx, quote),
    samples: placedSamples(quote.corporation_id, quote.samples as z.output<typeof contract.quoteRow>['samples']),
    needs_approval: needsApproval(ctx),
    rejected_file: quote.state === 'ready' && quote.rejected_count > 0 ? contract.quoteRejectedPath(quote.id) : null,
    error_code: quote.error_code,
    created_at: quote.created_at,
  };
}
