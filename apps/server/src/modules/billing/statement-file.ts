import { exportAccountStatement } from '@heliograph/contract/billing/account-statement';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { z } from 'zod';
import type { Handler } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { amountCell, type Cells, momentCell } from '#platform/table/cells';
import { askForList, type ExportedList } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { accountOf, type StatementLine, statementPage } from './account-statement.ts';
import { exportBillingJob } from './export-billing.ts';

type Filters = Omit<BodyOf<typeof exportAccountStatement>, 'format'> & { billing_account_id: number };
/** Line of the file: one of the statement, or the balance at the end or at the beginning of the period. */
type Row = StatementLine | { balance: 'closing' | 'opening'; balance_after: string; currency: string };

const AMOUNTS = ['reserved', 'charged', 'released', 'amount'] as const;

/** Statement of an account as a file: its closing balance, its lines from the newest, and its opening balance. */
export const statementFile: ExportedList<Filters, Row> = {
  kind: 'account-statement',
  sheet: 'account_lines.title',
  permission: exportAccountStatement.permission!,
  filters: exportAccountStatement.body.omit({ format: true }).extend({ billing_account_id: z.int() }),
  async page(ctx, { billing_account_id: id, ...query }) {
    const { data, next_cursor, first, last } = await statementPage(ctx, id, query);
    const { currency } = await accountOf(ctx, id);
    const edge = (balance: 'closing' | 'opening', thousandths: number): Row => ({
      balance,
      balance_after: fromThousandths(thousandths),
      currency,
    });
    return {
      data: [
        ...(query.cursor === undefined ? [edge('closing', first)] : []),
        ...data,
        ...(next_cursor === null ? [edge('opening', last)] : []),
      ],
      next_cursor,
    };
  },
  heading: (_, locale) => [
    translate(locale, 'credit_change.at'),
    translate(locale, 'account_lines.what'),
    ...AMOUNTS.map((field) =>
      translate(locale, field === 'amount' ? 'resources.credit-changes.fields.amount' : `account_lines.${field}`),
    ),
    translate(locale, 'account_lines.balance'),
    translate(locale, 'resources.credit-changes.fields.currency'),
  ],
  cells: (row, _, locale, zone) => [...start(row, locale, zone), amountCell(row.balance_after), row.currency],
  async printed(ctx, { billing_account_id, from, to }) {
    const account = await accountOf(ctx, billing_account_id);
    const { timezone } = await homeOf(ctx);
    return {
      title: translate(ctx.locale, 'account_lines.title'),
      facts: [
        account.corporation_name,
        translate(ctx.locale, 'statement.account', { name: account.name, key: account.key }),
        translate(ctx.locale, 'statement.period', { from, to, timezone }),
      ],
      columns: [
        { share: 23 },
        { share: 27 },
        ...AMOUNTS.map(() => ({ share: 10, right: true })),
        { share: 12, right: true },
        { share: 6, right: true },
      ],
      locale: ctx.locale,
      foot: (page, pages) => translate(ctx.locale, 'statement.page', { page, pages }),
    };
  },
};

/** Makes the cells of a line in front of its balance. */
function start(row: Row, locale: Locale, zone: string): Cells {
  if ('balance' in row) return [null, translate(locale, `account_period.${row.balance}`), ...AMOUNTS.map(() => null)];
  const folds = row.kind === 'campaign' || row.kind === 'messages';
  const what =
    row.kind === 'campaign'
      ? (row.campaign_name ?? translate(locale, 'account_lines.campaign'))
      : translate(locale, row.kind === 'messages' ? 'statement.other_messages' : keyIn('credit_change_kind', row.kind));
  return [
    momentCell(row.last_at, zone),
    [what, row.note, row.user_name].filter(Boolean).join(' · '),
    ...AMOUNTS.map((field) => (folds || field === 'amount' ? amountCell(row[field]) : null)),
  ];
}

/** Puts a request for the file of a statement into the queue. */
export const askForStatement: Handler<typeof exportAccountStatement> = async (ctx, { params, body }) => {
  // A first line is read before the file is queued, so that a wrong period is refused immediately.
  await statementPage(ctx, params.id, { ...body, limit: 1, cursor: undefined });
  return askForList(ctx, exportBillingJob, statementFile, { ...body, billing_account_id: params.id });
};
