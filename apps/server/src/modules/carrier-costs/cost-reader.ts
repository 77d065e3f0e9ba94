import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { readOf } from './cost-of-number.ts';
import { type Asked, CostTable, RatesNotRead, type UnitCost } from './cost-table.ts';
import { Costs } from './read-costs.ts';

/** Returns the cost of a part; null if it is unknown. */
export type CostOf = (asked: Asked) => Promise<UnitCost | null>;

const costs = new Costs();

/** Returns a function for costs of the past; rates of cards that are not in force any more are read when they are asked. */
export async function costReader(db: Kysely<Database>): Promise<CostOf> {
  const read = readOf(db);
  const table = await costs.latest(read);
  const costOf: CostOf = async (asked) => {
    try {
      return table.unitCost(asked);
    } catch (error) {
      if (!(error instanceof RatesNotRead)) throw error;
      await costs.readOld(read, error.period);
      return costOf(asked);
    }
  };
  return costOf;
}

/** Returns a function for the costs that a card would have, whether it is applied or not. Null without such a card. */
export async function draftReader(db: Kysely<Database>, cardId: number): Promise<CostOf | null> {
  const card = await db.selectFrom('carrier_card').selectAll().where('id', '=', cardId).executeTakeFirst();
  if (!card) return null;
  const { id: card_id, link_id, currency, charged_on, starts_on: day } = card;
  const on = charged_on as UnitCost['on'];
  const always = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  const period = { card_id, link_id, version: card.version ?? 0, currency, on, day, ...always };
  // A draft may still change, so its rates are not kept.
  await new Costs().readOld(readOf(db), period);
  const table = new CostTable([period]);
  return async (asked) => table.unitCost(asked);
}
