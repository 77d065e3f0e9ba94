import type { quoteDetails } from '@heliograph/contract/campaigns/quote';
import { CALLING_CODES, callingCodeAt, callingCodePlace } from '@heliograph/contract/kernel/calling-codes';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { countParts, plainForm, replacementOf } from '@heliograph/contract/kernel/segments';
import type { z } from 'zod';

/** Properties of a message that decide its cost; `unit_price` is in thousandths for each part. */
interface Counted {
  msisdn: string;
  text: string;
  parts: number;
  unicode: boolean;
  unit_price: number;
}

const DEAREST = 5;
const DESTINATIONS = 30;
const CHARACTERS = 12;
/**
 * Maximum distinct characters for which the quote counts how often they force Unicode. A text in another script has
 * thousands.
 */
const MOST_CHARACTERS = 500;

/** Characters that make a text Unicode, and the parts that the text would have without them. */
type Advice = { forced: ReadonlySet<string>; plain_parts: number | null };

/** Collects the details of a quote besides its sums. Memory does not grow with the audience. */
export class QuoteDetails {
  readonly #count = new Float64Array(CALLING_CODES);
  readonly #parts = new Float64Array(CALLING_CODES);
  readonly #cost = new Float64Array(CALLING_CODES);
  readonly #dearest: (Counted & { cost: number })[] = [];
  /** Cost that a row must exceed to be one of the most expensive. */
  #bar = -1;
  #cheapest = Infinity;
  readonly #characters = new Map<string, number>();
  readonly #saved = { rows: 0, parts: 0, cost: 0 };
  #unicode = false;
  #last: { text: string; advice: Advice } | undefined;

  add(message: Counted): void {
    const { msisdn, parts, unit_price } = message;
    const cost = parts * unit_price;
    const place = callingCodePlace(msisdn);
    this.#count[place]!++;
    this.#parts[place]! += parts;
    this.#cost[place]! += cost;
    if (cost < this.#cheapest) this.#cheapest = cost;
    if (cost > this.#bar) this.#addDear(message, cost);
    if (message.unicode) this.#addUnicode(message);
  }

  #addDear({ msisdn, text, parts, unicode, unit_price }: Counted, cost: number): void {
    const dearest = this.#dearest;
    if (dearest.length === DEAREST) dearest.pop();
    const at = dearest.findIndex((other) => other.cost < cost);
    dearest.splice(at < 0 ? dearest.length : at, 0, { msisdn, text, parts, unicode, unit_price, cost });
    if (dearest.length === DEAREST) this.#bar = dearest.at(-1)!.cost;
  }

  #addUnicode({ text, parts, unit_price }: Counted): void {
    this.#unicode = true;
    // A text that all messages share is examined once.
    if (this.#last?.text !== text) this.#last = { text, advice: adviceFor(text) };
    const { forced, plain_parts } = this.#last.advice;
    for (const character of forced) {
      const rows = this.#characters.get(character);
      if (rows !== undefined || this.#characters.size < MOST_CHARACTERS) {
        this.#characters.set(character, (rows ?? 0) + 1);
      }
    }
    if (plain_parts === null) return;
    this.#saved.rows++;
    this.#saved.parts += parts - plain_parts;
    this.#saved.cost += (parts - plain_parts) * unit_price;
  }

  /** Returns the details in the form of the contract. */
  result(): z.input<typeof quoteDetails> {
    const destinations = [...this.#count.keys()]
      .filter((place) => this.#count[place]! > 0)
      .sort((a, b) => this.#cost[b]! - this.#cost[a]! || this.#count[b]! - this.#count[a]!)
      .slice(0, DESTINATIONS)
      .map((place) => ({
        calling_code: callingCodeAt(place),
        count: this.#count[place]!,
        parts: this.#parts[place]!,
        cost: fromThousandths(this.#cost[place]!),
      }));
    const alike = this.#dearest[0]?.cost === this.#cheapest;
    const characters = [...this.#characters]
      .sort((a, b) => b[1] - a[1])
      .slice(0, CHARACTERS)
      .map(([character, rows]) => ({ character, replacement: replacementOf(character) ?? null, rows }));
    return {
      destinations,
      dearest: alike
        ? []
        : this.#dearest.map(({ msisdn, text, parts, cost }) => ({
            number: msisdn,
            text,
            parts,
            cost: fromThousandths(cost),
          })),
      unicode: this.#unicode
        ? {
            characters,
            replaceable_count: this.#saved.rows,
            saved_sms: this.#saved.parts,
            saved_cost: fromThousandths(this.#saved.cost),
          }
        : null,
    };
  }
}

function adviceFor(text: string): Advice {
  const form = plainForm(text);
  if ('stuck' in form) return { forced: new Set([form.stuck]), plain_parts: null };
  return { forced: form.replaced, plain_parts: countParts(form.plain).parts };
}
