import type { RejectReason } from '@heliograph/contract/campaigns/quote';
import type { CompiledText, MergeValues } from '@heliograph/contract/kernel/merge-fields';
import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { Kysely } from 'kysely';
import type { Prices } from '#modules/billing';
import type { PricedMessage } from '#modules/delivery';
import type { WebCheck, WebFindings } from '#modules/moderation';
import type { AudienceLimits, ConsentRule } from '#modules/policy';
import type { TemplateCheck } from '#modules/templates';
import type { Database } from '#platform/database/db';
import { MsisdnSet } from '#platform/structures/msisdn-set';
import { type AudienceSlice, isInSlice } from './audience-slice.ts';
import { type AudienceSources, type Candidate, readAudience } from './audience-source.ts';
import type { BlockedWords } from './blocked-words.ts';
import { composer } from './composer.ts';
import { lacksConsent } from './lacks-consent.ts';
import { fieldsOfTexts, type LanguagePlan } from './language-texts.ts';
import { readAhead } from './read-ahead.ts';
import { type Suppression, suppressed } from './suppression.ts';

/** Plan that decides the recipients, their texts and prices. */
export interface AudiencePlan {
  corporation_id: number;
  sender_id_id: number;
  /** Sender ID as phones show it. */
  sender: string;
  sources: AudienceSources;
  rules: NumberRules;
  /** Numbers that the author of the campaign left out. */
  left_out: MsisdnSet;
  /** Slice of an A/B test that the recipients must be in; null for everybody. */
  slice: AudienceSlice | null;
  text: CompiledText;
  /** Texts by the language of the contact; null if there is one text. */
  languages: LanguagePlan | null;
  /** Finds the values of contacts for the text, by number; null if it uses no field of contacts. */
  contact_values:
    | ((db: Kysely<Database>, numbers: readonly string[]) => Promise<ReadonlyMap<string, MergeValues>>)
    | null;
  /** True if each row of the file has its own text, which contains no parameters. */
  own_texts: boolean;
  /** Address before the path of short links; null if addresses stay as they are. */
  short_link_base: string | null;
  /** Signature and opt-out text, taken literally. */
  ending: string;
  defaults: MergeValues;
  /** Refuses a recipient without a value instead of filling in the default. */
  skip_default_param: boolean;
  skip_blacklist: boolean;
  blocked: BlockedWords;
  /** Rules about web addresses, and approved templates; null if nothing is checked. */
  web: WebCheck | null;
  templates: TemplateCheck | null;
  prices: Prices;
  limits: AudienceLimits;
  /** Finds numbers that nobody has; null if no lookup is enabled, or nothing asks for it. */
  dead: ((db: Kysely<Database>, numbers: readonly string[]) => Promise<ReadonlySet<string>>) | null;
  /** Refuses the dead numbers. */
  skip_dead: boolean;
  /** Recipients who must have opted in; null for nobody. */
  consent: ConsentRule | null;
  /** Tells which numbers only have links that do not know the sender ID; null if no link asks for a registration. */
  unregistered: ((msisdn: string) => boolean) | null;
}

export interface AudienceTotals {
  rows_read: number;
  total_count: number;
  total_sms: number;
  gsm_count: number;
  unicode_count: number;
  /** Numbers that were read as national ones. */
  national_count: number;
  rejected_count: number;
  rejected: Partial<Record<RejectReason, number>>;
  /** Thousandths. */
  cost: number;
  /** Cost for the reseller, in thousandths; 0 without a reseller. */
  reseller_cost: number;
}

export interface Rejected extends Pick<Candidate, 'source' | 'line' | 'number'> {
  reason: RejectReason;
}

/** Message as it is counted. Its short link codes are samples, which `written` does not contain yet. */
export type ExpandedMessage = PricedMessage & {
  text: string;
  /** Text as it was written, with full addresses and without the ending. */
  written: string;
  /** Language of the text; null for the default text. */
  language: string | null;
};

/** Receiver of the messages and rejects. Each function may return a promise, which is awaited before the next call. */
export interface AudienceSink {
  /** Takes the place of each row that becomes a message, among all rows. */
  accepted?(row: number): void;
  message?(message: ExpandedMessage): Promise<void> | undefined;
  /** Takes a message to a dead number, whether it is refused or not. */
  dead?(message: { msisdn: string; parts: number; unit_price: number }): void;
  rejected?(rows: readonly Rejected[]): Promise<void>;
  progress?(totals: AudienceTotals): Promise<void>;
  /** Counts web addresses that break the rules. */
  findings?: WebFindings;
}

/**
 * Turns the sources of a campaign into messages, as a stream with limited memory. Both the quote and the sending use
 * it. So the shown figures are those that are charged and sent.
 */
export const expandAudience = (
  db: Kysely<Database>,
  plan: AudiencePlan,
  sink: AudienceSink,
  signal: AbortSignal,
): Promise<AudienceTotals> =>
  expandCandidates(db, plan, readAudience(db, plan.sources, fieldsOfTexts(plan)), sink, signal);

/** Turns candidates into messages, as `expandAudience` does with all of a campaign. */
export async function expandCandidates(
  db: Kysely<Database>,
  plan: AudiencePlan,
  candidates: AsyncIterable<readonly Candidate[]>,
  sink: AudienceSink,
  signal: AbortSignal,
): Promise<AudienceTotals> {
  const totals: AudienceTotals = {
    rows_read: 0,
    total_count: 0,
    total_sms: 0,
    gsm_count: 0,
    unicode_count: 0,
    national_count: 0,
    rejected_count: 0,
    rejected: {},
    cost: 0,
    reseller_cost: 0,
  };
  const compose = composer(plan, sink.findings);
  const { priceOf, resellerPriceOf, max_price } = { ...plan.prices, ...plan.limits };
  // The database reads the next batches while the texts of this one are made.
  for await (const {
    size,
    refused,
    fresh,
    places,
    numbers,
    national,
    stopped,
    full,
    unwilling,
    gone,
    known,
  } of readAhead(screened(db, plan, candidates), 2)) {
    signal.throwIfAborted();
    const refuse = ({ source, line, number }: Candidate, reason: RejectReason) =>
      refused.push({ source, line, number, reason });
    const suppressions = await stopped;
    const exhausted = (await full) ?? NONE;
    const lacking = (await unwilling) ?? NONE;
    const dead = (await gone) ?? NONE;
    const people = await known;
    for (let i = 0; i < fresh.length; i++) {
      const candidate = fresh[i]!;
      const msisdn = numbers[i]!;
      const suppression = suppressions.size > 0 ? suppressions.get(msisdn) : undefined;
      if (suppression && !(suppression === 'blacklisted' && plan.skip_blacklist)) {
        refuse(candidate, suppression);
        continue;
      }
      if (lacking.has(msisdn)) {
        refuse(candidate, 'no_consent');
        continue;
      }
      if (exhausted.size > 0 && exhausted.has(msisdn)) {
        refuse(candidate, 'recipient_limit');
        continue;
      }
      if (plan.unregistered?.(msisdn)) {
        refuse(candidate, 'sender_not_registered');
        continue;
      }
      const composed = compose(
        people ? { ...candidate.values, ...people.get(msisdn) } : candidate.values,
        candidate.own_text,
      );
      if (composed.reason) {
        refuse(candidate, composed.reason);
        continue;
      }
      const { text, written, parts, unicode, language } = composed;
      const unit_price = priceOf(msisdn);
      if (max_price !== null && parts * unit_price > max_price) {
        refuse(candidate, 'price_limit');
        continue;
      }
      if (dead.size > 0 && dead.has(msisdn)) {
        sink.dead?.({ msisdn, parts, unit_price });
        if (plan.skip_dead) {
          refuse(candidate, 'dead_number');
          continue;
        }
      }
      const reseller_unit_price = resellerPriceOf ? resellerPriceOf(msisdn) : null;
      totals.total_count++;
      sink.accepted?.(totals.rows_read + places[i]!);
      if (national.has(i)) totals.national_count++;
      totals.total_sms += parts;
      totals[unicode ? 'unicode_count' : 'gsm_count']++;
      totals.cost += parts * unit_price;
      totals.reseller_cost += parts * (reseller_unit_price ?? 0);
      const name = candidate.values.name ?? null;
      const priced = { msisdn, name, text, written, unicode, parts, unit_price, reseller_unit_price };
      const taken = sink.message?.({ ...priced, language });
      if (taken) await taken;
    }
    totals.rows_read += size;
    totals.rejected_count += refused.length;
    for (const { reason } of refused) totals.rejected[reason] = (totals.rejected[reason] ?? 0) + 1;
    await sink.rejected?.(refused);
    await sink.progress?.(totals);
  }
  return totals;
}

const NONE: ReadonlySet<string> = new Set();

/** Batch of candidates with checked numbers. The query for suppressed ones may still be running. */
interface Screened {
  size: number;
  refused: Rejected[];
  fresh: Candidate[];
  /** Places of the fresh candidates in the batch. */
  places: number[];
  /** Numbers of the fresh candidates, as the carrier needs them. */
  numbers: string[];
  /** Positions of the fresh candidates with numbers that were read as national ones. */
  national: ReadonlySet<number>;
  stopped: Promise<Map<string, Suppression>>;
  /** Numbers that have reached a limit of messages; undefined if no limit counts recipients. */
  full: Promise<ReadonlySet<string>> | undefined;
  /** Numbers that must have opted in and did not; undefined if nobody must. */
  unwilling: Promise<ReadonlySet<string>> | undefined;
  /** Numbers that nobody has; undefined if nothing asks. */
  gone: Promise<ReadonlySet<string>> | undefined;
  /** Values of contacts by number; undefined if the text uses none. */
  known: Promise<ReadonlyMap<string, MergeValues>> | undefined;
}

async function* screened(
  db: Kysely<Database>,
  plan: AudiencePlan,
  candidates: AsyncIterable<readonly Candidate[]>,
): AsyncGenerator<Screened> {
  const seen = new MsisdnSet();
  // A list holds full numbers, so a number in it is never read as a national one.
  const inFull = { ...plan.rules, national: null };
  for await (const batch of candidates) {
    const refused: Rejected[] = [];
    const fresh: Screened['fresh'] = [];
    const places: number[] = [];
    const numbers: string[] = [];
    const national = new Set<number>();
    for (let place = 0; place < batch.length; place++) {
      const candidate = batch[place]!;
      const { source, line, number } = candidate;
      const checked = checkNumber(number, line === null ? inFull : plan.rules);
      const { msisdn, fault } = checked;
      // Another campaign of the same test has this row, also if it is refused there.
      if (plan.slice && !isInSlice(plan.slice, msisdn ?? number)) continue;
      if (candidate.hidden) refused.push({ source, line, number, reason: 'hidden_row' });
      else if (msisdn === undefined) refused.push({ source, line, number, reason: fault });
      else if (!seen.add(msisdn)) refused.push({ source, line, number, reason: 'duplicate' });
      else if (plan.left_out.has(msisdn)) refused.push({ source, line, number, reason: 'left_out' });
      else {
        if (checked.national) national.add(fresh.length);
        fresh.push(candidate);
        places.push(place);
        numbers.push(msisdn);
      }
    }
    const stopped = suppressed(db, plan, numbers);
    // The error is thrown where the promise is awaited.
    stopped.catch(() => undefined);
    const full = plan.limits.exhausted?.(db, numbers);
    full?.catch(() => undefined);
    const unwilling = plan.consent ? lacksConsent(db, plan, plan.consent, fresh, numbers) : undefined;
    unwilling?.catch(() => undefined);
    const gone = plan.dead?.(db, numbers);
    gone?.catch(() => undefined);
    const known = plan.contact_values?.(db, numbers);
    known?.catch(() => undefined);
    yield { size: batch.length, refused, fresh, places, numbers, national, stopped, full, unwilling, gone, known };
  }
}
