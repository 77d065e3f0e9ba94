import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LinkQuality, QualityTable } from '#modules/carrier-quality';
import { isOpen, type LinkFacts, rankLinks } from '../../src/modules/carrier-routes/rank-links.ts';
import { rankedFinder } from '../../src/modules/carrier-routes/ranked-routes.ts';
import { pickLink, type Routing } from '../../src/modules/carrier-routes/read-routing.ts';
import { type Route, RouteTable } from '../../src/modules/carrier-routes/route-table.ts';

const anyRoute: Route = {
  ...{ id: 1, name: 'Any', corporation_id: null, reseller_id: null, sender_id: null, class: null, network_id: null },
  ...{ prefix: '', enabled: true, strategy: 'position', quality_floor: 90, avoid_declined: false, links: [] },
};

const facts: fc.Arbitrary<LinkFacts> = fc.record({
  cost: fc.option(fc.integer({ min: 1, max: 3 })),
  quality: fc.option(
    fc.record({
      rate: fc.constantFrom(9_800, 9_750, 9_300, 8_000, 5_000),
      state: fc.constantFrom('good' as const, 'good' as const, 'declined' as const, 'trial' as const),
    }),
  ),
  open: fc.boolean(),
  owed: fc.constantFrom(0, 0, 500),
});
const link = fc.record({ facts, position: fc.integer({ min: 1, max: 3 }) });

/** Finds the links that messages take first, by the rules as documented: one after the other narrows the choice. */
function byTheWords(
  route: Route,
  of: 'otp' | 'transactional' | 'bulk',
  all: { id: number; facts: LinkFacts; position: number }[],
) {
  let left = all;
  const prefer = (wanted: (facts: LinkFacts) => boolean) => {
    const some = left.filter((each) => wanted(each.facts));
    if (some.length > 0) left = some;
  };
  const least = (value: (each: (typeof all)[number]) => number) => {
    const best = Math.min(...left.map(value));
    left = left.filter((each) => value(each) === best);
  };
  const strategy =
    route.strategy !== 'by_class'
      ? route.strategy
      : of === 'otp'
        ? 'best_quality'
        : of === 'bulk'
          ? 'least_cost'
          : 'cost_with_floor';
  prefer(({ open }) => open);
  const learns = route.avoid_declined || ['best_quality', 'cost_with_floor', 'by_class'].includes(route.strategy);
  if (learns) prefer(({ quality }) => quality === null || quality.state === 'good');
  prefer(({ owed }) => owed > 0);
  const cost = ({ facts: { cost: value } }: (typeof all)[number]) => value ?? 1e9;
  const points = ({ facts: { quality } }: (typeof all)[number]) => (quality ? -Math.round(quality.rate / 200) : 1);
  if (strategy === 'least_cost') least(cost);
  if (strategy === 'best_quality') {
    least(points);
    least(cost);
  }
  if (strategy === 'cost_with_floor') {
    const floor = (route.quality_floor ?? 0) * 100;
    prefer(({ quality }) => quality !== null && quality.rate >= floor);
    if (!left.some(({ facts: { quality } }) => quality !== null && quality.rate >= floor)) least(points);
    least(cost);
  }
  least(({ position }) => position);
  return left.map(({ id }) => id).sort();
}

test('the first links of any route are those that the documented rules name', () => {
  fc.assert(
    fc.property(
      fc.array(link, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('position', 'least_cost', 'best_quality', 'cost_with_floor', 'by_class' as const),
      fc.boolean(),
      fc.constantFrom('otp', 'transactional', 'bulk' as const),
      (made, strategy, avoid_declined, messageClass) => {
        const all = made.map((each, i) => ({ id: i + 1, ...each }));
        const links = all.map(({ id, position }) => ({
          link_id: id,
          position,
          weight: 1,
          from_time: null,
          until_time: null,
        }));
        const route = { ...anyRoute, strategy, avoid_declined, links } as Route;
        const ranked = rankLinks(route, messageClass, ({ link_id }) => all[link_id - 1]!.facts);
        const first = ranked.filter(({ position }) => position === 1).map(({ link_id }) => link_id);
        assert.deepEqual(first.sort(), byTheWords(route, messageClass, all));
        assert.equal(new Set(ranked.map(({ link_id }) => link_id)).size, all.length, 'no link is lost');
      },
    ),
    { numRuns: 5_000 },
  );
});

test('hours of a link may pass midnight, and their end is not included', () => {
  const day = { from_time: '08:00', until_time: '20:00' };
  const night = { from_time: '22:00', until_time: '06:00' };
  for (const [hours, clock, open] of [
    [day, '07:59', false],
    [day, '08:00', true],
    [day, '20:00', false],
    [night, '23:59', true],
    [night, '05:59', true],
    [night, '06:00', false],
    [{ from_time: null, until_time: null }, '12:00', true],
  ] as const)
    assert.equal(isOpen(hours, clock), open, `${hours.from_time} ${clock}`);
});

const quality = (link_id: number, rate: number, state: LinkQuality['state'] = 'good'): LinkQuality => ({
  ...{ link_id, network_id: 0, sender_kind: 'alphanumeric', messages: 1_000, rate, p50_ms: 1, p95_ms: 1, state },
});

/** Makes the routing of one route with links 1, 2, …, all healthy. */
function routingOf(route: Partial<Route>, rows: LinkQuality[], more: Partial<Routing> = {}): Routing {
  const links = [1, 2].map((link_id) => ({ link_id, position: link_id, weight: 1, from_time: null, until_time: null }));
  const state = { enabled: true, state: 'up' as const, since: null, for_ms: 0 };
  return {
    table: new RouteTable('v', [{ ...anyRoute, links, ...route }]),
    links: new Map(links.map(({ link_id }) => [link_id, { link_id, link_name: `L${link_id}`, ...state }])),
    ...{
      reseller_id: null,
      ported_by: null,
      limits: new Map(),
      clock: '12:00',
      quality: new QualityTable('q', rows),
      networks: null,
      costs: null,
    },
    ...more,
  };
}

const traffic = { corporation_id: 1, reseller_id: null, sender_id: 'Acme', class: 'bulk' as const };
const taken = (routing: Routing, count: number, of: typeof traffic = traffic) => {
  const got = new Map<number | null, number>();
  for (let i = 0; i < count; i++) {
    const find = rankedFinder(routing, of);
    const id = pickLink(routing, find(`6391700${i}`), of.class, 1, of);
    got.set(id, (got.get(id) ?? 0) + 1);
  }
  return Object.fromEntries(got);
};

test('a link on trial gets one of fifty messages, and a declined one none', () => {
  const route = { strategy: 'best_quality' as const };
  assert.deepEqual(taken(routingOf(route, [quality(1, 5_000, 'declined'), quality(2, 9_000)]), 500), { 2: 500 });
  assert.deepEqual(taken(routingOf(route, [quality(1, 5_000, 'trial'), quality(2, 9_000)]), 500), { 1: 10, 2: 490 });
  const codes = { ...traffic, class: 'otp' as const } as unknown as typeof traffic;
  assert.deepEqual(taken(routingOf(route, [quality(1, 5_000, 'trial'), quality(2, 9_000)]), 500, codes), { 2: 500 });
});

test('a route by position keeps a declined link unless it avoids those', () => {
  const rows = [quality(1, 5_000, 'declined'), quality(2, 9_000)];
  assert.deepEqual(taken(routingOf({}, rows), 100), { 1: 100 });
  assert.deepEqual(taken(routingOf({ avoid_declined: true }, rows), 100), { 2: 100 });
});

test('a commitment is filled first, and a link at its cap takes nothing', () => {
  const limits = new Map([[2, { room: null, owed: 10 }]]);
  assert.deepEqual(taken(routingOf({}, [], { limits }), 10), { 2: 10 });
  assert.deepEqual(taken(routingOf({}, [], { limits: new Map([[1, { room: 0, owed: 0 }]]) }), 10), { 2: 10 });
});

test('equal orders are one route, so that networks share their chunks', () => {
  const networks = { networkOf: (msisdn: string) => ({ id: Number(msisdn.at(-1)) }) as never };
  const find = rankedFinder(routingOf({ strategy: 'best_quality' }, [quality(1, 9_000)], { networks }), traffic);
  assert.equal(find('639170000001'), find('639170000002'));
});
