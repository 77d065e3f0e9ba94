import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useId, useState } from 'react';
import { ChartFigures } from './chart-figures.tsx';
import { axisTop, BOTTOM, type ChartPoint, type ChartProps, gutterOf, type Scale, sumOf, TOP } from './chart-scale.ts';
import { Areas, Bars, Lines } from './chart-shapes.tsx';
import classes from './time-chart.module.css';

/**
 * TimeChart: figures over time, with a hover line, a tooltip, a comparison, and a hatched last part "so far".
 *
 *   <TimeChart
 *     label={t('dashboard.chart_title')}
 *     kind="bars"                                   // 'bars' and 'area' are stacked, 'lines' are not
 *     series={[{ key: 'delivered', label: t('dashboard.delivered'), color: fateColor('delivered') }]}
 *     points={days.map((day) => ({
 *       key: day.date, label: format.date(day.date, 'short'), title: format.date(day.date),
 *       values: { delivered: day.delivered }, before: day.earlier, open: day.date === today,
 *     }))}
 *     format={format.integer}
 *     before={t('chart.before')}                    // name of the comparison, if points have `before`
 *     limit={{ value: 200, label: 'Rate limit' }}   // optional line across
 *   />
 *
 * ChartLegend is exported for the heading's line. Colors without a meaning of their own: --app-chart-1 to 5. The
 * figures open as a table below the chart, for everybody who cannot hover.
 */
export function TimeChart(props: ChartProps) {
  const { points, format, height = 240, labelWidth = 64, kind, onPick } = props;
  const { ref, width: measured } = useElementSize();
  const [at, setAt] = useState<number>();
  const hatch = useId();
  const full = Math.max(240, measured);
  const top = axisTop(props);
  const left = gutterOf(format, top);
  const step = (full - left) / Math.max(1, points.length);
  const room = height - TOP - BOTTOM;
  const scale: Scale = {
    step,
    bottom: TOP + room,
    x: (i) => left + (i + 0.5) * step,
    y: (value) => TOP + room - (value / top) * room,
  };
  const every = Math.max(1, Math.ceil(labelWidth / step));
  const last = full - labelWidth / 2;
  /** Returns whether the last label, which moves inward from the edge, would touch the one before it. */
  const crowded = (i: number) => scale.x(i) > last && i >= every && last - scale.x(i - every) < labelWidth;
  const shown = at === undefined ? undefined : points[at];
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const place = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / step);
    setAt(place < 0 || place >= points.length ? undefined : place);
  };
  const Shapes = kind === 'bars' ? Bars : kind === 'area' ? Areas : Lines;
  return (
    <div className={classes.frame}>
      <div ref={ref}>
        <svg
          width={full}
          height={height}
          // Before it is measured, its width is only a guess.
          visibility={measured === 0 ? 'hidden' : 'visible'}
          className={classes.chart}
          role="img"
          aria-label={props.label}
          onPointerMove={move}
          onPointerDown={move}
          onPointerLeave={() => setAt(undefined)}
          {...(onPick && { onClick: () => shown && onPick(shown), style: { cursor: 'pointer' } })}
        >
          <defs>
            <pattern id={hatch} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width={3} height={6} fill="var(--app-raised)" opacity={0.55} />
            </pattern>
          </defs>
          <Grid {...{ scale, left, full, top, format }} />
          {shown && kind === 'bars' && (
            <rect className={classes.band} x={left + at! * step} y={TOP} width={step} height={room} />
          )}
          <Shapes {...{ points, scale, hatch: `url(#${hatch})`, series: props.series }} />
          <Before points={points} scale={scale} />
          {props.limit && props.limit.value <= top && (
            <g>
              <line
                className={classes.limit}
                x1={left}
                x2={full}
                y1={scale.y(props.limit.value)}
                y2={scale.y(props.limit.value)}
              />
              <text x={full} y={scale.y(props.limit.value) - 5} textAnchor="end">
                {props.limit.label}
              </text>
            </g>
          )}
          {shown && kind !== 'bars' && (
            <line className={classes.hover} x1={scale.x(at!)} x2={scale.x(at!)} y1={TOP} y2={scale.bottom} />
          )}
          {points.map(
            (point, i) =>
              i % every === 0 &&
              !crowded(i) && (
                <text key={point.key} x={Math.min(scale.x(i), last)} y={height - 10} textAnchor="middle">
                  {point.label}
                </text>
              ),
          )}
        </svg>
      </div>
      {shown && <Tip {...props} point={shown} x={scale.x(at!)} full={full} />}
      <ChartFigures {...props} />
    </div>
  );
}

/** Names of the series and their colors. */
export function ChartLegend(props: Pick<ChartProps, 'series' | 'before'>) {
  return (
    <div className={classes.legend}>
      {props.series.map(({ key, label, color }) => (
        <span key={key} className={classes.row}>
          <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
          <span style={{ all: 'unset' }}>{label}</span>
        </span>
      ))}
      {props.before && (
        <span className={classes.row}>
          <span className={classes.dash} aria-hidden="true" />
          <span style={{ all: 'unset' }}>{props.before}</span>
        </span>
      )}
    </div>
  );
}

function Grid(props: { scale: Scale; left: number; full: number; top: number; format: (value: number) => string }) {
  const { scale, left, full, top, format } = props;
  return [0, 0.25, 0.5, 0.75, 1].map((share) => (
    <g key={share}>
      <line className={classes.grid} x1={left} x2={full} y1={scale.y(top * share)} y2={scale.y(top * share)} />
      {share % 0.5 === 0 && (
        <text x={left - 10} y={scale.y(top * share) + 4} textAnchor="end">
          {format(top * share)}
        </text>
      )}
    </g>
  ));
}

/** Dashed line of the totals of the period before. */
function Before({ points, scale }: { points: readonly ChartPoint[]; scale: Scale }) {
  const known = points.flatMap(({ before }, i) => (before == null ? [] : [`${scale.x(i)} ${scale.y(before)}`]));
  return known.length < 2 ? null : <path className={classes.before} d={`M${known.join('L')}`} />;
}

function Tip(props: ChartProps & { point: ChartPoint; x: number; full: number }) {
  const { point, series, format, x, full } = props;
  const right = x > full / 2;
  return (
    <div className={classes.tip} style={right ? { right: full - x + 12 } : { left: x + 12 }} aria-hidden="true">
      <strong>{point.title}</strong>
      {series.toReversed().map(({ key, label, color }) => (
        <div key={key} className={classes.row}>
          <span className={classes.swatch} style={{ background: color }} />
          <span>{label}</span>
          <span>{point.values[key] == null ? '–' : format(point.values[key])}</span>
        </div>
      ))}
      {props.total && series.length > 1 && (
        <div className={classes.row}>
          <span>{props.total}</span>
          <span>{format(sumOf(point, series))}</span>
        </div>
      )}
      {props.before && point.before != null && (
        <div className={classes.row}>
          <span className={classes.dash} />
          <span>{props.before}</span>
          <span>{format(point.before)}</span>
        </div>
      )}
    </div>
  );
}
