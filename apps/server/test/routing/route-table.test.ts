import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseLinks, type LinkHealthState, type LinkNow } from '../../src/modules/carrier-routes/choose-links.ts';
import { pickLink } from '../../src/modules/carrier-routes/read-routing.ts';
import { type Route, RouteTable, type Traffic } from '../../src/modules/carrier-routes/route-table.ts';
import { FairTurns } from '../../src/platform/structures/fair-turns.ts';

// Each condition has few values, so that conditions match often.
const corporation = fc.constantFrom(1, 2, 3);
const reseller = fc.constantFrom(8, 9);
const sender = fc.constantFrom('Acme', 'Bank');
const messageClass = fc.constantFrom('otp', 'transactional', 'bulk');
const digits = fc.stringMatching(/^[12]{0,6}$/);

const route = fc.record({
  whose: fc.oneof(
    fc.record({ corporation_id: corporation, reseller_id: fc.constant(null) }),
    fc.record({ corporation_id: fc.constant(null), reseller_id: reseller }),
    fc.constant({ corporation_id: null, reseller_id: null }),
  ),
  sender_id: fc.option(sender),
  class: fc.option(messageClass),
  network_id: fc.option(fc.constantFrom(4, 5)),
  prefix: digits,
  enabled: fc.boolean(),
});
const routes = fc
  .uniqueArray(route, { maxLength: 40, selector: ({ enabled, ...conditions }) => JSON.stringify(conditions) })
  .map((made) =>
    made.map(
      ({ whose, ...rest }, i): Route => ({ ...anyRoute, id: i + 1, name: `R${i}`, ...whose, ...rest, links: [] }),
    ),
  );
const traffic: fc.Arbitrary<Traffic> = fc.record({
  corporation_id: corporation,
  reseller_id: fc.option(reseller),
  sender_id: sender,
  class: messageClass,
});

const network = (id: number) => ({ id, name: '', country: '', mcc: null, mnc: null, other_codes: [], enabled: true });
/** Numbers of three networks, one of which no route names. */
const networkOf = (msisdn: string) =>
  msisdn.startsWith('3') ? null : network(msisdn.startsWith('11') ? 4 : msisdn.startsWith('1') ? 5 : 6);

/** Finds the route by the rule as documented: one condition after the other narrows the choice. */
function byTheWords(all: readonly Route[], of: Traffic, msisdn: string): Route | null {
  let fitting = all.filter(
    (r) =>
      r.enabled &&
      [null, of.corporation_id].includes(r.corporation_id) &&
      [null, of.reseller_id].includes(r.reseller_id) &&
      [null, of.sender_id].includes(r.sender_id) &&
      [null, of.class].includes(r.class) &&
      [null, networkOf(msisdn)?.id].includes(r.network_id) &&
      msisdn.startsWith(r.prefix),
  );
  for (const asks of [
    (r: Route) => r.corporation_id !== null,
    (r: Route) => r.reseller_id !== null,
    (r: Route) => r.sender_id !== null,
    (r: Route) => r.class !== null,
    (r: Route) => r.network_id !== null,
  ]) {
    if (fitting.some(asks)) fitting = fitting.filter(asks);
  }
  return fitting.sort((a, b) => b.prefix.length - a.prefix.length)[0] ?? null;
}

test('the route of a number follows the rule of precedence, for any routes', () => {
  fc.assert(
    fc.property(
      routes,
      traffic,
      fc.array(fc.stringMatching(/^[123]{1,9}$/), { minLength: 5, maxLength: 5 }),
      (all, of, numbers) => {
        const finder = new RouteTable('v', all, undefined, { networkOf }).finder(of);
        for (const number of numbers) assert.equal(finder(number)?.id, byTheWords(all, of, number)?.id);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('the network that a lookup said decides, not that of the prefix', () => {
  const ported: Route = { ...anyRoute, id: 7, network_id: 5 };
  const finder = new RouteTable('v', [ported], undefined, { networkOf }).finder({
    corporation_id: 1,
    reseller_id: null,
    sender_id: 'A',
    class: 'bulk',
  });
  assert.deepEqual([finder('112'), finder('112', 5)?.id, finder('12')?.id, finder('12', null)], [null, 7, 7, null]);
});

const healthy: LinkHealthState = 'up';
const link = (link_id: number, state: LinkHealthState = healthy, for_ms = 60_000): LinkNow => ({
  link_id,
  link_name: `L${link_id}`,
  enabled: state !== 'disabled' && state !== 'draining',
  state,
  since: null,
  for_ms,
});
const linksOf = (...each: LinkNow[]) => new Map(each.map((one) => [one.link_id, one]));

test('links of one position share messages by weight, whatever the chunk sizes', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 5 });
  const sizes = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(weights, sizes, (shares, chunks) => {
      const links = shares.map((weight, i) => ({ link_id: i + 1, position: 1, weight }));
      const only: Route = { ...anyRoute, links };
      const table = new RouteTable('v', [only]);
      const now = linksOf(...links.map(({ link_id }) => link(link_id)));
      const got = new Map<number, number>();
      for (const size of chunks) {
        const id = pickLink({ table, links: now }, only, 'bulk', size, { corporation_id: 1, sender_id: 'Acme' })!;
        got.set(id, (got.get(id) ?? 0) + size);
      }
      // The shares of two links, each divided by its weight, differ by at most one chunk divided by its weight.
      const had = links.map(({ link_id, weight }) => (got.get(link_id) ?? 0) / weight);
      for (const [i, { weight }] of links.entries()) {
        assert.ok(had[i]! - Math.min(...had) <= Math.max(...chunks) / weight + 1e-6, JSON.stringify([shares, had]));
      }
    }),
    { numRuns: 300 },
  );
});

const anyRoute: Route = {
  id: 1,
  name: 'Any',
  corporation_id: null,
  reseller_id: null,
  sender_id: null,
  class: null,
  network_id: null,
  prefix: '',
  enabled: true,
  strategy: 'position',
  quality_floor: null,
  avoid_declined: false,
  links: [],
};
const two = [
  { link_id: 1, position: 1, weight: 1 },
  { link_id: 2, position: 2, weight: 1 },
];
const chosen = (choice: { links: { link_id: number }[]; waits: boolean }) => [
  choice.links.map(({ link_id }) => link_id),
  choice.waits,
];

test('a link that is unhealthy for longer than its class waits is replaced by the next', () => {
  for (const state of ['down', 'connecting', 'throttled', 'failing'] as const) {
    for (const [ms, otp, bulk] of [
      [500, 1, 1],
      [2_000, 2, 1],
      [6_000, 2, 2],
    ] as const) {
      const now = linksOf(link(1, state, ms), link(2));
      assert.deepEqual(chosen(chooseLinks(two, now, 'otp')), [[otp], false], `${state} ${ms}`);
      assert.deepEqual(chosen(chooseLinks(two, now, 'bulk')), [[bulk], false], `${state} ${ms}`);
    }
  }
  for (const state of ['unattended', 'draining', 'disabled'] as const) {
    assert.deepEqual(chosen(chooseLinks(two, linksOf(link(1, state, 0), link(2)), 'bulk')), [[2], false], state);
  }
});

test('with all links unhealthy messages wait, on an enabled link if there is one', () => {
  assert.deepEqual(chosen(chooseLinks(two, linksOf(link(1, 'disabled'), link(2, 'down')), 'otp')), [[2], true]);
  assert.deepEqual(chosen(chooseLinks(two, linksOf(link(1, 'down'), link(2, 'down')), 'otp')), [[1], true]);
  assert.deepEqual(chosen(chooseLinks(two, linksOf(link(1, 'disabled'), link(2, 'disabled')), 'otp')), [[1], true]);
  assert.deepEqual(chosen(chooseLinks(two, linksOf(), 'otp')), [[], true]);
});

test('a finder over 100,000 prefixes finds the route of a number', () => {
  const many = Array.from(
    { length: 100_000 },
    (_, i): Route => ({ ...anyRoute, id: i + 1, prefix: String(630_000_000 + i) }),
  );
  const finder = new RouteTable('v', many).finder({
    corporation_id: 1,
    reseller_id: null,
    sender_id: 'A',
    class: 'bulk',
  });
  assert.equal(finder('630012345999')?.id, 12_346);
  assert.equal(finder('639170000001'), null);
  assert.equal(finder('63'), null);
});

test('a pause brings no advantage, and nobody is behind by more than a turn', () => {
  const turns = new FairTurns<string>();
  const run = (keys: string[], times: number) => {
    const got: Record<string, number> = {};
    for (let i = 0; i < times; i++) {
      const [first] = turns.order(keys);
      turns.count(first!, 1);
      got[first!] = (got[first!] ?? 0) + 1;
    }
    return got;
  };
  assert.deepEqual(run(['a', 'b'], 100), { a: 50, b: 50 });
  assert.deepEqual(run(['a'], 100), { a: 100 });
  const after = run(['a', 'b'], 100);
  assert.ok(Math.abs(after['a']! - after['b']!) <= 2, JSON.stringify(after));
});
