import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import type { Kysely } from 'kysely';
import { openPricedWriter, type PricedMessage, wakeSenders } from '#modules/delivery';
import { readHours } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { BusinessError, constraintError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type Candidate, readAudience } from './audience-source.ts';
import { type Campaign, lockCampaign } from './campaign-state.ts';
import { composer } from './composer.ts';
import type { AudiencePlan } from './expand-audience.ts';
import { basisOf, findAudience, hasAudience, mayBeHeld, type QuotedAudience, refusalsOf } from './quoted-audience.ts';
import { readAhead, WriteAhead } from './read-ahead.ts';
import { scheduleOf } from './schedule/plan-schedule.ts';
import { letRun } from './schedule/run-campaign.ts';
import { forgetParts, isHalfWritten, sumParts } from './unwritten.ts';

type Worker = Pick<WorkerContext, 'database' | 'clock'>;

/** Parts that are written at the same time, each in a transaction of its own. */
const PARTS_AHEAD = 2;

/** Thrown if the campaign was stopped, or another worker has prepared it. */
export class NoLongerPreparing extends Error {}

/** Thrown if another worker has committed a part: what is left must be read again. */
class WrittenByAnother extends Error {}

/** Values that all messages of a campaign share. */
type Shared = Parameters<typeof openPricedWriter>[1];

/** Data from which the parts of a campaign are written. */
export interface PartsOf {
  campaign: Campaign;
  plan: AudiencePlan;
  shared: Shared;
}

/**
 * Returns the rows that the quote of a campaign accepted, if its messages may be written in parts. A campaign that has a
 * committed part continues. Any other begins only if nothing has changed since the quote, it starts now, and no person
 * has to decide about it first.
 */
export async function audienceForParts(
  { database, clock }: Worker,
  campaign: Campaign,
  plan: AudiencePlan,
  begun: boolean,
): Promise<QuotedAudience | undefined> {
  const audience = await findAudience(database, campaign.quote_id);
  if (begun) {
    if (audience) return audience;
    // Another worker may have finished since the parts were seen.
    throw (await isHalfWritten(database, campaign.id))
      ? new BusinessError('audience_changed')
      : new NoLongerPreparing();
  }
  const { quiet, canary } = scheduleOf(campaign);
  if (!audience || campaign.revision > 0 || quiet || canary) return undefined;
  if (campaign.starts_at !== null && Date.parse(campaign.starts_at) > clock.now().getTime()) return undefined;
  if ((await readHours(database)).length > 0 || (await mayBeHeld(database, campaign))) return undefined;
  const refusals = await refusalsOf(database, campaign.corporation_id);
  return audience.text === basisOf(plan, refusals) ? audience : undefined;
}

/**
 * Writes the messages of a campaign in parts. Each part is a transaction that also notes the part. So after a crash a
 * part exists once or not at all. The first part lets the campaign run. The others are written while senders send, also
 * during a pause, but not after the end. Throws `audience_changed` if the messages do not add up to the quote.
 */
export async function writeParts(
  worker: Worker,
  of: PartsOf,
  audience: QuotedAudience,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      if (!(await isWhole(worker.database, of.campaign))) await writeMissing(worker, of, audience, signal);
      return await finish(worker.database, of.campaign);
    } catch (error) {
      // Each time, another worker has committed a part, so this ends.
      if (!(error instanceof WrittenByAnother)) throw error;
    }
  }
}

async function isWhole(db: Kysely<Database>, { id, total_count }: Campaign): Promise<boolean> {
  return (await sumParts(db, id)).messages === total_count;
}

async function writeMissing(worker: Worker, of: PartsOf, audience: QuotedAudience, signal: AbortSignal) {
  const { database } = worker;
  const { id } = of.campaign;
  const rows = await database.selectFrom('campaign_part').select('part').where('campaign_id', '=', id).execute();
  const written = new Set(rows.map(({ part }) => part));
  let begun = written.size > 0;
  await using ahead = new WriteAhead(PARTS_AHEAD);
  for await (const { part, messages } of partsOf(database, of, audience, written)) {
    signal.throwIfAborted();
    const writing = writePart(worker, of, { part, messages, first: !begun });
    const full = ahead.after(writing);
    if (!begun) await writing;
    else if (full) await full;
    begun = true;
  }
  await ahead.done();
}

/** Yields the messages of the parts that are not written yet. Their rows and texts follow from the quote alone. */
async function* partsOf(
  db: Kysely<Database>,
  { plan, shared }: PartsOf,
  { basis, accepted }: QuotedAudience,
  written: ReadonlySet<number>,
): AsyncGenerator<{ part: number; messages: PricedMessage[] }> {
  const { sources, own_texts, prices } = plan;
  const file = sources.file && { ...sources.file, ...basis.file };
  const compose = composer({ ...plan, ending: basis.ending, blocked: () => false, web: null, templates: null });
  const messageOf = messageMaker(basis.rules, compose, prices, shared.common_text !== null);
  let [row, part, taken] = [0, 0, 0];
  let messages: PricedMessage[] = [];
  for await (const batch of readAhead(readAudience(db, { ...sources, file }, own_texts ? [] : plan.text.fields), 2)) {
    for (const candidate of batch) {
      if (!accepted.has(row++)) continue;
      if (!written.has(part)) messages.push(messageOf(candidate));
      if (++taken < basis.part) continue;
      if (messages.length > 0) yield { part, messages };
      messages = [];
      part++;
      taken = 0;
    }
  }
  if (messages.length > 0) yield { part, messages };
}

/** Returns a function that makes the message of an accepted row. It throws `audience_changed` if the row does not fit. */
function messageMaker(
  rules: AudiencePlan['rules'],
  compose: ReturnType<typeof composer>,
  { priceOf, resellerPriceOf }: AudiencePlan['prices'],
  common: boolean,
): (candidate: Candidate) => PricedMessage {
  return ({ number, values, own_text }) => {
    const { msisdn } = checkNumber(number, rules);
    const composed = compose(values, own_text);
    if (msisdn === undefined || composed.reason) throw new BusinessError('audience_changed');
    const { text, parts, unicode } = composed;
    return {
      msisdn,
      name: values.name ?? null,
      text: common ? null : text,
      unicode,
      parts,
      unit_price: priceOf(msisdn),
      reseller_unit_price: resellerPriceOf ? resellerPriceOf(msisdn) : null,
    };
  };
}

interface Part {
  part: number;
  messages: readonly PricedMessage[];
  /** True for the part with which the campaign begins to run. */
  first: boolean;
}

/** Writes one part and notes it. Its rows are there only if the campaign still lives when they are committed. */
async function writePart(
  { database, clock }: Worker,
  { campaign, plan, shared }: PartsOf,
  { part, messages, first }: Part,
): Promise<void> {
  const sums = { messages: messages.length, parts: 0, amount: 0, reseller_amount: 0 };
  for (const { parts, unit_price, reseller_unit_price } of messages) {
    sums.parts += parts;
    sums.amount += parts * unit_price;
    sums.reseller_amount += parts * (reseller_unit_price ?? 0);
  }
  const { id, corporation_id } = campaign;
  await database.transaction().execute(async (db) => {
    await db
      .insertInto('campaign_part')
      .values({ campaign_id: id, part, corporation_id, ...sums })
      .execute()
      .catch((error: unknown) => {
        throw constraintError(error, { campaign_part_key: 'changed_meanwhile' }) ? new WrittenByAnother() : error;
      });
    const writer = openPricedWriter(db, shared, plan.prices.pricing.reseller);
    for (const message of messages) {
      const full = writer.add(message);
      if (full) await full;
    }
    await writer.flush();
    failpoint('prepare.part-written');
    if (first) {
      const locked = await lockCampaign(db, id);
      if (locked?.state !== 'preparing') throw new NoLongerPreparing();
      await letRun(db, locked, clock.now());
    } else {
      // The end of a campaign locks its row. It sees this part, or this part is not committed.
      const { state } = await db
        .selectFrom('campaign')
        .select('state')
        .where('id', '=', id)
        .forShare()
        .executeTakeFirstOrThrow();
      if (state !== 'running' && state !== 'paused') throw new NoLongerPreparing();
      // A worker that finished has forgotten the parts, so that this one would not be refused as known.
      if (!(await hasAudience(db, campaign.quote_id))) throw new NoLongerPreparing();
      await wakeSenders(db);
    }
  });
  failpoint('prepare.part-committed');
}

/** Forgets the parts once all of them are written, if they add up to the quote. */
async function finish(database: Kysely<Database>, campaign: Campaign): Promise<void> {
  await database.transaction().execute(async (db) => {
    await lockCampaign(db, campaign.id);
    const sums = await sumParts(db, campaign.id);
    // Somebody ended the campaign and released what was not written.
    if (sums.messages === 0) throw new NoLongerPreparing();
    if (
      sums.messages !== campaign.total_count ||
      sums.parts !== campaign.total_sms ||
      sums.amount !== campaign.estimated_cost ||
      sums.reseller_amount !== campaign.reseller_cost
    ) {
      throw new BusinessError('audience_changed');
    }
    await forgetParts(db, campaign.id);
    if (campaign.quote_id !== null)
      await db.deleteFrom('quote_audience').where('quote_id', '=', campaign.quote_id).execute();
  });
}
