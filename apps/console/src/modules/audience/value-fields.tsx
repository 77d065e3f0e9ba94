import { contactField } from '@heliograph/contract/audience/contact-field';
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { useMay } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';

const DateInput = lazyPart(async () => (await import('../../resource/date-input.tsx')).DateInput);

export type ContactFieldRow = RowOf<typeof contactField.list>;
type Values = Readonly<Record<string, unknown>>;

/** Returns the fields of a corporation's contacts, the oldest first; none while they load. */
export function useContactFields(corporationId: unknown): readonly ContactFieldRow[] {
  const may = useMay(contactField.permissions.index);
  const query = { corporation_id: Number(corporationId), per_page: 100, sort: 'created_at' } as const;
  const list = useQuery({
    queryKey: ['contact-fields', 'of', query.corporation_id],
    queryFn: ({ signal }) => call(contactField.list, { query, signal }),
    enabled: may && Number.isInteger(query.corporation_id) && query.corporation_id > 0,
  });
  return list.data?.data ?? [];
}

/** Inputs of a contact's values, one for each field of its corporation. */
export function ValueFields() {
  const { row, values } = useFormState();
  const fields = useContactFields(row?.['corporation_id'] ?? values['corporation_id']);
  return fields.map((field) => <ValueField key={field.id} field={field} />);
}

function ValueField({ field }: { field: ContactFieldRow }) {
  const { t } = useTranslation();
  const form = useFormState();
  const name = `fields.${field.key}`;
  const values = (form.values['fields'] ?? {}) as Values;
  const value = values[field.key] ?? null;
  const set = (to: unknown) => form.set('fields', { ...values, [field.key]: to });
  const common = { label: field.name, error: form.errors[name], 'data-field': name };
  if (field.type === 'choice' || field.type === 'yes_no') {
    const choices = field.type === 'choice' ? field.choices : ['true', 'false'];
    // A choice that was taken away stays until it is changed.
    const all = value === null || choices.includes(String(value)) ? choices : [...choices, String(value)];
    const labelOf = (choice: string) => (choice === 'true' ? t('common.yes') : t('common.no'));
    return (
      <Select
        {...common}
        clearable
        placeholder={t('form.choose')}
        data={all.map((each) => ({ value: each, label: field.type === 'choice' ? each : labelOf(each) }))}
        value={value === null ? null : String(value)}
        onChange={(to) => set(to === null || field.type === 'choice' ? to : to === 'true')}
      />
    );
  }
  if (field.type === 'date')
    return (
      <Suspense fallback={<TextInput {...common} disabled />}>
        <DateInput {...common} value={(value as string | null) ?? null} onChange={set} />
      </Suspense>
    );
  return (
    <TextInput
      {...common}
      {...(field.type === 'number' && { inputMode: 'decimal' as const })}
      value={String(value ?? '')}
      onChange={(event: ChangeEvent<HTMLInputElement>) => set(event.currentTarget.value || null)}
    />
  );
}
