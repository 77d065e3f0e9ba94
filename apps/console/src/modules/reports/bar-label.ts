import type { SummaryPeriod } from '@heliograph/contract/reports/summary-report';
import type { Format } from '../../platform/format.ts';

/** Returns the label below a bar of the summary: its year, its month, or the day on which it starts. */
export function barLabel(starts_on: string, period: SummaryPeriod, format: Pick<Format, 'date' | 'month'>): string {
  if (period === 'annually') return starts_on.slice(0, 4);
  return period === 'monthly' ? format.month(starts_on.slice(0, 7)) : format.date(starts_on);
}
