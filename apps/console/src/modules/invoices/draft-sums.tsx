import { sumsOf, taxOf } from '@heliograph/contract/invoices/amounts';
import type { invoiceTerms } from '@heliograph/contract/invoices/invoice';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { WrittenLine } from './draft-lines.tsx';
import { Sums } from './invoice-paper.tsx';

/** Returns the thousandths of an amount that is being typed; zero while it is none. */
function typed(amount: string): number {
  try {
    return toThousandths(amount.trim());
  } catch {
    return 0;
  }
}

interface DraftSumsProps {
  lines: readonly WrittenLine[];
  terms: ReplyOf<typeof invoiceTerms>['data'];
}

/** Sums of a draft while it is written, by the rule that the server uses too. */
export function DraftSums({ lines, terms }: DraftSumsProps) {
  const seller = { tax_registered: terms.tax_registered, tax_rate: toThousandths(terms.tax_rate) };
  const priced = lines.map((line) => ({
    quantity: typed(line.quantity),
    unit_price: typed(line.unit_price),
    ...taxOf(seller, terms.tax_treatment, line.tax_category ?? undefined),
  }));
  const sums = sumsOf(priced, {
    currency: terms.currency,
    prices_include_tax: terms.prices_include_tax,
    withholding_rate: toThousandths(terms.withholding_rate),
  });
  return (
    <Sums
      invoice={{
        ...terms,
        net: fromThousandths(sums.net),
        taxes: sums.taxes.map((each) => ({
          ...each,
          tax_rate: fromThousandths(each.tax_rate),
          taxable: fromThousandths(each.taxable),
          tax: fromThousandths(each.tax),
        })),
        rounding: fromThousandths(sums.rounding),
        payable: fromThousandths(sums.payable),
        withholding: fromThousandths(sums.withholding),
      }}
    />
  );
}
