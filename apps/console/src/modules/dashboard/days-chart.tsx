import { Group, Table, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { type Fate, fateColor } from '../../ui/chart-colors.ts';
import { Section } from '../../ui/section.tsx';
import classes from './dashboard.module.css';

interface Day {
  date: string;
  messages: number;
  delivered: number;
  failed: number;
  expired: number;
  blocked: number;
  replies: number;
}

const HEIGHT = 300;
const TOP = 12;
const BOTTOM = 34;
const LEFT = 52;

/** Bottom to top. Beside their colours they are told apart by their place and by the table. */
const PARTS = ['delivered', 'failed', 'expired', 'blocked'] as const satisfies readonly Fate[];
const COLUMNS = ['submitted', ...PARTS, 'replies'] as const;

/** Messages a day as stacked bars, and a table of the same figures. */
export function DaysChart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ref, width: measured } = useElementSize();
  const full = Math.max(240, measured);
  const most = roundUp(Math.max(1, ...days.map((day) => PARTS.reduce((sum, part) => sum + day[part], 0))));
  const height = HEIGHT - TOP - BOTTOM;
  const step = (full - LEFT) / Math.max(1, days.length);
  const width = Math.min(44, step * 0.55);
  const y = (value: number) => TOP + height - (value / most) * height;
  return (
    <Section
      title={t('dashboard.chart_title')}
      actions={
        <Group gap="md">
          {PARTS.map((part) => (
            <Group key={part} gap={6}>
              <span className={classes.swatch} style={{ background: fateColor(part) }} />
              <Text size="xs" c="dimmed">
                {t(`dashboard.${part}`)}
              </Text>
            </Group>
          ))}
        </Group>
      }
    >
      <div ref={ref}>
        <svg width={full} height={HEIGHT} className={classes.chart} role="img" aria-label={t('dashboard.chart_title')}>
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <g key={share}>
              <line className={classes.grid} x1={LEFT} x2={full} y1={y(most * share)} y2={y(most * share)} />
              {share % 0.5 === 0 && (
                <text x={LEFT - 10} y={y(most * share) + 4} textAnchor="end">
                  {format.integer(most * share)}
                </text>
              )}
            </g>
          ))}
          {days.map((day, i) => {
            const x = LEFT + i * step + (step - width) / 2;
            const date = format.date(day.date);
            let below = 0;
            return (
              <g key={day.date} className={classes.day}>
                <title>
                  {t('dashboard.chart_label', {
                    date,
                    messages: format.integer(day.messages),
                    delivered: format.integer(day.delivered),
                    failed: format.integer(day.failed),
                    expired: format.integer(day.expired),
                  })}
                </title>
                <rect x={LEFT + i * step} y={TOP} width={step} height={height} fill="transparent" />
                {PARTS.map((part) => {
                  const value = day[part];
                  if (value === 0) return null;
                  const top = y(below + value);
                  const bar = (
                    <rect
                      key={part}
                      className={classes.bar}
                      x={x}
                      y={top}
                      width={width}
                      height={Math.max(1, y(below) - top)}
                      style={{ fill: fateColor(part) }}
                    />
                  );
                  below += value;
                  return bar;
                })}
                <text x={x + width / 2} y={HEIGHT - 10} textAnchor="middle">
                  {format.date(day.date, step < 62 ? 'day' : 'short')}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      <details className={classes.figures}>
        <summary>{t('summary.table')}</summary>
        <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label={t('dashboard.chart_title')} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('dashboard.day')}</Table.Th>
                {COLUMNS.map((column) => (
                  <Table.Th key={column} ta="right">
                    {t(`dashboard.${column}`)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map((day) => (
                <Table.Tr key={day.date}>
                  <Table.Th scope="row">{format.date(day.date)}</Table.Th>
                  {COLUMNS.map((column) => (
                    <Table.Td key={column} ta="right">
                      {format.integer(column === 'submitted' ? day.messages : day[column])}
                    </Table.Td>
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
