import { tell } from '#platform/fan-out/tell';
import type { Teller } from '#platform/fan-out/transport';

/** Channel on which SMPP servers are told to look again: at system ids, at requested unbinds, and at new deliveries. */
export const SMPP_SERVERS = 'smpp_server';

/**
 * Tells the SMPP servers, after the transaction has committed, that something changed. Without it they find the change
 * within seconds.
 */
export const tellServers = (db: Teller): Promise<void> => tell(db, SMPP_SERVERS);
