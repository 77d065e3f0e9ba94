import { ActionIcon, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../platform/format.ts';
import { RowMenu } from '../ui/table-parts.tsx';
import classes from './table-cards.module.css';
import { Opener } from './table-grid.tsx';
import { isFilled, RowName, type RowsProps, type Shown } from './table-model.tsx';

/** Columns whose value is the card's chip. */
const CHIPS = [
  'state',
  'status',
  'handled',
  'enabled',
  'active',
  'level',
  'suspended',
  'opted_out',
  'revoked_at',
  'paused_at',
];
/** Maximum number of other facts on a card. */
const FACTS = 3;

interface Split<Row> {
  title: Shown<Row> | undefined;
  chip: Shown<Row> | undefined;
  /** Figures of which a card shows the first that its row has: money comes first. */
  figures: readonly Shown<Row>[];
  time: Shown<Row> | undefined;
  facts: readonly Shown<Row>[];
}

/** Splits the columns: the name, the state, one figure, one time, and a few other facts. */
function splitOf<Row>({ shown, titleColumn }: RowsProps<Row>): Split<Row> {
  const title = shown.find(({ field }) => field === titleColumn);
  const others = shown.filter((column) => column !== title);
  const chip = others.find(({ field }) => CHIPS.includes(field));
  const figures = others.filter((column) => column.figure).toSorted((a, b) => rankOf(a) - rankOf(b));
  const time = others.find((column) => column !== chip && column.show === 'instant');
  const facts = others
    .filter((column) => ![chip, figures[0], time].includes(column) && (column.width === undefined || column.keep))
    .slice(0, FACTS);
  return { title, chip, figures, time, facts };
}

const rankOf = ({ show }: { show: string }): number => (show === 'money' ? 0 : 1);

/** Rows as cards, for a narrow screen: the name, its state, one figure and the time. */
export function TableCards<Row extends { id: number }>(parts: RowsProps<Row>) {
  const { rows, selection, actions, expand } = parts;
  const { title, chip, figures, time, facts } = splitOf(parts);
  return (
    <Stack gap="xs" aria-busy={parts.fetching}>
      {rows.map((row) => {
        const figure = figures.find(({ field }) => isFilled(row, field));
        const happened = time && isFilled(row, time.field) ? time : undefined;
        const filled = facts.filter(
          (fact) => fact !== figure && isFilled(row, fact.field) && row[fact.field as keyof Row] !== false,
        );
        return (
          <Paper key={row.id} className={`app-card ${classes.card}`}>
            <div className={classes.head}>
              {selection && (
                <Checkbox
                  size="sm"
                  className={classes.above!}
                  checked={selection.selectedRecords.some(({ id }) => id === row.id)}
                  onChange={() => selection.toggle(row)}
                  {...selection.getRecordSelectionCheckboxProps(row)}
                />
              )}
              <div className={classes.name}>
                <RowName row={row} parts={parts}>
                  {title?.cell(row) ?? parts.title(row)}
                </RowName>
              </div>
              {chip && <div className={classes.chip}>{chip.cell(row)}</div>}
              {(expand || actions) && (
                <div className={classes.above}>
                  {expand && <Opener row={row} parts={parts} />}
                  {actions && <RowMenu name={parts.title(row)} actions={actions(row)} />}
                </div>
              )}
            </div>
            {filled.length > 0 && (
              <dl className={classes.facts}>
                {filled.map(({ field, heading, cell }) => (
                  <div key={field}>
                    <dt>{heading}</dt>
                    <dd>{cell(row)}</dd>
                  </div>
                ))}
              </dl>
            )}
            {(figure || happened) && (
              <div className={classes.foot}>
                {figure && (
                  <span>
                    {figure.heading} <strong>{figure.cell(row)}</strong>
                  </span>
                )}
                {happened && <span className={classes.time}>{happened.cell(row)}</span>}
              </div>
            )}
            {expand && parts.expanded.includes(row.id) && <div className={classes.above}>{expand(row)}</div>}
          </Paper>
        );
      })}
      <Pages {...parts} />
    </Stack>
  );
}

function Pages<Row>({ pager, rows }: RowsProps<Row>) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!pager || pager.total === undefined || pager.total <= pager.perPage) return null;
  const from = (pager.page - 1) * pager.perPage + 1;
  return (
    <Group justify="space-between" wrap="nowrap" component="nav">
      <Text size="sm" c="dimmed">
        {t('list.range', {
          from: format.integer(from),
          to: format.integer(from + rows.length - 1),
          total: format.integer(pager.total),
        })}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <ActionIcon
          variant="default"
          size={44}
          aria-label={t('list.previous_page')}
          disabled={pager.page === 1}
          onClick={() => pager.onPage(pager.page - 1)}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={44}
          aria-label={t('list.next_page')}
          disabled={from + rows.length > pager.total}
          onClick={() => pager.onPage(pager.page + 1)}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
