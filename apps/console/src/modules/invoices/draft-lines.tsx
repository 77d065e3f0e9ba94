import { ActionIcon, Button, Group, Pagination, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';

const NAME = 'invoices';
const CATEGORIES = ['standard', 'zero', 'exempt'] as const;

/** Line as a person writes it. Without a category its tax follows from the profiles. */
export interface WrittenLine {
  key: string;
  /** Id of a line that is stored; null for a new one. */
  id: number | null;
  description: string;
  quantity: string;
  unit_price: string;
  tax_category: (typeof CATEGORIES)[number] | null;
}

export const emptyLine = (): WrittenLine => ({
  key: crypto.randomUUID(),
  id: null,
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

/** Lines that are shown at a time. */
const SHOWN = 50;

/** Lines of a draft, to be written, added and removed. Many are shown in pages, that of the first error first. */
export function DraftLines({ lines, errors, onChange }: DraftLinesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const pages = Math.ceil(lines.length / SHOWN);
  const [chosen, setPage] = useState(1);
  const page = Math.min(chosen, pages);
  const faulty = Math.min(
    ...Object.keys(errors).flatMap((name) => (name.startsWith('lines.') ? [Number(name.split('.')[1])] : [])),
  );
  useEffect(() => {
    if (Number.isFinite(faulty)) setPage(Math.floor(faulty / SHOWN) + 1);
  }, [faulty]);
  const first = (page - 1) * SHOWN;
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
      {lines.slice(first, first + SHOWN).map((line, at) => {
        const place = first + at;
        return (
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
              onClick={() => onChange(lines.filter((_, other) => other !== place))}
            >
              <IconTrash size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Group>
        );
      })}
      <Group justify="space-between">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            onChange([...lines, emptyLine()]);
            setPage(Math.floor(lines.length / SHOWN) + 1);
          }}
        >
          {t('invoicing.add_line')}
        </Button>
        {pages > 1 && (
          <Group gap="sm">
            <Text size="sm" c="dimmed">
              {t('list.range', {
                from: format.integer(first + 1),
                to: format.integer(Math.min(first + SHOWN, lines.length)),
                total: format.integer(lines.length),
              })}
            </Text>
            <Pagination
              size="sm"
              siblings={0}
              total={pages}
              value={page}
              onChange={setPage}
              getControlProps={(control) => ({
                'aria-label': t(`list.${control === 'next' ? 'next_page' : 'previous_page'}`),
              })}
              getItemProps={(each) => ({ 'aria-label': t('list.page', { page: each }) })}
            />
          </Group>
        )}
      </Group>
    </Stack>
  );
}
