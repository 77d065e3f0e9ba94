import { PassThrough } from 'node:stream';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Context } from '#platform/context';
import { amountCell } from '#platform/table/cells';
import { PdfTable } from '#platform/table/write-pdf';
import type { AttachedFile } from '#platform/tasks/csv-file';
import { translate } from '#platform/text/i18n';
import { daysOf, SUMS, wholeStatement } from './statement.ts';

/** Writes the statement of a month as a PDF in the caller's language: its opening balance, its lines, then its sums. */
export async function statementPdf(ctx: Context, id: number): Promise<AttachedFile> {
  const { statement, lines } = await wholeStatement(ctx, id);
  const say = (key: MessageKey, params: Record<string, string | number> = {}) => translate(ctx.locale, key, params);
  const { from, to } = daysOf(statement);
  const stream = new PassThrough();
  const pdf = await PdfTable.create(stream, {
    title: say('statement.title', { month: statement.month.slice(0, 7) }),
    facts: [
      statement.corporation_name,
      say('statement.account', { name: statement.billing_account_name, key: statement.billing_account_key }),
      say('statement.period', { from, to, timezone: statement.timezone }),
    ],
    columns: [{ share: 15 }, { share: 62 }, { share: 23, right: true }],
    locale: ctx.locale,
    foot: (page, pages) => say('statement.page', { page, pages }),
  });
  const amount = (thousandths: number) => amountCell(fromThousandths(thousandths));
  const sum = (name: (typeof SUMS)[number], date: string) =>
    pdf.row([date, say(`resources.statements.fields.${name}`), amount(statement[name])], { bold: true });
  pdf.heading([
    say('statement.date'),
    say('statement.what'),
    say('statement.amount', { currency: statement.currency }),
  ]);
  sum('opening_balance', from);
  for (const { date, what, amount: value } of lines) pdf.row([date, what, amount(value)]);
  for (const name of SUMS.slice(1)) sum(name, name === 'closing_balance' ? to : '');
  pdf.end();
  const { billing_account_key, month } = statement;
  return { stream, name: `statement-${billing_account_key}-${month.slice(0, 7)}.pdf`, type: 'application/pdf' };
}
