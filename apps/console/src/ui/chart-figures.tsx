import { Anchor, Table } from '@mantine/core';
import type { ChartProps } from './chart-scale.ts';
import classes from './time-chart.module.css';

/** The figures of a chart as a table, opened by a line of text. */
export function ChartFigures({ label, series, points, format, table, before, onPick }: ChartProps) {
  const { more = [] } = table;
  const compared = before !== undefined && points.some((point) => point.before != null);
  const heads = [...series.map((each) => each.label), ...(compared ? [before] : []), ...more.map((each) => each.label)];
  return (
    <details className={classes.figures}>
      <summary>{table.summary}</summary>
      <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={label} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{table.when}</Table.Th>
              {heads.map((head) => (
                <Table.Th key={head} ta="right">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {points.map((point) => (
              <Table.Tr key={point.key}>
                <Table.Th scope="row">
                  {onPick ? (
                    <Anchor component="button" type="button" inherit onClick={() => onPick(point)}>
                      {point.title}
                    </Anchor>
                  ) : (
                    point.title
                  )}
                </Table.Th>
                {[
                  ...series.map(({ key }) => (point.values[key] == null ? '–' : format(point.values[key]))),
                  ...(compared ? [point.before == null ? '–' : format(point.before)] : []),
                  ...more.map(({ value }) => value(point)),
                ].map((figure, i) => (
                  <Table.Td key={heads[i]} ta="right">
                    {figure}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </details>
  );
}
