import { type Kysely, sql } from 'kysely';
import type { ConnectedConfig } from '#platform/config/config';
import type { Database } from '#platform/database/db';
import { publicUrl } from '#platform/process/shutdown';
import type { Brought } from './read-callback.ts';
import type { CallbackAddresses } from './request-form.ts';

/** Path of callbacks of carriers; the key stands for the link. */
export const CALLBACK_PATH = '/carrier-callbacks';

/** Answers the addresses that a link's carrier calls. */
export function callbackAddresses(
  config: Pick<ConnectedConfig, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
  key: string,
): CallbackAddresses {
  const base = `${publicUrl(config)}${CALLBACK_PATH}/${key}`;
  return { receipts: `${base}/receipts`, replies: `${base}/replies` };
}

/** Stores what a callback brought; replies that are known are left out. */
export async function keepCallbacks(db: Kysely<Database>, linkId: number, brought: readonly Brought[]): Promise<void> {
  await sql`SELECT keep_carrier_callbacks(${linkId}, ${brought.map(({ pdu }) => pdu)}::bytea[],
    ${brought.map(({ digest }) => digest)}::bytea[])`.execute(db);
}
