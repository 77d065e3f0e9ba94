import type { showTrial } from '@heliograph/contract/billing/price-trial';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { TriedDiscount } from './tried-discounts.ts';
import type { TriedLine } from './try-prices.ts';

type Reply = NonNullable<NonNullable<ReplyOf<typeof showTrial>['data']>['discounts']>;

/** Months that are stored with a trial; the file has all. */
const STORED = 200;

/** Discounts as they are stored with a trial: the sums of all months, and the months of the greatest differences. */
export interface DiscountSums extends Pick<TriedDiscount, 'discount' | 'discount_tried'> {
  /** Time of the trial. A worker of a release without discounts replaces the trial and leaves them. */
  made_at: string;
  months: number;
  rows: TriedDiscount[];
}

/** Adds up the discounts of a trial. */
export const sumsOfDiscounts = (rows: readonly TriedDiscount[], made_at: string): DiscountSums => ({
  made_at,
  discount: rows.reduce((sum, row) => sum + row.discount, 0),
  discount_tried: rows.reduce((sum, row) => sum + row.discount_tried, 0),
  months: rows.length,
  rows: rows.slice(0, STORED),
});

const amounts = ({ discount, discount_tried }: Pick<TriedDiscount, 'discount' | 'discount_tried'>) => ({
  discount: fromThousandths(discount),
  discount_tried: fromThousandths(discount_tried),
  discount_change: fromThousandths(discount_tried - discount),
});

/** Converts the discount of an account and month. */
export function monthOnWire(row: TriedDiscount): Reply['lines'][number] {
  const { parts, charged, parts_tried, tried, month, discount: _, discount_tried: __, ...names } = row;
  return {
    ...{ ...names, month: month.slice(0, 7), volume_parts: parts, volume_parts_tried: parts_tried },
    ...{ volume_charged: fromThousandths(charged), volume_tried: fromThousandths(tried), ...amounts(row) },
  };
}

/** Returns the discounts that are stored with a trial, if they are its own. */
export function discountsOf({ discounts, made_at }: { discounts: unknown; made_at: string }): DiscountSums | null {
  const stored = discounts as DiscountSums | null;
  return stored && Date.parse(stored.made_at) === Date.parse(made_at) ? stored : null;
}

/** Converts the discounts of a trial, with the margins of all networks less them. */
export function discountsOnWire(sums: DiscountSums, { charged, tried, cost }: Omit<TriedLine, 'network'>): Reply {
  const [net, netTried] = [charged - cost - sums.discount, tried - cost - sums.discount_tried];
  return {
    ...amounts(sums),
    ...{ net: fromThousandths(net), net_tried: fromThousandths(netTried), net_change: fromThousandths(netTried - net) },
    ...{ lines: sums.rows.map(monthOnWire), more: sums.months - sums.rows.length },
  };
}
