import { type SenderKind, senderKind } from '@heliograph/contract/senders/sender-id';
import type pg from 'pg';
import { type CostTable, type Period, RatesNotRead, type UnitCost } from '#modules/carrier-costs';
import { numberArray } from '#platform/database/array-literal';
import { chunkOf } from '../message-id.ts';
import type { ChunkContext, Message } from '../segment.ts';

/** Milliseconds of a quarter of an hour. Days begin at a quarter in every time zone. */
const QUARTER = 900_000;
const UNKNOWN = 0;

/** Network of a number, as far as costs need it. */
type Network = { readonly id: number; readonly mcc: string | null; readonly mnc: string | null };
type NetworkOf = (msisdn: string) => Network | null;

const codes = new WeakMap<Network, string>();

/** Returns the MCC and MNC of a network in one text; empty if they are not known. */
function codeOf(network: Network | null): string {
  if (!network?.mcc) return '';
  let code = codes.get(network);
  if (code === undefined) {
    code = `${network.mcc}${network.mnc ?? ''}`;
    codes.set(network, code);
  }
  return code;
}

interface CostSum {
  chunk: ChunkContext;
  link_id: number;
  network_id: number;
  card_id: number;
  currency: string;
  parts: number;
  unknown_parts: number;
  cost: number;
  spend: number;
  reseller_spend: number;
  /** Part of `cost` that corrections added, less what they took back. */
  corrected: number;
}

/** Sums of a row. */
export const COST_FIELDS = ['parts', 'unknown_parts', 'cost', 'spend', 'reseller_spend'] as const;

/** Delivery of a message, or its correction, whose answers must be read first. */
interface Delivery {
  message: Message;
  /** 1 if it was delivered, -1 if it was not after all. */
  sign: 1 | -1;
  corrects: boolean;
}

const READ_ANSWERS = {
  name: 'read-answers-for-costs',
  text: `
    SELECT message_id, link_id, extract(epoch FROM answered_at)::float8 * 1000 AS at FROM submission_row
    WHERE message_id = ANY ($1::bigint[]) AND chunk_id = ANY ($2::bigint[]) AND command_status = 0`,
};

/**
 * Costs of a batch of outcomes, and what accounts paid for the same parts. A part is priced by the link that took it, at
 * the moment of its answer, so a correction takes back exactly what was added before.
 */
export class CostSums {
  readonly #table: CostTable;
  readonly #networkOf: NetworkOf;
  readonly #sums = new Map<ChunkContext, Map<string, CostSum>>();
  readonly #kinds = new Map<ChunkContext, SenderKind>();
  #late: Delivery[] = [];
  /** Additions that wait for the rates of old cards. */
  #waiting: { period: Period; add: () => void }[] = [];
  #last: { chunk: ChunkContext; link_id: number; network_id: number; card_id: number; sum: CostSum } | undefined;

  constructor(table: CostTable, networkOf: NetworkOf) {
    this.#table = table;
    this.#networkOf = networkOf;
  }

  #sum(chunk: ChunkContext, link_id: number, network_id: number, cost: UnitCost | null): CostSum {
    const card_id = cost?.card_id ?? UNKNOWN;
    const last = this.#last;
    if (
      last &&
      last.chunk === chunk &&
      last.network_id === network_id &&
      last.card_id === card_id &&
      last.link_id === link_id
    )
      return last.sum;
    let sums = this.#sums.get(chunk);
    if (!sums) {
      sums = new Map();
      this.#sums.set(chunk, sums);
    }
    const key = `${link_id}/${network_id}/${card_id}`;
    let sum = sums.get(key);
    if (!sum) {
      const zero = { parts: 0, unknown_parts: 0, cost: 0, spend: 0, reseller_spend: 0, corrected: 0 };
      sum = { chunk, link_id, network_id, card_id, currency: cost?.currency ?? '', ...zero };
      sums.set(key, sum);
    }
    this.#last = { chunk, link_id, network_id, card_id, sum };
    return sum;
  }

  #kindOf(chunk: ChunkContext): SenderKind {
    let kind = this.#kinds.get(chunk);
    if (!kind) {
      kind = senderKind(chunk.sender_id);
      this.#kinds.set(chunk, kind);
    }
    return kind;
  }

  /** Calls `add` with the sum and cost of a part, once the rates of its card are in memory. */
  #with(message: Message, link_id: number, at: number, add: (sum: CostSum, cost: UnitCost | null) => void): void {
    const { chunk, msisdn } = message;
    const network = this.#networkOf(msisdn);
    let cost: UnitCost | null = null;
    try {
      if (this.#table.periodOf(link_id, at)) {
        const sender_kind = this.#kindOf(chunk);
        cost = this.#table.unitCost({ link_id, msisdn, network: codeOf(network), class: chunk.class, sender_kind, at });
      }
    } catch (error) {
      if (!(error instanceof RatesNotRead)) throw error;
      this.#waiting.push({ period: error.period, add: () => this.#with(message, link_id, at, add) });
      return;
    }
    add(this.#sum(chunk, link_id, network?.id ?? 0, cost), cost);
  }

  /** Adds a part that the carrier of a link accepted at a time in epoch milliseconds. */
  accepted(message: Message, link_id: number, at: number): void {
    const { charge_on_delivery, reseller } = message.chunk;
    this.#with(message, link_id, at, (sum, cost) => {
      sum.parts++;
      if (!cost) sum.unknown_parts++;
      else if (cost.on === 'submit') sum.cost += cost.amount;
      if (!charge_on_delivery) sum.spend += message.unit_price;
      if (reseller && !reseller.charge_on_delivery) sum.reseller_spend += reseller.unit_price;
    });
  }

  /** True if the delivery of a message changes its cost, or what is paid for it. */
  #counts({ chunk }: Message): boolean {
    return this.#table.charges_on_delivery || chunk.charge_on_delivery || chunk.reseller?.charge_on_delivery === true;
  }

  /**
   * Adds a delivered message. `link_id` is that of a message in one part whose answer is in memory; otherwise its answers
   * are read.
   */
  delivered(message: Message, link_id: number | null): void {
    if (!this.#counts(message)) return;
    const delivery: Delivery = { message, sign: 1, corrects: false };
    if (link_id !== null && message.parts === 1 && message.answered_at > 0)
      this.#deliveredPart(delivery, link_id, message.answered_at);
    else this.#late.push(delivery);
  }

  /** Adds a message that was delivered after all, or takes one back that was not. */
  corrected(message: Message, delivered: boolean): void {
    if (this.#counts(message)) this.#late.push({ message, sign: delivered ? 1 : -1, corrects: true });
  }

  #deliveredPart({ message, sign, corrects }: Delivery, link_id: number, at: number): void {
    const { charge_on_delivery, reseller } = message.chunk;
    this.#with(message, link_id, Math.round(at), (sum, cost) => {
      if (cost?.on === 'delivery') {
        sum.cost += sign * cost.amount;
        if (corrects) sum.corrected += sign * cost.amount;
      }
      if (charge_on_delivery) sum.spend += sign * message.unit_price;
      if (reseller?.charge_on_delivery) sum.reseller_spend += sign * reseller.unit_price;
    });
  }

  /** True if something must be read before the sums are complete. */
  get incomplete(): boolean {
    return this.#late.length > 0 || this.#waiting.length > 0;
  }

  /** Reads the answers and old rates that are still missing; the answers of this batch must be written before. */
  async complete(client: pg.Client, readOld: (period: Period) => Promise<void>): Promise<void> {
    const late = Map.groupBy(this.#late, ({ message }) => message.id);
    this.#late = [];
    if (late.size > 0) {
      const ids = [...late.keys()];
      const { rows } = await client.query<{ message_id: number; link_id: number; at: number }>({
        ...READ_ANSWERS,
        values: [numberArray(ids), numberArray([...new Set(ids.map(chunkOf))])],
      });
      for (const { message_id, link_id, at } of rows)
        for (const delivery of late.get(message_id)!) this.#deliveredPart(delivery, link_id, at);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { period, add } of waiting) {
      if (!period.rates) await readOld(period);
      add();
    }
  }

  #all(): CostSum[] {
    return [...this.#sums.values()].flatMap((sums) => [...sums.values()]);
  }

  /** Returns the rows of the sums, in one order everywhere, to avoid deadlocks between batches. */
  rows(): (CostSum & { quarter: number })[] {
    const totals = new Map<string, CostSum & { quarter: number }>();
    for (const sum of this.#all()) {
      const { created_at, corporation_id, department_id, user_id, campaign_id } = sum.chunk;
      const quarter = Math.floor(created_at / QUARTER) * QUARTER;
      const key = `${quarter}/${corporation_id}/${department_id}/${user_id}/${campaign_id ?? 0}/${sum.link_id}/${sum.network_id}/${sum.card_id}`;
      const total = totals.get(key);
      if (!total) totals.set(key, { ...sum, quarter });
      else for (const field of COST_FIELDS) total[field] += sum[field];
    }
    return [...totals.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row)
      .filter((row) => COST_FIELDS.some((field) => row[field] !== 0));
  }

  /** Returns one transfer for each link, card and kind, with keys that `cause` makes unique. */
  transfers(cause: string) {
    const byKey = new Map<
      string,
      { key: string; kind: string; link_id: number; card_id: number; currency: string; amount: number }
    >();
    for (const { link_id, card_id, currency, cost, corrected } of this.#all())
      for (const [kind, amount] of [
        ['cost', cost - corrected],
        ['correction', corrected],
      ] as const) {
        if (amount === 0) continue;
        const key = `${cause}:${link_id}:${card_id}:${kind}`;
        const total = byKey.get(key);
        if (total) total.amount += amount;
        else byKey.set(key, { key, kind, link_id, card_id, currency, amount });
      }
    return [...byKey.values()].filter(({ amount }) => amount !== 0);
  }
}
