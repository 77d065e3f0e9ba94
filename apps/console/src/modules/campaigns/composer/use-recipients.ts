import { listNumber } from '@heliograph/contract/contacts/number-list';
import { MERGE_FIELDS, type MergeField, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../platform/call.ts';
import { useMay } from '../../../platform/session.ts';
import { type Draft, fieldColumns } from './draft.ts';
import type { PastedNumbers } from './pasted-numbers.ts';

/** Recipient with the values for a sample text. */
export interface Recipient {
  number: string;
  values: MergeValues;
  /** Text that the row itself contains. */
  own_text?: string;
}

/** Maximum number of recipients per source offered for the preview. */
const SHOWN = 5;

/** Returns the first recipients of all chosen sources, for the preview. */
export function useRecipients(draft: Draft, pasted: PastedNumbers | undefined): Recipient[] {
  const mayRead = useMay('individual-numbers-index');
  const lists = useQueries({
    queries: (mayRead ? draft.list_ids.slice(0, 3) : []).map((number_list_id) => ({
      queryKey: ['composer', 'first-numbers', number_list_id],
      queryFn: () => call(listNumber.list, { query: { number_list_id, per_page: SHOWN, sort: 'id' } }),
      staleTime: 60_000,
    })),
    combine: (results) => results.flatMap((result) => result.data?.data ?? []),
  });
  const { file, columns, content_type } = draft;
  return useMemo(() => {
    const found = new Map<string, Recipient>();
    const add = (recipient: Recipient) => {
      if (recipient.number !== '' && !found.has(recipient.number)) found.set(recipient.number, recipient);
    };
    if (content_type === 'single') {
      for (const row of lists)
        add({ number: row.number, values: Object.fromEntries(MERGE_FIELDS.map((field) => [field, row[field]])) });
    }
    if (file) {
      const fields = [...fieldColumns(columns)];
      const at = columns.indexOf('number');
      const text = content_type === 'multi' ? columns.indexOf('content') : -1;
      for (const row of file.preview.slice(0, SHOWN))
        add({
          number: row[at] ?? '',
          values: Object.fromEntries(fields.map(([field, column]) => [field, row[column]])),
          ...(text >= 0 && { own_text: row[text] ?? '' }),
        });
    }
    if (content_type === 'single') {
      for (const number of pasted?.good.slice(0, SHOWN) ?? []) add({ number, values: {} });
    }
    return [...found.values()];
  }, [lists, file, columns, content_type, pasted]);
}

/** Field that the text may contain, with the name of its column and a value, as far as they are known. */
export interface OfferedField {
  field: string;
  /** Name of the file's column; undefined for a field of a list. */
  column: string | undefined;
  example: string | undefined;
}

/** Returns the fields for which the chosen recipients have values, as far as their first rows show. */
export function fieldsBrought(draft: Draft, recipients: readonly Recipient[]): OfferedField[] {
  const ofFile = draft.file ? fieldColumns(draft.columns) : new Map<MergeField, number>();
  return MERGE_FIELDS.flatMap((field) => {
    const at = ofFile.get(field);
    const example = recipients.find(({ values }) => values[field])?.values[field] ?? undefined;
    if (at === undefined && example === undefined) return [];
    return [{ field, column: at === undefined ? undefined : draft.file?.columns[at], example }];
  });
}
