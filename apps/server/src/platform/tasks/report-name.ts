import type { Viewer } from '../person/home.ts';

/** Contents of a report's file. */
export interface ReportFile {
  /** The report, such as `transactions`. */
  report: string;
  timezone: string;
  format: string;
  filters: {
    from?: string | undefined;
    to?: string | undefined;
    corporation_id?: number | undefined;
    campaign_id?: number | undefined;
    billing_account_id?: number | undefined;
  };
}

/** Maximum characters of a name within a file's name. */
const LONGEST = 40;

/** A name as a part of a file's name: letters and digits of any language, and hyphens between them. */
const inFileName = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');

/**
 * Makes the name of a report's file: report, scope, period and time zone, such as
 * `transactions_Acme-Retail_2026-11-01_2026-11-23_Asia-Manila.csv`. The scope is the chosen one, else the caller's
 * corporation, else `all`.
 */
export async function reportFileName(viewer: Viewer, { report, timezone, format, filters }: ReportFile) {
  const parts = [report, ...(await scopeOf(viewer, filters)), filters.from, filters.to, timezone];
  const named = parts.filter((part) => part !== undefined).map(inFileName);
  return `${named.filter(Boolean).join('_')}.${format}`;
}

/** Answers the names of a report's filters, as far as the caller sees them. */
async function scopeOf({ db, caller }: Viewer, filters: ReportFile['filters']): Promise<string[]> {
  const name = async (table: 'corporation' | 'campaign' | 'billing_account', id: number | null | undefined) =>
    id == null ? undefined : (await db.selectFrom(table).select('name').where('id', '=', id).executeTakeFirst())?.name;
  const names = [
    (await name('corporation', filters.corporation_id ?? caller.corporation_id)) ?? 'all',
    await name('billing_account', filters.billing_account_id),
    await name('campaign', filters.campaign_id),
  ];
  return names.filter((each) => each !== undefined);
}
