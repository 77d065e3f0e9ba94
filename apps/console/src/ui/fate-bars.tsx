import { FATES, type Fate, fateColor } from './chart-colors.ts';
import type { ChartPoint, ChartProps } from './chart-scale.ts';
import { Section } from './section.tsx';
import { ChartLegend, TimeChart } from './time-chart.tsx';

interface FateBarsProps extends Pick<ChartProps, 'format' | 'height' | 'labelWidth' | 'before' | 'total' | 'table'> {
  title: string;
  points: readonly (ChartPoint & { values: Readonly<Record<Fate, number>> })[];
  nameOf(fate: Fate): string;
}

/** Stacked bars of message outcomes, with a legend and a table of the same figures. */
export function FateBars({ title, nameOf, ...chart }: FateBarsProps) {
  const series = FATES.map((fate) => ({ key: fate, label: nameOf(fate), color: fateColor(fate) }));
  return (
    <Section title={title} actions={<ChartLegend series={series} before={chart.before} />}>
      <TimeChart label={title} kind="bars" series={series} {...chart} />
    </Section>
  );
}
