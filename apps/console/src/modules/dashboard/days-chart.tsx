import { Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { Section } from '../../ui/section.tsx';
import classes from './dashboard.module.css';

interface Day {
  date: string;
  messages: number;
  delivered: number;
  failed: number;
  expired: number;
}

const HEIGHT = 300;
const TOP = 12;
const BOTTOM = 34;
const LEFT = 52;

/** Colours that are told apart in both modes and by colour-blind eyes. */
const PARTS = [
  { key: 'delivered', color: 'var(--mantine-primary-color-filled)' },
  { key: 'failed', color: 'var(--mantine-color-red-6)' },
  { key: 'expired', color: 'var(--mantine-color-orange-4)' },
  { key: 'other', color: 'var(--mantine-color-gray-5)' },
] as const;

/** Messages a day as stacked bars, each with its figures for those who can not see them. */
export function DaysChart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ref, width: measured } = useElementSize();
  const full = Math.max(240, measured);
  const most = roundUp(Math.max(1, ...days.map((day) => day.messages)));
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
            <Group key={part.key} gap={6}>
              <span className={classes.swatch} style={{ background: part.color }} />
              <Text size="xs" c="dimmed">
                {t(`dashboard.${part.key}`)}
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
            const values = { ...day, other: Math.max(0, day.messages - day.delivered - day.failed - day.expired) };
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
                  const value = values[part.key];
                  if (value === 0) return null;
                  const top = y(below + value);
                  const bar = (
                    <rect
                      key={part.key}
                      className={classes.bar}
                      x={x}
                      y={top}
                      width={width}
                      height={Math.max(1, y(below) - top)}
                      fill={part.color}
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
    </Section>
  );
}

/** The next number above that reads well on an axis and halves to a whole one. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const nice = [1, 2, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.max(4, nice * power);
}
