import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

/** Folder of the files that monitoring loads. */
export const MONITORING = join(import.meta.dirname, '../../../../deploy/monitoring');

export interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; meaning: string; runbook: string };
}

/** A query in PromQL, and the alert or panel that uses it. */
export interface Query {
  where: string;
  expr: string;
}

/** Reads the alert rules as Prometheus does. */
export function alertsOf(): Alert[] {
  const { groups } = parse(readFileSync(join(MONITORING, 'alerts.yml'), 'utf8')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Returns every query of the dashboard, with a fixed interval where Grafana chooses one. */
export function dashboardQueries(): Query[] {
  const { panels } = JSON.parse(readFileSync(join(MONITORING, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: title, expr: expr.replaceAll('$__rate_interval', '5m') })),
  );
}

/**
 * Returns the metrics of an expression, each with the labels that it must have. These are the labels that select it,
 * and the labels that the aggregations around it keep. Throws if the expression is not PromQL.
 */
export function metricsOf(expr: string): { metric: string; labels: string[] }[] {
  const found: { metric: string; labels: string[] }[] = [];
  const cursor = parser.parse(expr).cursor();
  const text = () => expr.slice(cursor.from, cursor.to);
  const walk = (kept: readonly string[]): void => {
    if (cursor.type.isError) throw new Error(`no PromQL at "${expr.slice(cursor.from)}" of ${expr}`);
    const { name } = cursor;
    const here = name === 'AggregateExpr' ? [...kept, ...groupingOf()] : kept;
    if (name === 'VectorSelector') found.push({ metric: '', labels: [...here] });
    if (name === 'Identifier') found.at(-1)!.metric = text();
    if (name === 'LabelName' && isMatcher) found.at(-1)!.labels.push(text());
    const outer = isMatcher;
    isMatcher ||= name === 'LabelMatchers';
    if (cursor.firstChild()) {
      do walk(here);
      while (cursor.nextSibling());
      cursor.parent();
    }
    isMatcher = outer;
  };
  let isMatcher = false;
  const groupingOf = (): string[] => {
    const labels =
      cursor.node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
    return labels.map(({ from, to }) => expr.slice(from, to));
  };
  walk([]);
  return found;
}
