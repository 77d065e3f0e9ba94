import { tell } from '#platform/fan-out/tell';
import type { Teller } from '#platform/fan-out/transport';

/** On which SMPP servers are told to look again: at system ids, at unbinds somebody asked for, at what is to be delivered. */
export const SMPP_SERVERS = 'smpp_server';

/** Tells the SMPP servers, once the transaction has committed, that something changed; they would find it within seconds anyway. */
export const tellServers = (db: Teller): Promise<void> => tell(db, SMPP_SERVERS);
