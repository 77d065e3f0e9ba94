import { ENCODINGS, type FileReading, type ReadAs, SEPARATORS } from '@heliograph/contract/kernel/file-reading';
import { NativeSelect, SimpleGrid, Table } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import classes from './reading-choice.module.css';

interface FirstRow {
  line: number;
  cells: readonly string[];
}

/** Reading of a file, its first rows, and the settings that the person chose. */
export interface ReadingProps {
  readAs: ReadAs;
  rows: readonly FirstRow[];
  /** Settings chosen by the person. All others are detected. */
  reading: FileReading;
  onChange: (reading: FileReading) => void;
  disabled?: boolean;
}

/** Longest text of a row in a list of rows, in characters. */
const MAX_ROW_LABEL = 60;

/** Describes how a file was read. */
export function readingText(t: TFunction, { encoding, separator, sheet, header_row }: ReadAs): string {
  const parts = [
    sheet !== null && t('reading.of_sheet', { name: sheet }),
    encoding !== null && t(`reading.encodings.${encoding}`),
    separator !== null && t(`reading.separators.${separator}`),
    t('reading.of_row', { row: header_row }),
  ];
  return t('reading.read_as', { parts: parts.filter(Boolean).join(' · ') });
}

/** Selects for how a file is read. Each shows the detected value and can return to it. */
export function ReadingSelects({ readAs, rows, reading, onChange, disabled = false }: ReadingProps) {
  const { t } = useTranslation();
  const set = (field: keyof FileReading, value: string) => {
    const chosen = value === '' ? undefined : field === 'header_row' ? Number(value) : value;
    // Another sheet has other rows, so the header row is chosen again.
    onChange({ ...reading, ...(field === 'sheet' && { header_row: undefined }), [field]: chosen });
  };
  const select = (field: keyof FileReading, present: string, choices: readonly { value: string; label: string }[]) => {
    const chosen = reading[field];
    const shown = choices.find(({ value }) => value === present)?.label ?? present;
    const first = chosen === undefined ? t('reading.detected', { value: shown }) : t('reading.detect');
    return (
      <NativeSelect
        label={t(`reading.${field}`)}
        data={[{ value: '', label: first }, ...choices]}
        value={chosen === undefined ? '' : String(chosen)}
        disabled={disabled}
        onChange={(event) => set(field, event.currentTarget.value)}
      />
    );
  };
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  const lines = rows.map(({ line, cells }) => ({
    value: String(line),
    label: t('reading.row', { row: line, cells: cells.filter(Boolean).join(', ').slice(0, MAX_ROW_LABEL) }),
  }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {readAs.encoding !== null &&
        select(
          'encoding',
          readAs.encoding,
          ENCODINGS.map((value) => ({ value, label: t(`reading.encodings.${value}`) })),
        )}
      {readAs.separator !== null &&
        select(
          'separator',
          readAs.separator,
          SEPARATORS.map((value) => ({ value, label: t(`reading.separators.${value}`) })),
        )}
      {readAs.sheet !== null && select('sheet', readAs.sheet, named(readAs.sheets))}
      {select('header_row', String(readAs.header_row), lines)}
    </SimpleGrid>
  );
}

/** Table of the first rows of a file as they were read. The row with the headings is highlighted. */
export function FirstRows({ readAs, rows }: Pick<ReadingProps, 'readAs' | 'rows'>) {
  const { t } = useTranslation();
  const width = Math.max(1, ...rows.map(({ cells }) => cells.length));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide rows must be scrollable by keyboard
    <section className={classes.rows} tabIndex={0} aria-label={t('reading.title')}>
      <Table withColumnBorders verticalSpacing={5} horizontalSpacing="sm">
        <Table.Tbody>
          {rows.map(({ line, cells }) => (
            <Table.Tr
              key={line}
              className={
                (line < readAs.header_row ? classes.above : line === readAs.header_row ? classes.headings : '') ?? ''
              }
            >
              <Table.Th scope="row" c="dimmed" fw={400} w={1}>
                {line}
              </Table.Th>
              {Array.from({ length: width }, (_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by their column
                <Table.Td key={at} className={classes.cell ?? ''}>
                  {cells[at] ?? ''}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
