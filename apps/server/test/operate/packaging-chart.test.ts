import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { DEPLOY, leastGrace, operationsPort, PROCESSES, ports, SETTINGS } from './packaging.ts';

const CHART = join(DEPLOY, 'helm/heliograph');
const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Record<string, Record<string, unknown>>;

test('the chart names existing settings and ports, and gives pods time to stop', () => {
  const settings = values['settings'] as Record<string, string>;
  for (const name of Object.keys(settings)) assert.ok(SETTINGS.has(name), name);
  assert.ok(Number(values['terminationGracePeriodSeconds']) >= leastGrace(Number(settings['STOP_NOTICE_SECONDS'])));
  const processes = values['processes'] as Record<string, { port?: number; operationsPort: number }>;
  assert.deepEqual(Object.keys(processes), PROCESSES);
  for (const [name, { port, operationsPort: operations }] of Object.entries(processes))
    assert.deepEqual([port, operations], [ports[name as keyof typeof ports] ?? 0, operationsPort(name)], name);
});

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
  data?: Record<string, string>;
}

/** Renders the resources of the chart, with some of its values replaced. */
function render(change: Record<string, Record<string, unknown>>): Resource[] {
  const merged = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, key in change ? { ...value, ...change[key] } : value]),
  );
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { name: string; appVersion: string };
  const files = Object.fromEntries(
    readdirSync(join(CHART, 'templates')).map((name) => [name, readFileSync(join(CHART, 'templates', name), 'utf8')]),
  );
  const scope = {
    Values: merged,
    Release: { Name: 'sms', Service: 'Helm' },
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
  };
  const engine = spawnSync('go', ['run', join(import.meta.dirname, 'chart/render.go')], {
    input: JSON.stringify({ Files: files, Scope: scope }),
    encoding: 'utf8',
    env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '' },
  });
  assert.equal(engine.status, 0, engine.stderr);
  return Object.values(JSON.parse(engine.stdout) as Record<string, string>).flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      assert.deepEqual(document.errors, [], text);
      const resource = document.toJS() as Resource | null;
      return resource ? [resource] : [];
    }),
  );
}

const go = spawnSync('go', ['version']).status === 0;
const noGo = go || process.env['CI'] ? false : 'Go, whose templates charts are, is not installed';

test('the chart renders a deployment with probes for each process', { skip: noGo }, () => {
  const resources = render({});
  const of = (kind: string) => resources.filter((resource) => resource.kind === kind);
  assert.deepEqual(
    of('Deployment')
      .map(({ metadata }) => metadata.name)
      .sort(),
    PROCESSES.map((name) => `sms-${name}`).sort(),
  );
  assert.deepEqual(of('PodDisruptionBudget').length, PROCESSES.length);
  assert.deepEqual(
    [of('Job').length, of('ConfigMap').length, of('Ingress').length, of('PersistentVolumeClaim').length],
    [1, 1, 0, 1],
  );
  for (const name of Object.keys(of('ConfigMap')[0]!.data!)) assert.ok(SETTINGS.has(name), name);
  for (const { metadata, spec } of of('Deployment')) {
    const name = metadata.name.slice('sms-'.length);
    const pod = (spec as { template: { spec: Pod } }).template.spec;
    const [container] = pod.containers;
    assert.deepEqual(container!.args, [name]);
    assert.equal(container!.securityContext.readOnlyRootFilesystem, true);
    assert.equal(container!.readinessProbe.httpGet.path, '/readyz');
    assert.equal(container!.livenessProbe.httpGet.path, '/healthz');
    assert.equal(container!.ports.find((port) => port.name === 'operations')!.containerPort, operationsPort(name));
    const mounted = container!.volumeMounts.map((mount) => mount.name).sort();
    assert.deepEqual(mounted, pod.volumes.map((volume) => volume.name).sort());
    assert.equal(mounted.includes('files'), name === 'api' || name === 'worker');
  }
});

interface Pod {
  containers: {
    args: string[];
    securityContext: { readOnlyRootFilesystem: boolean };
    readinessProbe: { httpGet: { path: string } };
    livenessProbe: { httpGet: { path: string } };
    ports: { name: string; containerPort: number }[];
    volumeMounts: { name: string }[];
  }[];
  volumes: { name: string }[];
}

test('every optional part of the chart renders, and disabled parts are gone', { skip: noGo }, () => {
  const on = { enabled: true };
  const all = render({
    ingress: { ...on, className: 'nginx' },
    autoscaling: on,
    podMonitor: { ...on, labels: { team: 'sms' } },
  });
  for (const kind of ['Ingress', 'HorizontalPodAutoscaler', 'PodMonitor'])
    assert.equal(all.filter((resource) => resource.kind === kind).length, 1, kind);
  const api = all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'sms-api');
  assert.equal('replicas' in api!.spec, false, 'the autoscaler alone says how many');
  const digest = `sha256:${'ab'.repeat(32)}`;
  const pinned = render({ image: { digest } }).filter(({ kind }) => kind === 'Deployment');
  for (const { spec } of pinned) {
    const [container] = (spec as { template: { spec: { containers: { image: string }[] } } }).template.spec.containers;
    assert.equal(container!.image, `heliograph@${digest}`);
  }
  const off = { enabled: false };
  const few = render({ files: off, podDisruptionBudget: off, migrate: off });
  assert.deepEqual([...new Set(few.map(({ kind }) => kind))].sort(), ['ConfigMap', 'Deployment', 'Service']);
});
