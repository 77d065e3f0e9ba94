import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { hasText } from '../../platform/language.ts';
import { labelOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';

interface ChoiceFieldProps {
  name: string;
  data: readonly { value: string | number; label: string }[];
  onChosen?: (value: string | number | null) => void;
}

/** Field of the surrounding form, with choices that came from the server. */
export function ChoiceField({ name, data, onChosen }: ChoiceFieldProps) {
  const { t } = useTranslation();
  const form = useFormState();
  const type = form.schema.shape[name] as z.ZodType | undefined;
  if (!type) return null;
  const value = form.values[name] as string | number | null | undefined;
  const hint = keyIn('resources', form.name, 'hints', name);
  const nullable = type.safeParse(null).success;
  // The present value stays selected even if it is not, or not yet, among the choices.
  const choices = data.map((choice) => ({ value: String(choice.value), label: choice.label }));
  return (
    <Select
      label={labelOf(form.name, name)}
      {...(hasText(hint) ? { description: t(hint) } : {})}
      data-field={name}
      error={form.errors[name]}
      required={!nullable && !type.safeParse(undefined).success}
      searchable={choices.length > 10}
      clearable={nullable}
      allowDeselect={nullable}
      placeholder={t('form.choose')}
      nothingFoundMessage={t('form.nothing_found')}
      data={choices}
      value={value === null || value === undefined ? null : String(value)}
      onChange={(next) => {
        const chosen = data.find((choice) => String(choice.value) === next)?.value ?? null;
        form.set(name, chosen);
        onChosen?.(chosen);
      }}
    />
  );
}
