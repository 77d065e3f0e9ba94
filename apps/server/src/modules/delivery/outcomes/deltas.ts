import { FIGURE_OF_STATE } from '@heliograph/contract/kernel/figures';
import type { Settlement } from '#modules/billing';
import type { NewEvent } from '#modules/events';
import type { MessageClass } from '#platform/database/schema';
import type { ChunkContext, Message } from '../segment.ts';
import type { Ending } from './entry.ts';
import { correctionEventOf, eventOf } from './event-of.ts';

/** Milliseconds of a quarter of an hour. Days begin at a quarter in every time zone. */
const QUARTER = 900_000;

export type FinalState =
  | 'delivered'
  | 'expired'
  | 'cancelled'
  | 'failed_submit'
  | 'failed_other'
  | 'failed_internal'
  | 'failed_billing'
  | 'blocked';

/**
 * Additions of one batch to a campaign's counters. `failed` includes the blocked, which `campaign_figure` subtracts.
 */
export interface CampaignDelta {
  campaign_id: number;
  submitted: number;
  delivered: number;
  failed: number;
  expired: number;
  cancelled: number;
  charged: number;
  released: number;
}

/** Additions of one batch to a quarter of an hour of the statistics. */
export interface QuarterDelta {
  quarter: number;
  corporation_id: number;
  department_id: number;
  user_id: number;
  campaign_id: number;
  sender_id: string;
  messages: number;
  parts: number;
  delivered: number;
  /** Failed messages of all four kinds, without the blocked. */
  failed: number;
  failed_internal: number;
  failed_billing: number;
  failed_submit: number;
  blocked: number;
  expired: number;
  spend: number;
  /** Thousandths that the reseller's account paid for the same messages, with corrections. */
  cost: number;
}

/** Additions of one batch to a class of messages. */
export interface ClassSums {
  class: MessageClass;
  parts: number;
  submitted: number;
  delivered: number;
  failed: number;
  blocked: number;
  expired: number;
  cancelled: number;
}

export const QUARTER_FIELDS = [
  'messages',
  'parts',
  'delivered',
  'failed',
  'failed_internal',
  'failed_billing',
  'failed_submit',
  'blocked',
  'expired',
  'spend',
  'cost',
] as const;

const CLASS_FIELDS = ['submitted', 'parts', 'delivered', 'failed', 'blocked', 'expired', 'cancelled'] as const;

const CAMPAIGN_FIELDS = ['submitted', 'delivered', 'failed', 'expired', 'cancelled', 'charged', 'released'] as const;

/** Adds the fields of a row to those of its key. */
function addTo<Key, Field extends string, Row extends Record<Field, number>>(
  totals: Map<Key, Row>,
  key: Key,
  row: Row,
  fields: readonly Field[],
): void {
  const total: Record<Field, number> | undefined = totals.get(key);
  if (!total) totals.set(key, { ...row });
  else for (const field of fields) total[field] += row[field];
}

interface Sum extends QuarterDelta {
  chunk: ChunkContext;
  cancelled: number;
  released: number;
  reseller_released: number;
  /** Part of `spend` that corrections charged, less what they returned: it has its own transfers. */
  corrected: number;
  /** Part of `cost` that corrections charged, less what they returned. */
  reseller_corrected: number;
}

/**
 * Adds up the effects of a batch's rows on counters, statistics and money. Every segment is settled once: with its
 * submission row, or, if the account pays on delivery, with its message's outcome.
 */
export class Deltas {
  readonly #sums = new Map<ChunkContext, Sum>();
  readonly #corrections: Settlement[] = [];
  /** Events for programs. */
  readonly events: NewEvent[] = [];

  #sum(chunk: ChunkContext): Sum {
    const present = this.#sums.get(chunk);
    if (present) return present;
    const { corporation_id, department_id, user_id, campaign_id, sender_id, created_at } = chunk;
    const sum: Sum = {
      chunk,
      quarter: Math.floor(created_at / QUARTER) * QUARTER,
      corporation_id,
      department_id,
      user_id,
      campaign_id: campaign_id ?? 0,
      sender_id,
      messages: 0,
      parts: 0,
      delivered: 0,
      failed: 0,
      failed_internal: 0,
      failed_billing: 0,
      failed_submit: 0,
      blocked: 0,
      expired: 0,
      spend: 0,
      cancelled: 0,
      released: 0,
      cost: 0,
      reseller_released: 0,
      corrected: 0,
      reseller_corrected: 0,
    };
    this.#sums.set(chunk, sum);
    return sum;
  }

  /** Adds a written submission row. A message counts as submitted with its first part. */
  submission(message: Message, part: number, accepted: boolean): void {
    const sum = this.#sum(message.chunk);
    if (accepted) {
      sum.parts++;
      if (part === 1) sum.messages++;
    }
    const { charge_on_delivery, reseller } = message.chunk;
    if (!charge_on_delivery) {
      if (accepted) sum.spend += message.unit_price;
      else sum.released += message.unit_price;
    }
    if (reseller && !reseller.charge_on_delivery) {
      if (accepted) sum.cost += reseller.unit_price;
      else sum.reseller_released += reseller.unit_price;
    }
  }

  /** Adds a written outcome row. */
  outcome(ending: Ending): void {
    const { message, state } = ending;
    if (message.chunk.tells) this.events.push(eventOf(ending));
    const sum = this.#sum(message.chunk);
    sum[FIGURE_OF_STATE[state]]++;
    if (state === 'failed_internal' || state === 'failed_billing' || state === 'failed_submit') sum[state]++;
    const { charge_on_delivery, reseller } = message.chunk;
    if (charge_on_delivery) {
      const amount = message.parts * message.unit_price;
      if (state === 'delivered') sum.spend += amount;
      else sum.released += amount;
    }
    if (reseller?.charge_on_delivery) {
      const amount = message.parts * reseller.unit_price;
      if (state === 'delivered') sum.cost += amount;
      else sum.reseller_released += amount;
    }
  }

  /**
   * Adds a written correction row. An account that pays on delivery pays for messages delivered after all, and gets
   * back those not delivered.
   */
  correction(ending: Ending): void {
    const { id, chunk, parts, unit_price } = ending.message;
    const delivered = ending.state === 'delivered';
    if (chunk.tells) this.events.push(correctionEventOf(ending));
    const { campaign_id, reseller } = chunk;
    const key = `correction:${id}`;
    const sign = delivered ? 1 : -1;
    if (chunk.charge_on_delivery) {
      const amount = sign * parts * unit_price;
      const sum = this.#sum(chunk);
      sum.spend += amount;
      sum.corrected += amount;
      this.#correct(key, chunk, campaign_id, -amount);
    }
    if (reseller?.charge_on_delivery) {
      const amount = sign * parts * reseller.unit_price;
      const sum = this.#sum(chunk);
      sum.cost += amount;
      sum.reseller_corrected += amount;
      this.#correct(`${key}:reseller`, reseller, campaign_id, -amount);
    }
  }

  #correct(
    key: string,
    { billing_account_id, corporation_id }: Pick<Settlement, 'billing_account_id' | 'corporation_id'>,
    campaign_id: number | null,
    amount: number,
  ): void {
    if (amount === 0) return;
    this.#corrections.push({ key, kind: 'correction', billing_account_id, corporation_id, campaign_id, amount });
  }

  /** Adds messages of a chunk, with `parts` parts in all, that expired before they were handed over. */
  unsentExpired(chunk: ChunkContext, messages: number, parts: number, released: number): void {
    const sum = this.#sum(chunk);
    sum.expired += messages;
    sum.released += released;
    if (chunk.reseller) sum.reseller_released += parts * chunk.reseller.unit_price;
  }

  quarters(): QuarterDelta[] {
    const totals = new Map<string, QuarterDelta>();
    for (const sum of this.#sums.values()) {
      const key = `${sum.quarter}/${sum.corporation_id}/${sum.department_id}/${sum.user_id}/${sum.campaign_id}/${sum.sender_id}`;
      addTo(totals, key, sum, QUARTER_FIELDS);
    }
    // In one order everywhere, to avoid deadlocks between batches.
    return [...totals.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, delta]) => delta);
  }

  classes(): ClassSums[] {
    const totals = new Map<MessageClass, ClassSums>();
    for (const { chunk, messages, parts, delivered, failed, blocked, expired, cancelled } of this.#sums.values()) {
      const counts = { submitted: messages, parts, delivered, failed, blocked, expired, cancelled };
      addTo(totals, chunk.class, { class: chunk.class, ...counts }, CLASS_FIELDS);
    }
    return [...totals.values()];
  }

  campaigns(): CampaignDelta[] {
    const totals = new Map<number, CampaignDelta>();
    for (const sum of this.#sums.values()) {
      const { campaign_id } = sum.chunk;
      if (campaign_id === null) continue;
      const { messages, delivered, failed, blocked, expired, cancelled, spend, released } = sum;
      const counts = { submitted: messages, delivered, failed: failed + blocked, expired, cancelled };
      addTo(totals, campaign_id, { campaign_id, ...counts, charged: spend, released }, CAMPAIGN_FIELDS);
    }
    return [...totals.values()];
  }

  /**
   * Answers one transfer for each account, campaign and kind, with keys that `cause` makes unique; and one for each
   * correction.
   */
  settlements(cause: string): Settlement[] {
    const byKey = new Map<string, Settlement>();
    const add = (
      { billing_account_id, corporation_id }: Pick<Settlement, 'billing_account_id' | 'corporation_id'>,
      campaign_id: number | null,
      kind: Settlement['kind'],
      amount: number,
    ) => {
      if (amount === 0) return;
      const key = `${cause}:${billing_account_id}:${campaign_id ?? 0}:${kind}`;
      const total = byKey.get(key);
      if (total) total.amount += amount;
      else byKey.set(key, { key, kind, billing_account_id, corporation_id, campaign_id, amount });
    };
    for (const sum of this.#sums.values()) {
      const { chunk, spend, corrected, released, cost, reseller_corrected, reseller_released } = sum;
      add(chunk, chunk.campaign_id, 'charge', spend - corrected);
      add(chunk, chunk.campaign_id, 'release', released);
      if (!chunk.reseller) continue;
      add(chunk.reseller, chunk.campaign_id, 'charge', cost - reseller_corrected);
      add(chunk.reseller, chunk.campaign_id, 'release', reseller_released);
    }
    return [...byKey.values(), ...this.#corrections];
  }
}
