import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { MsisdnSet } from '#platform/structures/msisdn-set';
import type { AudiencePlan } from './expand-audience.ts';
import type { Quote } from './quotes.ts';

/** Dead numbers of a quote, and what their messages cost. */
export class DeadNumbers {
  readonly #numbers: string[] = [];
  #parts = 0;
  #cost = 0;

  add({ msisdn, parts, unit_price }: { msisdn: string; parts: number; unit_price: number }): void {
    this.#numbers.push(msisdn);
    this.#parts += parts;
    this.#cost += parts * unit_price;
  }

  /** Returns the sums in the form of the contract; null without a dead number. */
  result() {
    if (this.#numbers.length === 0) return null;
    return { count: this.#numbers.length, parts: this.#parts, cost: fromThousandths(this.#cost) };
  }

  /** Keeps the numbers that a quote skips. A retry of the quote replaces them. */
  async keep(db: Kysely<Database>, { id, corporation_id }: Pick<Quote, 'id' | 'corporation_id'>): Promise<void> {
    if (this.#numbers.length === 0) {
      await db.deleteFrom('quote_dead').where('quote_id', '=', id).execute();
      return;
    }
    const numbers = this.#numbers;
    await db
      .insertInto('quote_dead')
      .values({ quote_id: id, corporation_id, numbers })
      .onConflict((conflict) => conflict.column('quote_id').doUpdateSet({ numbers }))
      .execute();
  }
}

/** Returns the finder of the numbers that a campaign's quote skipped; null if it skips none. */
export async function deadAsQuoted(
  db: Kysely<Database>,
  { skip_dead }: Pick<AudiencePlan, 'skip_dead'>,
  quoteId: number | null,
): Promise<AudiencePlan['dead']> {
  if (!skip_dead || quoteId === null) return null;
  const row = await db.selectFrom('quote_dead').select('numbers').where('quote_id', '=', quoteId).executeTakeFirst();
  if (!row) return null;
  const dead = new MsisdnSet();
  for (const number of row.numbers) dead.add(number);
  return async (_, numbers) => new Set(numbers.filter((number) => dead.has(number)));
}
