import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { openPricedWriter } from '#modules/delivery';
import { canaryCount } from './run-campaign.ts';
import { zonesOf } from './zones-by-prefix.ts';

type Open = typeof openPricedWriter;
type Writer = ReturnType<Open>;

/**
 * Writes messages like `openPricedWriter`, in chunks that are released together. With quiet hours, a chunk holds
 * messages of the same zones; `home` replaces unknown ones. With a canary, the first messages, which go before the
 * others, are in separate chunks.
 */
export function openScheduledWriter(
  db: Parameters<Open>[0],
  shared: Parameters<Open>[1],
  reseller: Parameters<Open>[2],
  { quiet, canary }: Pick<CampaignSchedule, 'quiet' | 'canary'>,
  { total, home }: { total: number; home: string },
): Writer {
  if (!quiet && !canary) return openPricedWriter(db, shared, reseller);
  const writers = new Map<string, Writer>();
  const first = canary ? canaryCount(total, canary.percent) : Number.POSITIVE_INFINITY;
  let added = 0;
  return {
    add(message) {
      const after_canary = added++ >= first;
      const quiet_zone = quiet ? (zonesOf(message.msisdn) ?? home) : null;
      const key = `${after_canary} ${quiet_zone}`;
      let writer = writers.get(key);
      if (!writer) {
        writer = openPricedWriter(db, { ...shared, quiet_zone, after_canary }, reseller);
        writers.set(key, writer);
      }
      return writer.add(message);
    },
    async flush() {
      const written = { messages: 0, parts: 0, amount: 0, reseller_amount: 0 };
      for (const writer of writers.values()) {
        const { messages, parts, amount, reseller_amount } = await writer.flush();
        written.messages += messages;
        written.parts += parts;
        written.amount += amount;
        written.reseller_amount += reseller_amount;
      }
      return written;
    },
  };
}
