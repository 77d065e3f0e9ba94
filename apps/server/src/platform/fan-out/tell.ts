import { createHmac } from 'node:crypto';
import { StartError } from '@heliograph/installation/start-error';
import type pg from 'pg';
import type { ConnectedConfig } from '../config/config.ts';
import { connectionSettings, type DatabaseRole } from '../database/db.ts';
import type { Logger } from '../log.ts';
import { secretKey } from '../process/seal.ts';
import { FanOut } from './fan-out.ts';
import { listenNotify, notify, notifyBehind } from './listen-notify.ts';
import type { Teller, Transport } from './transport.ts';

/** Transport of this process's messages: NOTIFY until it has started a fan-out over NATS. */
let carry: Transport['tell'] = notify;

/**
 * Publishes a message on a subject after the transaction of `from` commits; never if it does not. Equal messages of one
 * transaction arrive once. Listeners must not depend on it: they also look by themselves, a little later.
 */
export const tell = (from: Teller, subject: string, payload = ''): Promise<void> => carry(from, subject, payload);

/**
 * Publishes a message without text right behind the COMMIT that a session has sent, without waiting for its answer. Answers
 * undefined over NATS, where the message would be there before the commit.
 */
export const tellBehind = (session: pg.ClientBase, subject: string): Promise<void> | undefined =>
  carry === notify ? notifyBehind(session, subject) : undefined;

/**
 * Answers the beginning of this installation's subjects on NATS. It follows from the key that all its machines share.
 * Installations on one NATS never mix, and none can guess the subjects of another.
 */
export function natsPrefix(config: Pick<ConnectedConfig, 'SECRET_KEY' | 'DATA_DIR'>): string {
  const id = createHmac('sha256', secretKey(config)).update('fan-out').digest('hex').slice(0, 20);
  return `heliograph.${id}`;
}

/**
 * Connects this process with the others: over NATS if NATS_URL is set, else over a session of PostgreSQL under `role`.
 * Throws if PostgreSQL cannot be reached, and a StartError if a file of the settings cannot be read.
 */
export async function startFanOut(config: ConnectedConfig, role: DatabaseRole, log: Logger): Promise<FanOut> {
  const transport = config.NATS_URL ? await overNats(config, config.NATS_URL, log) : undefined;
  if (transport) carry = transport.tell;
  const fanOut = new FanOut(transport ?? listenNotify(connectionSettings(config, role)), log);
  await fanOut.start();
  return fanOut;
}

async function overNats(config: ConnectedConfig, servers: string, log: Logger): Promise<Transport> {
  // Loaded only where it is used; otherwise every process would hold it in memory.
  const { natsTransport } = await import('./nats.ts');
  const prefix = natsPrefix(config);
  log.info({ subjects: `${prefix}.>` }, 'live events and wake-ups use NATS');
  try {
    return natsTransport(
      { servers, credentials: config.NATS_CREDENTIALS, authorities: config.NATS_TLS_CA, prefix },
      log,
    );
  } catch (error) {
    throw new StartError(
      `A file of the settings NATS_CREDENTIALS or NATS_TLS_CA cannot be read: ${(error as Error).message}.`,
      2,
    );
  }
}
