import type { RejectReason } from '@heliograph/contract/campaigns/quote';
import { type CompiledText, type MergeValues, renderText } from '@heliograph/contract/kernel/merge-fields';
import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import { countParts, MAX_PARTS } from '@heliograph/contract/kernel/segments';
import type { Kysely } from 'kysely';
import type { Prices } from '#modules/billing';
import type { PricedMessage } from '#modules/delivery';
import type { Database } from '#platform/db';
import { type AudienceSources, type Candidate, readAudience } from './audience-source.ts';
import type { BlockedWords } from './blocked-words.ts';
import { MsisdnSet } from './msisdn-set.ts';
import { suppressed } from './suppression.ts';

/** Everything that decides who gets what, and at which price. */
export interface AudiencePlan {
  corporation_id: number;
  sender_id_id: number;
  sources: AudienceSources;
  rules: NumberRules;
  text: CompiledText;
  /** Signature and opt-out text, literal. */
  ending: string;
  defaults: MergeValues;
  /** Refuses who lacks a value, in place of filling in the default. */
  skip_default_param: boolean;
  skip_blacklist: boolean;
  blocked: BlockedWords;
  prices: Prices;
}

export interface AudienceTotals {
  rows_read: number;
  total_count: number;
  total_sms: number;
  gsm_count: number;
  unicode_count: number;
  rejected_count: number;
  rejected: Partial<Record<RejectReason, number>>;
  /** Thousandths. */
  cost: number;
  /** What the reseller pays, in thousandths; 0 without one. */
  reseller_cost: number;
}

export interface Rejected extends Pick<Candidate, 'source' | 'line' | 'number'> {
  reason: RejectReason;
}

/** Where the recipients go; each may answer a promise that is awaited before the next. */
export interface AudienceSink {
  message?(message: PricedMessage & { text: string }): Promise<void> | undefined;
  rejected?(rows: readonly Rejected[]): Promise<void>;
  progress?(totals: AudienceTotals): Promise<void>;
}

/**
 * Turns the sources of a campaign into messages, as a stream in bounded memory. The quote counts with it and the sending
 * writes with it, so that both see the same: what is shown is what is charged and sent.
 */
export async function expandAudience(
  db: Kysely<Database>,
  plan: AudiencePlan,
  sink: AudienceSink,
  signal: AbortSignal,
): Promise<AudienceTotals> {
  const totals: AudienceTotals = {
    rows_read: 0,
    total_count: 0,
    total_sms: 0,
    gsm_count: 0,
    unicode_count: 0,
    rejected_count: 0,
    rejected: {},
    cost: 0,
    reseller_cost: 0,
  };
  const seen = new MsisdnSet();
  const compose = composer(plan);
  const { priceOf, resellerPriceOf } = plan.prices;
  for await (const batch of readAudience(db, plan.sources, plan.text.fields, plan.rules)) {
    signal.throwIfAborted();
    const refused: Rejected[] = [];
    const refuse = ({ source, line, number }: Candidate, reason: RejectReason) => {
      refused.push({ source, line, number, reason });
      totals.rejected[reason] = (totals.rejected[reason] ?? 0) + 1;
    };
    const fresh: { candidate: Candidate; msisdn: string }[] = [];
    for (const candidate of batch) {
      const { msisdn, fault } = checkNumber(candidate.number, plan.rules);
      if (msisdn === undefined) refuse(candidate, fault);
      else if (!seen.add(msisdn)) refuse(candidate, 'duplicate');
      else fresh.push({ candidate, msisdn });
    }
    const stopped = await suppressed(
      db,
      plan,
      fresh.map(({ msisdn }) => msisdn),
    );
    for (const { candidate, msisdn } of fresh) {
      const suppression = stopped.get(msisdn);
      if (suppression && !(suppression === 'blacklisted' && plan.skip_blacklist)) {
        refuse(candidate, suppression);
        continue;
      }
      const composed = compose(candidate.values);
      if (composed.reason) {
        refuse(candidate, composed.reason);
        continue;
      }
      const { text, parts, unicode } = composed;
      const unit_price = priceOf(msisdn);
      const reseller_unit_price = resellerPriceOf ? resellerPriceOf(msisdn) : null;
      totals.total_count++;
      totals.total_sms += parts;
      totals[unicode ? 'unicode_count' : 'gsm_count']++;
      totals.cost += parts * unit_price;
      totals.reseller_cost += parts * (reseller_unit_price ?? 0);
      const name = candidate.values.name ?? null;
      const taken = sink.message?.({ msisdn, name, text, unicode, parts, unit_price, reseller_unit_price });
      if (taken) await taken;
    }
    totals.rows_read += batch.length;
    totals.rejected_count += refused.length;
    await sink.rejected?.(refused);
    await sink.progress?.(totals);
  }
  return totals;
}

type Composed =
  | { text: string; parts: number; unicode: boolean; reason?: never }
  | { reason: 'missing_value' | 'blocked_text' | 'text_too_long' };

/** Renders and measures the text for one recipient after the other; a text without fields is measured once. */
export function composer(
  plan: Pick<AudiencePlan, 'text' | 'ending' | 'defaults' | 'skip_default_param' | 'blocked'>,
): (values: MergeValues) => Composed {
  const defaults = plan.skip_default_param ? {} : plan.defaults;
  const measure = (rendered: string): Composed => {
    if (rendered.trim() === '') return { reason: 'missing_value' };
    const text = rendered + plan.ending;
    const { parts, encoding } = countParts(text);
    if (parts > MAX_PARTS) return { reason: 'text_too_long' };
    if (plan.blocked(text)) return { reason: 'blocked_text' };
    return { text, parts, unicode: encoding === 'ucs2' };
  };
  if (plan.text.fields.length === 0) {
    const common = measure(renderText(plan.text, {}).text);
    return () => common;
  }
  return (values) => {
    const { text, missing } = renderText(plan.text, values, defaults);
    if (plan.skip_default_param && missing.length > 0) return { reason: 'missing_value' };
    return measure(text);
  };
}
