import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { summaryReports } from '@heliograph/contract/reports/summary-report';
import { Group, Table, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { type Fate, fateColor } from '../../ui/chart-colors.ts';
import { Section } from '../../ui/section.tsx';
import classes from './summary-reports.module.css';

type Series = ReplyOf<typeof summaryReports>['series'];

const HEIGHT = 220;
const TOP = 10;
const BOTTOM = 30;
const LEFT = 56;
/** Bottom to top. Beside their colours they are told apart by their place and by the table. */
const PARTS = ['delivered', 'failed', 'expired', 'blocked'] as const satisfies readonly Fate[];
const COUNTS = ['messages', 'parts', 'delivered', 'failed', 'blocked', 'expired'] as const;

/** What became of the messages of each period as stacked bars, and a table of the same figures. */
export function SummaryChart({ series }: { series: Series }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ref, width: measured } = useElementSize();
  const full = Math.max(240, measured);
  const sumOf = (bar: Series[number]) => PARTS.reduce((sum, key) => sum + bar[key], 0);
  const most = roundUp(Math.max(1, ...series.map(sumOf)));
  const height = HEIGHT - TOP - BOTTOM;
  const step = (full - LEFT) / Math.max(1, series.length);
  const width = Math.min(44, step * 0.6);
  const y = (value: number) => TOP + height - (value / most) * height;
  // As many dates as have room below the bars.
  const every = Math.max(1, Math.ceil(96 / step));
  return (
    <Section
      title={t('summary.chart')}
      actions={
        <Group gap="md">
          {PARTS.map((key) => (
            <Group key={key} gap={6}>
              <span className={classes.swatch} style={{ background: fateColor(key) }} />
              <Text size="xs" c="dimmed">
                {labelOf('summary-reports', key)}
              </Text>
            </Group>
          ))}
        </Group>
      }
    >
      <div ref={ref}>
        <svg width={full} height={HEIGHT} className={classes.chart} role="img" aria-label={t('summary.chart')}>
          {[0, 0.5, 1].map((share) => (
            <g key={share}>
              <line className={classes.grid} x1={LEFT} x2={full} y1={y(most * share)} y2={y(most * share)} />
              <text x={LEFT - 10} y={y(most * share) + 4} textAnchor="end">
                {format.integer(most * share)}
              </text>
            </g>
          ))}
          {series.map((bar, i) => {
            const x = LEFT + i * step + (step - width) / 2;
            let below = 0;
            return (
              <g key={bar.starts_on}>
                <title>
                  {`${format.date(bar.starts_on)}: ${PARTS.map((key) => `${labelOf('summary-reports', key)} ${format.integer(bar[key])}`).join(', ')}`}
                </title>
                {PARTS.map((key) => {
                  if (bar[key] === 0) return null;
                  const top = y(below + bar[key]);
                  const rect = (
                    <rect
                      key={key}
                      className={classes.bar}
                      x={x}
                      y={top}
                      width={width}
                      height={Math.max(1, y(below) - top)}
                      style={{ fill: fateColor(key) }}
                    />
                  );
                  below += bar[key];
                  return rect;
                })}
                {i % every === 0 && (
                  <text x={Math.min(x + width / 2, full - 44)} y={HEIGHT - 8} textAnchor="middle">
                    {format.date(bar.starts_on)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </div>
      <details className={classes.figures}>
        <summary>{t('summary.table')}</summary>
        <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label={t('summary.figures')} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                {(['starts_on', 'ends_on', ...COUNTS] as const).map((field) => (
                  <Table.Th key={field}>{labelOf('summary-reports', field)}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {series.map((bar) => (
                <Table.Tr key={bar.starts_on}>
                  <Table.Td>{format.date(bar.starts_on)}</Table.Td>
                  <Table.Td>{format.date(bar.ends_on)}</Table.Td>
                  {COUNTS.map((count) => (
                    <Table.Td key={count}>{format.integer(bar[count])}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </Section>
  );
}

/** The next number above that reads well on an axis and halves to a whole one. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const nice = [1, 2, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.max(4, nice * power);
}
