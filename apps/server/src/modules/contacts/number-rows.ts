import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { RowFault } from '#platform/tasks/bulk-upload';
import { FAULT_TEXT } from './number-lists.ts';

type Cell = (column: string) => string;

/** Reads the number of a file's row as it is stored, or returns its fault. Counts those read as national ones. */
export function numberCell(cell: Cell, rules: NumberRules, counts: { rows_national: number }): string | RowFault {
  const value = cell('number').trim();
  const { msisdn, national, fault } = checkNumber(value, rules);
  if (national) counts.rows_national++;
  return msisdn ?? { field: 'number', value, fault: `validation.${FAULT_TEXT[fault]}` };
}

/** Reads a time of a file's row (ISO 8601) that has passed; null if it is empty. Another value is the fault. */
export function pastCell(exact: Cell, field: string, fault: MessageKey): string | null | RowFault {
  const value = exact(field).trim();
  if (value === '') return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) || at.getTime() > Date.now() ? { field, value, fault } : at.toISOString();
}
