import type { ChunkWriter, NewMessage, ResellerShare } from './enqueue.ts';
import type { Queryable } from './queryable.ts';
import { openRoutedWriter, type RoutedShared } from './routed-writer.ts';

/** A message with what its part costs the reseller, in thousandths; null without a reseller. */
export type PricedMessage = NewMessage & { reseller_unit_price: number | null };

/** Takes messages one by one, like a ChunkWriter, with the reseller's price of each: await each promise before the next. */
export interface PricedWriter {
  add(message: PricedMessage): Promise<void> | undefined;
  /** `reseller_amount` is the sum of parts × the reseller's price. */
  flush(): Promise<Awaited<ReturnType<ChunkWriter['flush']>> & { reseller_amount: number }>;
}

/**
 * Writes messages by their carrier routes in chunks whose messages all cost the reseller the same, so that a message
 * needs no second price. Otherwise as `openRoutedWriter`.
 */
export function openPricedWriter(
  db: Queryable,
  shared: Omit<RoutedShared, 'reseller'>,
  reseller: Omit<ResellerShare, 'unit_price'> | null,
): PricedWriter {
  const writers = new Map<number | null, ChunkWriter>();
  let reseller_amount = 0;
  const open = async (unit_price: number | null): Promise<ChunkWriter> => {
    const share = reseller && unit_price !== null ? { ...reseller, unit_price } : null;
    const writer = await openRoutedWriter(db, { ...shared, reseller: share });
    writers.set(unit_price, writer);
    return writer;
  };
  return {
    add({ reseller_unit_price: price, ...message }) {
      reseller_amount += message.parts * (price ?? 0);
      const writer = writers.get(price);
      return writer ? writer.add(message) : open(price).then((opened) => opened.add(message));
    },
    async flush() {
      const written = { messages: 0, parts: 0, amount: 0, reseller_amount };
      for (const writer of writers.values()) {
        const { messages, parts, amount } = await writer.flush();
        written.messages += messages;
        written.parts += parts;
        written.amount += amount;
      }
      return written;
    },
  };
}
