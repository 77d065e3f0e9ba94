import { Group, Table, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { FATES, type Fate, fateColor, stackedParts } from './chart-colors.ts';
import classes from './fate-bars.module.css';
import { Section } from './section.tsx';

const TOP = 12;
const BOTTOM = 34;
const LEFT = 56;
/** Minimum width of a bar's label in pixels, so that neighbors do not touch. */
const LABEL_WIDTH = 96;
/** Bar with the outcomes of the messages of a day or a period. */
export type FateBar = Readonly<Record<Fate, number>> & {
  key: string;
  /** Label below the bar. If there are many bars, only some labels have room. */
  label: string;
  /** Description of the whole bar. */
  words: string;
};

interface FateBarsProps {
  title: string;
  bars: readonly FateBar[];
  height: number;
  /** Width of a label, if it is shorter than a whole date. */
  labelWidth?: number;
  nameOf(fate: Fate): string;
  format(count: number): string;
  /** The same figures as rows of a table. A line above opens it. */
  table: { summary: string; label: string; head: readonly string[]; rows: readonly (readonly string[])[] };
}

/** Stacked bars of message outcomes, with a legend and a table of the same figures. */
export function FateBars({ title, bars, height, labelWidth = LABEL_WIDTH, nameOf, format, table }: FateBarsProps) {
  const { ref, width: measured } = useElementSize();
  const full = Math.max(240, measured);
  const most = roundUp(Math.max(1, ...bars.map((bar) => FATES.reduce((sum, fate) => sum + bar[fate], 0))));
  const room = height - TOP - BOTTOM;
  const step = (full - LEFT) / Math.max(1, bars.length);
  const every = Math.max(1, Math.ceil(labelWidth / step));
  const y = (value: number) => TOP + room - (value / most) * room;
  return (
    <Section title={title} actions={<Legend nameOf={nameOf} />}>
      <div ref={ref}>
        <svg width={full} height={height} className={classes.chart} role="img" aria-label={title}>
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <g key={share}>
              <line className={classes.grid} x1={LEFT} x2={full} y1={y(most * share)} y2={y(most * share)} />
              {share % 0.5 === 0 && (
                <text x={LEFT - 10} y={y(most * share) + 4} textAnchor="end">
                  {format(most * share)}
                </text>
              )}
            </g>
          ))}
          {bars.map((bar, i) => (
            <g key={bar.key} className={classes.bar}>
              <title>{bar.words}</title>
              <rect x={LEFT + i * step} y={TOP} width={step} height={room} fill="transparent" />
              <Parts bar={bar} y={y} middle={LEFT + (i + 0.5) * step} width={Math.min(44, step * 0.6)} />
              {i % every === 0 && (
                <text x={Math.min(LEFT + (i + 0.5) * step, full - labelWidth / 2)} y={height - 10} textAnchor="middle">
                  {bar.label}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      <details className={classes.figures}>
        <summary>{table.summary}</summary>
        <Figures {...table} />
      </details>
    </Section>
  );
}

function Legend({ nameOf }: Pick<FateBarsProps, 'nameOf'>): ReactNode {
  return (
    <Group gap="md">
      {FATES.map((fate) => (
        <Group key={fate} gap={6}>
          <span className={classes.swatch} style={{ background: fateColor(fate) }} />
          <Text size="xs" c="dimmed">
            {nameOf(fate)}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function Parts(props: { bar: FateBar; y(value: number): number; middle: number; width: number }): ReactNode {
  const { bar, y, middle, width } = props;
  return stackedParts(bar, y).map(({ fate, top, height, round }) => (
    <rect
      key={fate}
      className={classes.part}
      {...(round && { rx: 3 })}
      x={middle - width / 2}
      y={top}
      width={width}
      height={height}
      style={{ fill: fateColor(fate) }}
    />
  ));
}

function Figures({ label, head, rows }: FateBarsProps['table']): ReactNode {
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name, i) => (
              <Table.Th key={name} {...(i > 0 && { ta: 'right' })}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([first, ...others]) => (
            <Table.Tr key={first}>
              <Table.Th scope="row">{first}</Table.Th>
              {others.map((figure, i) => (
                <Table.Td key={head[i + 1]} ta="right">
                  {figure}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Returns the next higher number that reads well on an axis and has a whole half. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const nice = [1, 2, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.max(4, nice * power);
}
