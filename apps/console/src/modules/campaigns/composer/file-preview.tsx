import { COLUMN_FIELDS, type ColumnField, rereadCampaignFile } from '@heliograph/contract/campaigns/recipient-file';
import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import { ActionIcon, Anchor, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { IconFileSpreadsheet, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../platform/action.ts';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { ReadingSelects, readingText } from '../../../resource/reading-choice.tsx';
import { edit, type Upload } from './draft.ts';
import classes from './recipients.module.css';

type Columns = readonly (ColumnField | null)[];

/** First rows of a file. The field above each column can be corrected. */
export function FilePreview({ file, columns, multi }: { file: Upload; columns: Columns; multi: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const choices = [
    { value: '', label: t('column.none') },
    ...COLUMN_FIELDS.filter((field) => multi || field !== 'content').map((field) => ({
      value: field,
      label: field === 'number' || field === 'content' || field === 'name' ? t(`column.${field}`) : `{${field}}`,
    })),
  ];

  function assign(at: number, field: ColumnField | null) {
    // No field is in two columns: it is removed from the column that held it before.
    edit({
      columns: file.columns.map((_, other) =>
        other === at ? field : columns[other] === field ? null : (columns[other] ?? null),
      ),
    });
  }

  return (
    <Stack gap={8}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
          <IconFileSpreadsheet size={20} stroke={1.6} aria-hidden />
          <Text size="sm" fw={500} truncate>
            {file.file_name}
          </Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {format.bytes(file.size)}
          </Text>
        </Group>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('compose.file_remove')}
          onClick={() => edit({ file: null, columns: [] })}
        >
          <IconX size={18} />
        </ActionIcon>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide rows must be scrollable by keyboard */}
      <section className={classes.rows} tabIndex={0} aria-label={t('compose.file_preview')}>
        <Table withColumnBorders verticalSpacing={5} horizontalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              {file.columns.map((column, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                <Table.Th key={at} className={classes.known ?? ''} data-unused={!columns[at] || undefined}>
                  <Text size="xs" c="dimmed" truncate maw={160}>
                    {column}
                  </Text>
                  <NativeSelect
                    size="xs"
                    variant="unstyled"
                    className={classes.field ?? ''}
                    aria-label={t('column.holds', { column: column || at + 1 })}
                    data={choices}
                    value={columns[at] ?? ''}
                    onChange={(event) => assign(at, (event.currentTarget.value || null) as ColumnField | null)}
                  />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {file.preview.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their line
              <Table.Tr key={line}>
                {file.columns.map((_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                  <Table.Td key={at} className={classes.cell ?? ''} data-unused={!columns[at] || undefined}>
                    {row[at] ?? ''}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <HowRead file={file} />
      <Text size="xs" c="dimmed">
        {t('compose.file_preview')}
        {file.remembered && ` · ${t('column.remembered')}`}
      </Text>
    </Stack>
  );
}

/** Description of how the file was read. A change makes the server read it again. */
function HowRead({ file }: { file: Upload }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { busy, failure, run } = useAction('form');
  if (!file.read_as) return null;

  const read = (reading: FileReading) =>
    run(async () => {
      const { data } = await call(rereadCampaignFile, { params: { id: file.id }, body: reading });
      edit({ file: data, columns: data.mapping });
    });

  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {readingText(t, file.read_as)}{' '}
        <Anchor component="button" type="button" size="xs" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('reading.change')}
        </Anchor>
      </Text>
      {open && (
        <ReadingSelects
          readAs={file.read_as}
          rows={file.first_rows}
          reading={file.reading}
          disabled={busy}
          onChange={(reading) => void read(reading)}
        />
      )}
      {failure && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failure}
        </Text>
      )}
    </Stack>
  );
}
