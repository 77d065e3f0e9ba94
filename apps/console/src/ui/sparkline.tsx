/**
 * Sparkline: the course of a figure in the size of a word.
 *
 *   <Sparkline values={days.map((day) => day.delivered)} />
 *
 * It is decoration beside a figure, so it is hidden from screen readers.
 */
export function Sparkline(props: { values: readonly number[]; width?: number; height?: number; color?: string }) {
  const { values, width = 96, height = 28, color = 'var(--app-chart-1)' } = props;
  if (values.length < 2) return null;
  const most = Math.max(...values);
  const least = Math.min(0, ...values);
  const x = (i: number) => (i / (values.length - 1)) * (width - 4) + 2;
  const y = (value: number) => height - 3 - ((value - least) / (most - least || 1)) * (height - 6);
  const line = values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  return (
    <svg {...{ width, height }} aria-hidden="true" style={{ display: 'block', overflow: 'visible' }}>
      <path d={`${line}L${x(values.length - 1)} ${height}L${x(0)} ${height}Z`} fill={color} opacity={0.1} />
      <path d={line} fill="none" stroke={color} strokeWidth={1.5} strokeLinejoin="round" strokeLinecap="round" />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1)!)} r={2} fill={color} />
    </svg>
  );
}
