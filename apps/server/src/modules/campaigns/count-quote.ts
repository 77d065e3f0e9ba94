import type { RejectReason } from '@heliograph/contract/campaigns/quote';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { NUMBER_FAULTS, type NumberFault } from '@heliograph/contract/kernel/number-rules';
import type { Updateable } from 'kysely';
import { promotionsOf } from '#modules/billing';
import { FAULT_TEXT } from '#modules/contacts';
import { AudienceForecast, audienceMargins } from '#modules/margin-guard';
import { wantLookups } from '#modules/number-lookups';
import { zonesOf } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { failpoint } from '#platform/failpoints';
import { lastingFailure } from '#platform/jobs/failure';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { voiceOf } from '#platform/person/voice';
import { emit } from '#platform/realtime/realtime';
import { throttled } from '#platform/tasks/progress';
import { MAX_SHOWN, openRejectFile } from '#platform/tasks/reject-file';
import { currentTextKey } from '#platform/text/text-keys';
import { loadPlan } from './audience-plan.ts';
import { DeadNumbers } from './dead-numbers.ts';
import { type AudienceTotals, expandAudience } from './expand-audience.ts';
import { freezeSegments } from './kept-segments.ts';
import { LanguageCounts } from './language-texts.ts';
import { QuoteDetails } from './quote-details.ts';
import { AcceptedRows, basisOf, keepAudience, refusalsBefore } from './quoted-audience.ts';
import type { Quote } from './quotes.ts';
import { hoursOf } from './schedule/hold-chunks.ts';
import { openContent, storedSamples } from './sealed-content.ts';

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>;

const SAMPLES = 3;
/** Numbers that are noted for lookups in one statement. */
const ASKED_AT_ONCE = 1_000;
/** Columns of the reject file. A list has no lines, and a file may repeat a text, so the number identifies the row. */
const REJECT_HEADER = ['source', 'line', 'number', 'field', 'reason'];
type RejectedRow = readonly [source: string, line: number | '', number: string, field: string, reason: string];

const ABOUT_TEXT: ReadonlySet<RejectReason> = new Set([
  'blocked_text',
  'web_link',
  'no_template',
  'missing_value',
  'text_too_long',
]);
const isNumberFault = (reason: RejectReason): reason is NumberFault =>
  (NUMBER_FAULTS as readonly RejectReason[]).includes(reason);

/** Returns the key of the sentence for a reason. */
function sentenceOf(reason: RejectReason): MessageKey {
  if (isNumberFault(reason)) return `validation.${FAULT_TEXT[reason]}`;
  return reason === 'hidden_row' ? 'validation.hidden_row' : `reject_sentence.${reason}`;
}

/**
 * Counts and prices a quote. A quote that another worker has ended is left as it is. A retry counts again from the
 * start.
 */
export async function countQuote(worker: Worker, quoteId: number, signal: AbortSignal): Promise<void> {
  const quote = await worker.database.selectFrom('quote').selectAll().where('id', '=', quoteId).executeTakeFirst();
  if (quote?.state !== 'counting') return;
  try {
    await count(worker, quote, signal);
  } catch (error) {
    const error_code = lastingFailure(error, signal);
    if (!error_code) throw error;
    if (error_code === 'internal_error') worker.log.error({ err: error, quote_id: quoteId }, 'could not count quote');
    await saveQuote(worker, quoteId, { state: 'failed', error_code });
  }
}

async function count(worker: Worker, quote: Quote, signal: AbortSignal): Promise<void> {
  const { database, config } = worker;
  const refusals = await refusalsBefore(database, quote);
  await freezeSegments(database, quote, worker.clock.now());
  const plan = await loadPlan(
    database,
    config,
    quote,
    await openContent({ db: database, config }, quote),
    null,
    worker.clock.now(),
    quote.id,
  );
  const rejects = await openRejectFile<RejectedRow>(config, quote.rejected_path!, REJECT_HEADER);
  const basis = refusals === null ? null : basisOf(plan, refusals);
  const accepted = new AcceptedRows();
  const say = await voiceOf(database, quote.user_id);
  const details = new QuoteDetails();
  const languages = plan.languages && new LanguageCounts(plan.languages);
  const dead = new DeadNumbers();
  const traffic = { corporation_id: plan.corporation_id, sender_id: plan.sender, class: 'bulk' as const };
  const margins = await audienceMargins((text, values) => rowsOf(database, text, values), traffic);
  const forecast = margins && new AudienceForecast(margins);
  const { hours, home } = await hoursOf(database, quote.corporation_id);
  const zones = new Map<string, number>();
  // Lookups begin with the quote, so that their answers are there when the campaign is prepared. Nothing waits for them.
  let asked: string[] = [];
  const ask = async () => {
    const some = asked;
    asked = [];
    await database.transaction().execute((db) => wantLookups(db, some));
  };
  const samples: { number: string; text: string; parts: number }[] = [];
  try {
    const totals = await expandAudience(
      database,
      plan,
      {
        ...(basis !== null && { accepted: (row) => accepted.add(row) }),
        message(message) {
          const { msisdn, text, parts } = message;
          if (samples.length < SAMPLES) samples.push({ number: msisdn, text, parts });
          details.add(message);
          languages?.add(message);
          forecast?.add(message);
          asked.push(msisdn);
          if (hours.length > 0) {
            const zone = zonesOf(msisdn) ?? home;
            zones.set(zone, (zones.get(zone) ?? 0) + 1);
          }
          return asked.length >= ASKED_AT_ONCE ? ask() : undefined;
        },
        dead: (message) => dead.add(message),
        rejected: (rows) =>
          rejects.add(
            rows.map(({ source, line, number, reason }) => [
              source,
              line ?? '',
              number.slice(0, MAX_SHOWN),
              ABOUT_TEXT.has(reason) ? 'content' : 'number',
              say(sentenceOf(reason)),
            ]),
          ),
        progress: throttled((totals) => saveQuote(worker, quote.id, columnsOf(totals))),
      },
      signal,
    );
    if (asked.length > 0) await ask();
    await rejects.close();
    await keepAudience(database, quote, basis, accepted, totals);
    await forecast?.write(database, quote.id);
    if (plan.skip_dead) await dead.keep(database, quote);
    failpoint('quote.before-commit');
    const promotions = await promotionsOf(database, plan.prices.pricing.promotion_ids);
    const text_key = await currentTextKey(database, config, quote.corporation_id);
    const found = details.result();
    await saveQuote(worker, quote.id, {
      ...columnsOf(totals),
      samples: JSON.stringify(storedSamples(text_key, samples)),
      details: JSON.stringify({
        ...found,
        dearest: storedSamples(text_key, found.dearest ?? []),
        national_count: totals.national_count,
        dead: dead.result(),
        languages: languages?.result() ?? [],
        promotions: promotions.map(({ name, ends_on }) => ({ name, ends_on })),
        ...(zones.size > 0 && { zones: Object.fromEntries(zones) }),
      }),
      pricing: JSON.stringify(plan.prices.pricing),
      refusal_code: forecast?.isRefused ? 'destination_unavailable' : null,
      state: 'ready',
    });
    failpoint('quote.after-commit');
  } finally {
    await rejects.abandon();
  }
}

const columnsOf = ({ rejected, national_count: _, ...totals }: AudienceTotals) => ({
  ...totals,
  rejected: JSON.stringify(rejected),
});

/** Writes the progress of a quote and notifies its user, unless the quote has ended meanwhile. */
export async function saveQuote(
  { database }: Pick<Worker, 'database'>,
  id: number,
  next: Updateable<Database['quote']>,
): Promise<void> {
  await database.transaction().execute(async (db) => {
    const row = await db
      .updateTable('quote')
      .set(next)
      .where('id', '=', id)
      .where('state', '=', 'counting')
      .returning(['user_id', 'state', 'rows_read', 'total_count', 'total_sms', 'rejected_count'])
      .executeTakeFirst();
    if (!row) return;
    const { user_id, ...progress } = row;
    await emit(db, `private-App.Models.User.${user_id}`, 'quote.progress', { id, ...progress });
  });
}
