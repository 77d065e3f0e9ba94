import { type Queryable, rowsOf } from '#platform/database/queryable';
import { tell } from '#platform/fan-out/tell';
import type { Teller } from '#platform/fan-out/transport';
import type { ChunkShared, NewMessage } from './chunk.ts';
import { insertChunk } from './insert-chunks.ts';
import { CHUNK_SIZE } from './message-id.ts';

export interface Enqueued {
  messages: number;
  parts: number;
  /** Thousandths; the sum of parts × unit price. */
  amount: number;
}

/** Takes messages one by one and writes them in chunks. */
export interface ChunkWriter {
  /**
   * Adds a message. Every thousandth returns a promise: await it before adding more, or rows fill the memory. `await
   * writer.add(message)` is right for every message.
   */
  add(message: NewMessage): Promise<void> | undefined;
  /** Writes the remaining messages and answers the totals of all that were written. */
  flush(): Promise<Enqueued>;
}

/**
 * Writes messages that share `shared` in chunks of at most 1,000, within the caller's transaction. The caller has
 * reserved their cost; call `wakeSenders` in the same transaction.
 */
export function openChunkWriter(db: Queryable, shared: ChunkShared): ChunkWriter {
  const written: Enqueued = { messages: 0, parts: 0, amount: 0 };
  let waiting: NewMessage[] = [];
  const write = async () => {
    const messages = waiting;
    waiting = [];
    await insertChunk(db, shared, messages);
    written.messages += messages.length;
    for (const { parts, unit_price } of messages) {
      written.parts += parts;
      written.amount += parts * unit_price;
    }
  };
  return {
    add(message) {
      waiting.push(message);
      return waiting.length >= CHUNK_SIZE ? write() : undefined;
    },
    async flush() {
      if (waiting.length > 0) await write();
      return { ...written };
    },
  };
}

/** Channel on which senders are told that messages wait. */
export const WAKE_SENDERS = 'wake_senders';

/**
 * Tells the senders, after the transaction has committed, that messages wait. Without it they find them
 * within three seconds.
 */
export const wakeSenders = (db: Teller): Promise<void> => tell(db, WAKE_SENDERS);

/** Answers whether any link is enabled, so that messages may leave. */
export async function anyLinkEnabled(db: Queryable): Promise<boolean> {
  return (await rowsOf(db, 'SELECT FROM link WHERE enabled AND NOT virtual LIMIT 1')).length > 0;
}
