import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { SENT_REPORTS } from '@heliograph/contract/kernel/saved-view';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { exportCampaignHistory } from '@heliograph/contract/reports/campaign-history';
import { exportSummaryReports } from '@heliograph/contract/reports/summary-report';
import { exportTransactions } from '@heliograph/contract/reports/transaction';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { translate } from '#platform/text/i18n';
import { type Filters, requireFilters } from './selection.ts';
import { isSent } from './sent-period.ts';

const BODIES = {
  transactions: exportTransactions.body,
  'summary-reports': exportSummaryReports.body,
  'campaign-history': exportCampaignHistory.body,
} as const satisfies Record<(typeof SENT_REPORTS)[number], unknown>;

/** Tables of the records that filters refer to. */
const TABLES: Readonly<Record<string, keyof Database>> = {
  corporation_id: 'corporation',
  department_id: 'department',
  campaign_id: 'campaign',
  link_id: 'link',
  network_id: 'network',
};
const ANY_DAY = '2026-01-01';

/** Converts the parameters of a view to those of a call. In an address all values are texts. */
export const askedOf = (query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      name.endsWith('_id') && name !== 'sender_id' ? Number(value) : value,
    ]),
  );

/** Returns the label of a filter on the report's screen. */
export const filterLabel = (locale: Locale, list: string, filter: string): string =>
  translate(locale, keyIn('resources', list === 'transactions' ? 'messages' : list, 'fields', filter));

/**
 * Finds unusable filters of a report's view, by name. The user may not use them, their record was deleted, or the
 * program does not understand them. `db` sees what the user sees. The result is empty for other lists: their screens
 * show such filters.
 */
export async function unusableFilters(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  list: string,
  query: object,
): Promise<string[]> {
  if (!isSent(list)) return [];
  const asked = { ...askedOf(query), from: ANY_DAY, to: ANY_DAY, format: 'csv' };
  const read = BODIES[list].safeParse(asked);
  if (!read.success) return [...new Set(read.error.issues.map(({ path }) => String(path[0])))];
  const wrong = new Set<string>();
  try {
    // Everybody who sees summaries sees them by network, from statistics; a list of messages by network is the platform's.
    if (list !== 'summary-reports') requireFilters(read.data as Filters, caller);
  } catch (error) {
    if (!(error instanceof BusinessError) || !error.fields) throw error;
    for (const field of Object.keys(error.fields)) wrong.add(field);
  }
  for (const [field, id] of Object.entries(read.data)) {
    const table = TABLES[field];
    // 0 is no record: the platform's own messages, and numbers of no known network.
    if (table === undefined || id === undefined || id === 0 || wrong.has(field)) continue;
    const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE id = ${id}`.execute(db);
    if (rows.length === 0) wrong.add(field);
  }
  return [...wrong];
}
