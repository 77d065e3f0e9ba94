import { carrierCard } from '@heliograph/contract/carrier-costs/carrier-card';
import type { carrierRouteLinks, explainCarrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { fromMillionths } from '@heliograph/contract/kernel/money';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { senderKind } from '@heliograph/contract/senders/sender-id';
import { CompiledQuery } from 'kysely';
import { QUALITY_VERSION, qualityOfVersion } from '#modules/carrier-quality';
import { readNetworks } from '#modules/networks';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePlatform } from '#platform/context';
import type { MessageClass } from '#platform/database/schema';
import { fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { chooseLinks, type LinkNow, linksOf, mayTake } from './choose-links.ts';
import { type LinkCosts, readLinkCosts } from './costs-of-links.ts';
import { reasonOf } from './rank-links.ts';
import { type Addressed, factsFor, rankedRoute } from './ranked-routes.ts';
import { type Read, type Routing, readRouting } from './read-routing.ts';
import type { Registrations } from './registrations.ts';
import { mismatch, type Route, type RouteLink, type Traffic } from './route-table.ts';

type Rules = ReplyOf<typeof explainCarrierRoute>['data']['rules'];

/** Number with its network. */
interface Numbered {
  msisdn: string;
  network: number | null;
}

/** Maximum rules that are shown; the one that applies is always among them. */
const SHOWN_RULES = 100;

const readBy =
  (ctx: Pick<Context, 'db'>): Read =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await ctx.db.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Row[];

/** Shows how a message would be routed, by the same tables that decide it. */
export const explainRoute: Handler<typeof explainCarrierRoute> = async (ctx, { query }) => {
  // The complete table is read, so only the platform's people may ask.
  requirePlatform(ctx.caller);
  const { corporation_id = null, sender_id, class: messageClass } = query;
  const { msisdn, fault } = checkNumber(query.number, await readNumberRules(ctx.db));
  if (fault) throw fieldError('number', fault);
  if (corporation_id !== null) await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
  const routing = await readRouting(readBy(ctx), corporation_id);
  const traffic: Traffic = {
    corporation_id,
    reseller_id: routing.reseller_id,
    sender_id: sender_id || null,
    class: messageClass,
  };
  const route = routing.table.finder(traffic)(msisdn);
  const networks = await readNetworks(readBy(ctx));
  const network = networks.networkOf(msisdn);
  // Shown also where no route goes by quality.
  const [known] = await readBy(ctx)<{ version: string }>(`SELECT ${QUALITY_VERSION} AS version`, []);
  const quality = await qualityOfVersion(readBy(ctx), known!.version);
  const mayCost = ctx.caller.permissions.has(carrierCard.permissions.show);
  const costs = mayCost ? await readLinkCosts(readBy(ctx), networks) : null;
  const rules = rulesTried(routing.table.routes, traffic, { msisdn, network: network?.id ?? null }, route);
  return {
    data: {
      number: msisdn,
      class: messageClass,
      network: network?.name ?? null,
      rules: rules.slice(0, SHOWN_RULES),
      rules_omitted: Math.max(0, rules.length - SHOWN_RULES),
      route: route && { id: route.id, name: route.name },
      ...linksNow({ ...routing, quality }, route, { ...traffic, msisdn, network: network?.id }, costs),
    },
  };
};

function rulesTried(routes: readonly Route[], traffic: Traffic, number: Numbered, chosen: Route | null): Rules {
  const rules = routes.map((route) => ({
    id: route.id,
    name: route.name,
    verdict: verdictOf(route, traffic, number, chosen),
  }));
  const at = rules.findIndex(({ verdict }) => verdict === 'chosen');
  if (at >= SHOWN_RULES) rules.splice(SHOWN_RULES - 1, 0, ...rules.splice(at, 1));
  return rules;
}

function verdictOf(
  route: Route,
  traffic: Traffic,
  { msisdn, network }: Numbered,
  chosen: Route | null,
): Rules[number]['verdict'] {
  if (route === chosen) return 'chosen';
  if (!route.enabled) return 'disabled';
  const missed = mismatch(route, traffic);
  if (missed) return missed;
  if (route.network_id !== null && route.network_id !== network) return 'network';
  return msisdn.startsWith(route.prefix) ? 'less_specific' : 'prefix';
}

function linksNow(routing: Routing, route: Route | null, message: Traffic & Addressed, costs: LinkCosts | null) {
  const { links, table, limits } = routing;
  const sender_kind = senderKind(message.sender_id ?? '');
  // Without a corporation and a sender ID nobody can say who is registered.
  const by = message.corporation_id !== null && message.sender_id !== null ? message : null;
  const ranked = route && rankedRoute(routing, route, message);
  const knows = ({ link_id }: RouteLink) => !by || table.registrations.allows(link_id, by, message.network ?? 0);
  const orders = new Map(ranked?.links.map(({ link_id, position }) => [link_id, position]));
  const factsOf = factsFor(routing, message);
  const { links: choice, waits } = chooseLinks(linksOf(routing, ranked, by).filter(knows), links, message.class);
  const whole = choice.reduce((sum, { weight }) => sum + weight, 0);
  return {
    waits: choice.length > 0 && waits,
    links: linksOf({ table, links }, route, null).flatMap((link) => {
      const now = links.get(link.link_id);
      if (!now) return [];
      const share = choice.some(({ link_id }) => link_id === link.link_id) ? (100 * link.weight) / whole : 0;
      const registration = registrationOf(table.registrations, link.link_id, by, message.network ?? 0);
      const facts = factsOf(link);
      const order = orders.get(link.link_id) ?? link.position;
      const isFull = limits.get(link.link_id)?.room === 0;
      const why = isFull ? ('cap' as const) : route ? reasonOf(route, message.class, facts) : ('position' as const);
      const asked = { ...message, link_id: link.link_id, network_id: message.network ?? 0, sender_kind };
      const unit = costs?.unit(asked);
      const cost = unit ? `${fromMillionths(unit.amount)} ${unit.currency}` : null;
      const quality = { rate: facts.quality && facts.quality.rate / 10_000, p95_ms: facts.quality?.p95_ms ?? null };
      return [
        {
          ...shown(now),
          position: link.position,
          weight: link.weight,
          share,
          registration,
          order,
          why,
          cost,
          ...quality,
        },
      ];
    }),
  };
}

function registrationOf(registrations: Registrations, linkId: number, by: Traffic | null, network: number) {
  if (!registrations.asks(linkId)) return null;
  if (!by) return 'asked' as const;
  return registrations.allows(linkId, by, network) ? ('registered' as const) : ('missing' as const);
}

const shown = ({ link_id, link_name, state, since }: LinkNow) => ({ link_id, link_name, state, since });

const READ_WAITING = `
  SELECT link_id, class, carrier_route_id, sum(waiting) AS waiting FROM (
    SELECT k.link_id, k.class, k.carrier_route_id, sum(k.size - k.cursor) AS waiting
    FROM chunk k LEFT JOIN campaign c ON c.id = k.campaign_id
    WHERE k.state = 'open' AND (k.campaign_id IS NULL OR c.state = 'running') AND (k.not_before IS NULL OR k.not_before <= now())
    GROUP BY 1, 2, 3
    UNION ALL
    SELECT r.link_id, r.class, k.carrier_route_id, count(*) FROM retry r JOIN chunk k ON k.id = r.message_id >> 10 GROUP BY 1, 2, 3
  ) w GROUP BY 1, 2, 3`;

/** Lists every link with its health, its waiting messages and those that cannot go elsewhere. */
export const linksWithWaiting: Handler<typeof carrierRouteLinks> = async (ctx) => {
  requirePlatform(ctx.caller);
  const read = readBy(ctx);
  const routing = await readRouting(read, null);
  const { table, links } = routing;
  const rows = await read<{ link_id: number; class: MessageClass; carrier_route_id: number | null; waiting: string }>(
    READ_WAITING,
    [],
  );
  const waiting = new Map<number, { waiting: number; stuck: number }>();
  for (const row of rows) {
    const sum = waiting.get(row.link_id) ?? { waiting: 0, stuck: 0 };
    sum.waiting += Number(row.waiting);
    if (isStuck(row)) sum.stuck += Number(row.waiting);
    waiting.set(row.link_id, sum);
  }
  const data = [...links.values()]
    .sort((a, b) => a.link_name.localeCompare(b.link_name))
    .map((link) => ({ ...shown(link), ...(waiting.get(link.link_id) ?? { waiting: 0, stuck: 0 }) }));
  return { data };

  function isStuck(row: (typeof rows)[number]): boolean {
    const link = links.get(row.link_id);
    if (link && mayTake(link, row.class)) return false;
    const route = row.carrier_route_id === null ? null : table.byId(row.carrier_route_id);
    const allowed =
      route === undefined ? [{ link_id: row.link_id, position: 1, weight: 1 }] : linksOf(routing, route, null);
    return chooseLinks(allowed, links, row.class).waits;
  }
};
