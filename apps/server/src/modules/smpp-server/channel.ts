import { type Queryable, rowsOf } from '#platform/queryable';

/** On which SMPP servers are told to look again: at system ids, at unbinds somebody asked for, at what is to be delivered. */
export const SMPP_CHANNEL = 'heliograph_smpp_server';

/** Tells the SMPP servers, once the transaction has committed, that something changed; they would find it within seconds anyway. */
export async function tellServers(db: Queryable): Promise<void> {
  // Equal notifications of one transaction are sent once.
  await rowsOf(db, `SELECT pg_notify('${SMPP_CHANNEL}', '')`);
}
