import { type LinkQuality, QualityTable } from '../apps/server/src/modules/carrier-quality/quality-table.ts';
import { rankedFinder } from '../apps/server/src/modules/carrier-routes/ranked-routes.ts';
import { pickLink, type Routing } from '../apps/server/src/modules/carrier-routes/read-routing.ts';
import { type Route, RouteTable } from '../apps/server/src/modules/carrier-routes/route-table.ts';
import { cpuSeconds } from './harness/child.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';

// Measures the choice of a link for one message: its route, the order of the route's links, and the pick.

const { count } = readOptions({ count: 1_000_000 });
const LINKS = 6;
const NETWORKS = 50;
const traffic = { corporation_id: 1, reseller_id: null, sender_id: 'Acme', class: 'transactional' as const };

function routingOf(strategy: Route['strategy']): Routing {
  const ids = Array.from({ length: LINKS }, (_, i) => i + 1);
  const links = ids.map((link_id) => ({ link_id, position: 1, weight: 1, from_time: null, until_time: null }));
  const none = { corporation_id: null, reseller_id: null, sender_id: null, class: null, network_id: null };
  const rest = { ...none, enabled: true, strategy, quality_floor: 90, avoid_declined: false, links };
  const routes = Array.from({ length: 1_000 }, (_, i) => ({
    ...rest,
    id: i + 1,
    name: `R${i}`,
    prefix: String(i + 600),
  }));
  const rows = ids.flatMap((link_id) =>
    Array.from(
      { length: NETWORKS },
      (_, i): LinkQuality => ({
        ...{
          link_id,
          network_id: i,
          sender_kind: 'alphanumeric',
          messages: 1_000,
          rate: 8_000 + ((link_id * i) % 2_000),
        },
        ...{ p50_ms: 1_000, p95_ms: 2_000, state: 'good' },
      }),
    ),
  );
  const up = { enabled: true, state: 'up' as const, since: null, for_ms: 0 };
  return {
    table: new RouteTable('bench', routes),
    links: new Map(ids.map((link_id) => [link_id, { link_id, link_name: String(link_id), ...up }])),
    ...{
      reseller_id: null,
      ported_by: null,
      limits: new Map(),
      clock: '12:00',
      quality: new QualityTable('bench', rows),
    },
    networks: { networkOf: (msisdn) => ({ id: Number(msisdn.slice(3, 7)) % NETWORKS }) as never },
    costs: { compared: ({ link_id, network_id }) => ((link_id + network_id) % 7) + 1 },
  };
}

const figures = (['position', 'best_quality', 'least_cost', 'by_class'] as const).map((strategy) => {
  const routing = routingOf(strategy);
  const find = rankedFinder(routing, traffic);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const began = cpuSeconds();
    for (let i = 0; i < count; i++)
      pickLink(routing, find(String(600_000_000_000 + ((i * 7_919_333) % 99_999_999_999))), traffic.class, 1, traffic);
    best = Math.min(best, cpuSeconds() - began);
  }
  return { figure: `${strategy}, ${LINKS} links`, value: (best / count) * 1e9, unit: 'ns' };
});
report('routes', figures);
