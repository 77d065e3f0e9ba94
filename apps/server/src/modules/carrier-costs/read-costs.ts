import { setImmediate as breathe } from 'node:timers/promises';
import { CostTable, type Period } from './cost-table.ts';
import { RateIndex, type StoredRate } from './rate-index.ts';

/** Runs one statement and returns its rows. */
export type Read = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

const CARDS = `SELECT id, link_id, version, currency, charged_on, timezone, from_at, until_at, turns::text[] AS turns
  FROM all_carrier_cards()`;
const RATES = `SELECT id, prefix, mcc, mnc, class, sender_kind, amount, starts_on::text AS starts_on
  FROM rates_of_carrier_card($1, $2::date, $3, $4)`;
const PAGE = 10_000;

/** Time before an applied card counts. What was read less than this ago is therefore complete. */
export const CARD_NOTICE_MS = 60_000;
/** Age of the list of cards at which it is read again; half of the notice stays for slow clocks. */
const FRESH_MS = 20_000;
/** Time after its end for which the rates of a card stay in memory. */
const KEPT_MS = 5 * 86_400_000;

interface Card {
  id: number;
  link_id: number;
  version: number;
  currency: string;
  charged_on: Period['on'];
  from_at: number;
  until_at: number | null;
  turns: string[];
  timezone: string;
}

const keyOf = ({ card_id, day }: Period) => `${card_id}/${day}`;

/** Divides the time of a card at the days on which some of its rates begin or are over. */
function periodsOf(card: Card): Period[] {
  const { id: card_id, link_id, version, currency, charged_on: on, timezone } = card;
  const end = card.until_at ?? Number.POSITIVE_INFINITY;
  const midnight = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds;
  const first = Temporal.Instant.fromEpochMilliseconds(Math.floor(card.from_at))
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toString();
  const starts = [
    { day: first, from: card.from_at },
    ...card.turns.filter((day) => day > first).map((day) => ({ day, from: midnight(day) })),
  ];
  return starts.flatMap(({ day, from }, place) => {
    const until = Math.min(end, starts[place + 1]?.from ?? end);
    return until > from ? [{ card_id, link_id, version, currency, on, from, until, day }] : [];
  });
}

/** Reads the rates of a period, a page at a time so that other work goes on. */
async function readRates(read: Read, { card_id, day }: Period): Promise<RateIndex> {
  const rates: StoredRate[] = [];
  for (let after = 0; ; ) {
    const page = await read<StoredRate & { id: number }>(RATES, [card_id, day, after, PAGE]);
    for (const { prefix, mcc, mnc, class: of, sender_kind, amount, starts_on } of page)
      rates.push({ prefix, mcc, mnc, class: of, sender_kind, amount: Number(amount), starts_on });
    if (page.length < PAGE) return new RateIndex(rates);
    after = Number(page.at(-1)!.id);
    await breathe();
  }
}

/**
 * Cards of all links, read again when they may have changed. A card counts from a minute after it was applied, so a list
 * that was read half a minute ago still has every card that counts now. An applied card never changes.
 */
export class Costs {
  #table: CostTable | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<CostTable> | null = null;
  readonly #rates = new Map<string, RateIndex>();

  /** Returns the table as it is, or null if it must be read again first. */
  get fresh(): CostTable | null {
    return performance.now() - this.#readAt < FRESH_MS ? this.#table : null;
  }

  /** Returns the table, which is read again if it is older than some seconds. */
  async current(read: Read): Promise<CostTable> {
    return this.fresh ?? this.latest(read);
  }

  /** Returns the table with every card that was applied until now, also those that count only later. */
  async latest(read: Read): Promise<CostTable> {
    this.#reading ??= this.#renew(read).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Reads the rates of an old card, which are not in memory any more. */
  async readOld(read: Read, period: Period): Promise<void> {
    period.rates = this.#rates.get(keyOf(period)) ?? (await readRates(read, period));
    this.#rates.set(keyOf(period), period.rates);
  }

  async #renew(read: Read): Promise<CostTable> {
    const began = performance.now();
    const cards = await read<Card>(CARDS, []);
    const periods = cards.flatMap(periodsOf);
    const now = Date.now();
    for (const period of periods) {
      const known = this.#rates.get(keyOf(period));
      if (known) period.rates = known;
      else if (period.until > now - KEPT_MS && period.from < now + 2 * CARD_NOTICE_MS) await this.readOld(read, period);
    }
    // Rates of cards that ended are dropped; a late receipt reads them again.
    const kept = new Set(periods.filter(({ until }) => until > now - KEPT_MS).map(keyOf));
    for (const key of this.#rates.keys()) if (!kept.has(key)) this.#rates.delete(key);
    this.#table = new CostTable(periods);
    this.#readAt = began;
    return this.#table;
  }
}
