import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { alertsOf, dashboardQueries, metricsOf } from './queries.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const PAGE = 'docs/operate/monitoring.md';

/** Returns the anchors that every site that shows Markdown gives to a page's headings. */
const anchorsOf = (page: string) =>
  new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );

test('every alert states its meaning and leads to a section with the remedy', () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  const anchors = anchorsOf(page);
  const alerts = alertsOf();
  assert.ok(alerts.length >= 30);
  assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
  for (const { alert, labels, annotations } of alerts) {
    assert.match(labels.severity, /^(warning|critical)$/, alert);
    assert.ok(annotations.summary && annotations.meaning, alert);
    const [path, anchor = ''] = annotations.runbook.split('#');
    assert.equal(path, PAGE);
    assert.ok(anchors.has(anchor), `${alert} leads to #${anchor}, which the page lacks`);
    const from = page.indexOf(`#### ${alert}\n`);
    const to = page.indexOf('\n#', from);
    const own = page.slice(from, to < 0 ? undefined : to);
    assert.match(own, /\*\*First look:\*\* .{10}/, alert);
    assert.match(own, /\*\*Do:\*\* .{10}/, alert);
  }
});

test('the page links only to existing targets', () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  for (const [, link = ''] of page.matchAll(/\]\(([^)]+)\)/g)) {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(ROOT, PAGE) : resolve(ROOT, 'docs/operate', path);
    assert.ok(existsSync(target), link);
    if (anchor) assert.ok(anchorsOf(readFileSync(target, 'utf8')).has(anchor), link);
  }
});

test('every query of alerts and dashboard is PromQL', () => {
  const queries = [...alertsOf().map(({ alert, expr }) => ({ where: alert, expr })), ...dashboardQueries()];
  for (const { where, expr } of queries) assert.ok(metricsOf(expr).length > 0, where);
  assert.throws(() => metricsOf('sum by (link (x)'), /PromQL/);
  assert.deepEqual(metricsOf('sum by (a) (rate(x{b="c"}[5m]))'), [{ metric: 'x', labels: ['a', 'b'] }]);
});
