import { stackedParts } from './chart-colors.ts';
import type { ChartPoint, ChartSeries, Scale } from './chart-scale.ts';

interface ShapesProps {
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  scale: Scale;
  /** Fill that hatches what lies below it. */
  hatch: string;
}

/** Widest bar in pixels. */
const WIDEST = 44;

/** Stacked bars. */
export function Bars({ points, series, scale, hatch }: ShapesProps) {
  const width = Math.max(1, Math.min(WIDEST, scale.step * 0.62));
  const keys = series.map(({ key }) => key);
  const colors = new Map(series.map(({ key, color }) => [key, color]));
  return points.map((point, i) => (
    <g key={point.key}>
      {stackedParts(point.values, scale.y, keys).map(({ fate, top, height, round }) => {
        const place = { x: scale.x(i) - width / 2, y: top, width, height, ...(round && width > 8 && { rx: 3 }) };
        return (
          <g key={fate}>
            <rect {...place} style={{ fill: colors.get(fate) }} />
            {point.open && <rect {...place} fill={hatch} />}
          </g>
        );
      })}
    </g>
  ));
}

/** Stacked areas. */
export function Areas({ points, series, scale, hatch }: ShapesProps) {
  const open = points.findIndex((point) => point.open);
  const edge = (upTo: number) =>
    points.map((point, i) => {
      const sum = series.slice(0, upTo).reduce((total, { key }) => total + (point.values[key] ?? 0), 0);
      return `${scale.x(i).toFixed(1)} ${scale.y(sum).toFixed(1)}`;
    });
  return (
    <>
      {series.map(({ key, color }, i) => (
        <g key={key}>
          <path
            d={`M${edge(i + 1).join('L')}L${edge(i).toReversed().join('L')}Z`}
            style={{ fill: color }}
            opacity={0.22}
          />
          <path d={`M${edge(i + 1).join('L')}`} fill="none" style={{ stroke: color }} strokeWidth={1.75} />
        </g>
      ))}
      {open > 0 && (
        <rect
          x={scale.x(open - 1)}
          y={0}
          width={scale.x(points.length - 1) - scale.x(open - 1)}
          height={scale.bottom}
          fill={hatch}
        />
      )}
    </>
  );
}

/** Lines beside each other. A missing figure leaves a gap; a line to a part that has not ended is dashed. */
export function Lines({ points, series, scale }: ShapesProps) {
  return series.map(({ key, color }) => (
    <g key={key} fill="none" strokeWidth={1.75} strokeLinejoin="round" style={{ stroke: color }}>
      {points.map((point, i) => {
        const value = point.values[key];
        if (value == null) return null;
        const before = points[i - 1]?.values[key];
        const [x, y] = [scale.x(i), scale.y(value)];
        if (before != null)
          return (
            <path
              key={point.key}
              d={`M${scale.x(i - 1)} ${scale.y(before)}L${x} ${y}`}
              {...(point.open && { strokeDasharray: '4 3' })}
            />
          );
        const alone = points[i + 1]?.values[key] == null;
        return alone && <circle key={point.key} cx={x} cy={y} r={2} style={{ fill: color }} />;
      })}
    </g>
  ));
}
