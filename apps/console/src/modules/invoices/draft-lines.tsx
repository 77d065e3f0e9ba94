import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../resource/columns.tsx';

const NAME = 'invoices';
const CATEGORIES = ['standard', 'zero', 'exempt'] as const;

/** Line as a person writes it. Without a category its tax follows from the profiles. */
export interface WrittenLine {
  key: string;
  description: string;
  quantity: string;
  unit_price: string;
  tax_category: (typeof CATEGORIES)[number] | null;
}

export const emptyLine = (): WrittenLine => ({
  key: crypto.randomUUID(),
  description: '',
  quantity: '1',
  unit_price: '',
  tax_category: null,
});

interface DraftLinesProps {
  lines: readonly WrittenLine[];
  errors: Record<string, string[]>;
  onChange: (lines: readonly WrittenLine[]) => void;
}

/** Lines of a draft, to be written, added and removed. */
export function DraftLines({ lines, errors, onChange }: DraftLinesProps) {
  const { t } = useTranslation();
  const change = (place: number, values: Partial<WrittenLine>) =>
    onChange(lines.map((line, at) => (at === place ? { ...line, ...values } : line)));
  const field = (place: number, name: 'description' | 'quantity' | 'unit_price') => ({
    label: labelOf(NAME, name),
    error: errors[`lines.${place}.${name}`]?.[0],
    value: lines[place]![name],
    onChange: (event: { currentTarget: { value: string } }) => change(place, { [name]: event.currentTarget.value }),
  });
  return (
    <Stack gap="md">
      {lines.map((line, place) => (
        <Group key={line.key} gap="sm" align="flex-start" role="group" aria-label={String(place + 1)}>
          <TextInput {...field(place, 'description')} required style={{ flex: '3 1 220px' }} />
          <TextInput {...field(place, 'quantity')} inputMode="decimal" required style={{ flex: '1 1 80px' }} />
          <TextInput {...field(place, 'unit_price')} inputMode="decimal" required style={{ flex: '1 1 110px' }} />
          <Select
            label={labelOf(NAME, 'tax')}
            placeholder={t('invoicing.by_profile')}
            clearable
            data={CATEGORIES.map((value) => ({ value, label: t(`tax_category.${value}`) }))}
            value={line.tax_category}
            onChange={(tax_category) => change(place, { tax_category: tax_category as WrittenLine['tax_category'] })}
            style={{ flex: '1 1 140px' }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            mt={26}
            aria-label={t('invoicing.remove_line', { number: place + 1 })}
            disabled={lines.length === 1}
            onClick={() => onChange(lines.filter((_, at) => at !== place))}
          >
            <IconTrash size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...lines, emptyLine()])}
        >
          {t('invoicing.add_line')}
        </Button>
      </Group>
    </Stack>
  );
}
