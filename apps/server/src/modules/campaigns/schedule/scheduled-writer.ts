import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { openPricedWriter } from '#modules/delivery';
import { zonesOf } from '#modules/policy';
import { canaryCount } from './run-campaign.ts';

type Open = typeof openPricedWriter;
type Writer = ReturnType<Open>;

/**
 * Writes messages like `openPricedWriter`, in chunks that are released together. With quiet hours, or
 * sending hours of the platform (`in_hours`), a chunk holds messages of the same zones; `home` replaces unknown ones. With a canary, the first messages, which go before the
 * others, are in separate chunks.
 */
export function openScheduledWriter(
  db: Parameters<Open>[0],
  shared: Parameters<Open>[1],
  reseller: Parameters<Open>[2],
  { quiet, canary }: Pick<CampaignSchedule, 'quiet' | 'canary'>,
  { total, home, in_hours }: { total: number; home: string; in_hours: boolean },
): Writer {
  const by_zone = quiet !== null || in_hours;
  if (!by_zone && !canary) return openPricedWriter(db, shared, reseller);
  const writers = new Map<string, Writer>();
  const first = canary ? canaryCount(total, canary.percent) : Number.POSITIVE_INFINITY;
  let added = 0;
  return {
    add(message) {
      const after_canary = added++ >= first;
      const quiet_zone = by_zone ? (zonesOf(message.msisdn) ?? home) : null;
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
