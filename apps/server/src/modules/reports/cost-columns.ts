import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReportCosts } from '@heliograph/contract/kernel/report-costs';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Kysely } from 'kysely';
import { type MarginSums, marginOnWire } from '#modules/margins';
import type { Database } from '#platform/database/db';
import { readSettings } from '#platform/operator/settings';
import { amountCell, type Cells } from '#platform/table/cells';
import { translate } from '#platform/text/i18n';

/** Columns of costs in a file, after its others. */
export const COST_COLUMNS = {
  carriers: ['price', 'cost', 'margin', 'cost_currency', 'unknown_parts'],
  resale: ['cost', 'cost_currency', 'margin'],
} as const satisfies Record<ReportCosts, readonly string[]>;

type Field = (typeof COST_COLUMNS)[ReportCosts][number];

/** Values of the columns of costs; empty ones are not known, or are not for this person. */
export type CostValues = Partial<Record<Exclude<Field, 'unknown_parts'>, string | null>> & {
  unknown_parts?: number | null;
  /** Last counted day of a row that covers days. */
  counted_to?: string;
};

/** Returns the heads of the columns of costs. */
export const costHeading = (costs: ReportCosts | undefined, locale: Locale): string[] =>
  costs === undefined
    ? []
    : COST_COLUMNS[costs].map((field) =>
        translate(
          locale,
          field === 'cost_currency'
            ? 'resources.resale-margins.fields.cost_currency'
            : `resources.margins.fields.${field}`,
        ),
      );

/** Returns the cells of the columns of costs. */
export const costCells = (costs: ReportCosts | undefined, values: CostValues): Cells =>
  costs === undefined
    ? []
    : COST_COLUMNS[costs].map((field) => {
        const value = values[field] ?? null;
        return value === null || field === 'cost_currency' || field === 'unknown_parts'
          ? value
          : amountCell(String(value));
      });

/** Sums of a row. Charges to resellers are in thousandths; null for messages that are not of this person's customers. */
export interface RowSums extends MarginSums {
  resale_cost: number | null;
  /** Currency of the reseller; null without one. */
  resale_currency: string | null;
}

/** Returns the platform's currency, in which margins are counted. */
export const platformCurrency = async (db: Kysely<Database>): Promise<string> =>
  (await readSettings(db, ['currency'])).get('currency') || 'PHP';

/**
 * Returns the values of a row: of `sums` in the platform's currency for carriers, else of the charges in the currency of
 * the row's customer and in that of its reseller. `spend` is in thousandths.
 */
export function costValues(
  costs: ReportCosts | undefined,
  platform: string,
  { spend, currency, ...sums }: { spend: number; currency: string } & RowSums,
): CostValues {
  if (costs === 'carriers') {
    const amounts = marginOnWire(sums);
    return { ...amounts, cost_currency: amounts.price === null ? null : platform };
  }
  const { resale_cost: cost, resale_currency: cost_currency } = sums;
  if (costs === undefined || cost === null || cost_currency === null) return {};
  const margin = currency === cost_currency ? fromThousandths(spend - cost) : null;
  return { cost: fromThousandths(cost), cost_currency, margin };
}
