import type pg from 'pg';
import { Costs, type CostTable, type Period } from '#modules/carrier-costs';
import { rowsOf } from '#platform/database/queryable';

/** Cards by database: the tests of one process have several. */
const known = new Map<string, Costs>();

function costsOf(client: pg.ClientBase): Costs {
  const { host, port, database } = client as pg.Client;
  const key = `${host}:${port}/${database}`;
  let costs = known.get(key);
  if (!costs) {
    costs = new Costs();
    known.set(key, costs);
  }
  return costs;
}

const readOf =
  (client: pg.ClientBase) =>
  <Row>(text: string, values: readonly unknown[]) =>
    rowsOf<Row>(client, text, values);

/** Returns the applied cards of all links, with every card that counts now. */
export async function recentCosts(client: pg.ClientBase): Promise<CostTable> {
  const costs = costsOf(client);
  return costs.fresh ?? (await costs.current(readOf(client)));
}

/** Reads the rates of a card that ended days ago. */
export const readOldRates = (client: pg.ClientBase, period: Period): Promise<void> =>
  costsOf(client).readOld(readOf(client), period);
