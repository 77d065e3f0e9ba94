import type { Queryable } from '#platform/database/queryable';
import type { NewMessage, ResellerShare } from './chunk.ts';
import type { ChunkWriter } from './enqueue.ts';
import { openRoutedWriter, type RoutedShared } from './routed-writer.ts';

/** A message with the reseller's price of a part, in thousandths; null without a reseller. */
export type PricedMessage = NewMessage & { reseller_unit_price: number | null };

/**
 * Writer of messages one by one, like a ChunkWriter, with the reseller's price of each. Await each promise before the
 * next.
 */
export interface PricedWriter {
  add(message: PricedMessage): Promise<void> | undefined;
  /** `reseller_amount` is the sum of parts × the reseller's price. */
  flush(): Promise<Awaited<ReturnType<ChunkWriter['flush']>> & { reseller_amount: number }>;
}

/**
 * Writes messages by their carrier routes. All messages of a chunk cost the reseller the same, so that a message needs
 * no second price. Otherwise works like `openRoutedWriter`.
 */
export function openPricedWriter(
  db: Queryable,
  shared: Omit<RoutedShared, 'reseller'>,
  reseller: Omit<ResellerShare, 'unit_price'> | null,
): PricedWriter {
  const writers = new Map<number | null, ChunkWriter | Promise<ChunkWriter>>();
  let reseller_amount = 0;
  const open = (unit_price: number | null): Promise<ChunkWriter> => {
    const share = reseller && unit_price !== null ? { ...reseller, unit_price } : null;
    const opening = openRoutedWriter(db, { ...shared, reseller: share }).then((writer) => {
      writers.set(unit_price, writer);
      return writer;
    });
    // Messages that come before it is open wait for the same writer.
    writers.set(unit_price, opening);
    return opening;
  };
  return {
    add(message) {
      const price = message.reseller_unit_price;
      reseller_amount += message.parts * (price ?? 0);
      const writer = writers.get(price) ?? open(price);
      return writer instanceof Promise ? writer.then((opened) => opened.add(message)) : writer.add(message);
    },
    async flush() {
      const written = { messages: 0, parts: 0, amount: 0, reseller_amount };
      for (const writer of writers.values()) {
        const { messages, parts, amount } = await (await writer).flush();
        written.messages += messages;
        written.parts += parts;
        written.amount += amount;
      }
      return written;
    },
  };
}
