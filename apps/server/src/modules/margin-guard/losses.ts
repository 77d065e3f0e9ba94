import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import type { Logger } from '#platform/log';
import type { Margin } from './guard.ts';

const DELAY_MS = 1_000;
/** Maximum sums that are kept apart; the destinations of an operator are fewer. */
const MOST = 2_000;

/** Sum of losses over one link to one network. */
export interface LossSum extends Omit<Margin, 'price' | 'cost'> {
  messages: number;
  parts: number;
  /** Millionths, over all parts. */
  price: number;
  cost: number;
}

/** Sums of losses, the greatest first. */
export class LossSums {
  readonly #sums = new Map<string, LossSum>();

  get isEmpty(): boolean {
    return this.#sums.size === 0;
  }

  add({ price, cost, ...place }: Margin, parts: number): void {
    const key = `${place.link_id} ${place.network_id} ${place.currency}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      if (this.#sums.size >= MOST) return;
      sum = { ...place, messages: 0, parts: 0, price: 0, cost: 0 };
      this.#sums.set(key, sum);
    }
    sum.messages++;
    sum.parts += parts;
    sum.price += parts * price;
    sum.cost += parts * cost;
  }

  result(): LossSum[] {
    return [...this.#sums.values()].sort((a, b) => a.price - a.cost - (b.price - b.cost));
  }
}

interface Counted {
  corporation_id: number;
  refused: boolean;
  sums: LossSums;
}

/** Losses on messages of programs. They are written together, a second after the first. */
export class LateLosses {
  readonly #db: Kysely<Database>;
  readonly #log: Logger;
  #counted = new Map<string, Counted>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Kysely<Database>, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  add(corporation_id: number, refused: boolean, loss: Margin, parts: number): void {
    const key = `${corporation_id} ${refused}`;
    let counted = this.#counted.get(key);
    if (!counted) {
      counted = { corporation_id, refused, sums: new LossSums() };
      this.#counted.set(key, counted);
    }
    counted.sums.add(loss, parts);
  }

  /** Plans a write if something was counted. */
  plan(): void {
    if (this.#timer || this.#counted.size === 0) return;
    this.#timer = setTimeout(() => void this.flush(), DELAY_MS);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#counted.values()].flatMap(({ sums, ...of }) =>
      sums.result().map((sum) => ({ ...of, ...sum })),
    );
    this.#counted = new Map();
    if (rows.length === 0) return;
    // In a fixed order, so that two processes never wait for each other in a circle.
    await sql`
      INSERT INTO margin_loss (corporation_id, link_id, network_id, refused, currency, messages, parts, price, cost)
      SELECT f.corporation_id, f.link_id, f.network_id, f.refused, f.currency, f.messages, f.parts, f.price, f.cost
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f(corporation_id bigint, link_id bigint, network_id bigint,
        refused boolean, currency text, messages bigint, parts bigint, price bigint, cost bigint)
      ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT ON CONSTRAINT margin_loss_key DO UPDATE SET messages = margin_loss.messages + excluded.messages,
        parts = margin_loss.parts + excluded.parts, price = margin_loss.price + excluded.price,
        cost = margin_loss.cost + excluded.cost, last_at = now()`
      .execute(this.#db)
      .catch((error: unknown) => {
        this.#log.warn({ err: error }, 'could not count losses');
      });
  }
}
