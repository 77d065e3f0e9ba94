import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Context } from '#platform/context';
import { type AttachedFile, csvFile } from '#platform/tasks/csv-file';
import { translate } from '#platform/text/i18n';
import { daysOf, SUMS, wholeStatement } from './statement.ts';

/** Writes a statement as a CSV: its opening balance, its lines, then its sums. */
export async function statementCsv(ctx: Context, id: number): Promise<AttachedFile> {
  const { statement, lines } = await wholeStatement(ctx, id);
  const say = (key: string, params = {}) => translate(ctx.locale, key, params);
  const { from, to } = daysOf(statement);
  const sum = (name: (typeof SUMS)[number]) => [
    name === 'opening_balance' ? from : to,
    say(`resources.statements.fields.${name}`),
    fromThousandths(statement[name]),
  ];
  return csvFile(
    `statement-${statement.billing_account_key}-${statement.month.slice(0, 7)}.csv`,
    [say('statement.date'), say('statement.what'), say('statement.amount', { currency: statement.currency })],
    [
      sum('opening_balance'),
      ...lines.map(({ date, what, amount }) => [date, what, fromThousandths(amount)]),
      ...SUMS.slice(1).map(sum),
    ],
  );
}
