import { QUALITY_VERSION, QualityTable, qualityOfVersion } from '#modules/carrier-quality';
import { LOOKUPS_ENABLED, NETWORK_STAMP, type NetworkTable, networksOfStamp } from '#modules/networks';
import type { MessageClass } from '#platform/database/schema';
import { chooseLinks, type Limit, type LinkNow, linksOf } from './choose-links.ts';
import { type LinkCosts, readLinkCosts } from './costs-of-links.ts';
import { registeredRoute } from './ranked-routes.ts';
import { readRegistrations, type SentBy } from './registrations.ts';
import { type Route, RouteTable, type Traffic } from './route-table.ts';

/** Runs one statement and returns its rows. */
export type Read = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Data that decides where messages go, at one moment. */
export interface Routing {
  table: RouteTable;
  links: ReadonlyMap<number, LinkNow>;
  /** Reseller of the given corporation, or the corporation itself if it is one. */
  reseller_id: number | null;
  /** Stamp of the networks if lookups may say that a number was ported; null if none is asked. */
  ported_by: string | null;
  /** Links that have limits a day. */
  limits: Map<number, Limit>;
  /** Time of the platform's day, as `HH:MM`. */
  clock: string;
  /** Quality of links; empty if no route asks for it. */
  quality: QualityTable;
  /** Networks of numbers; null if no route asks for them. */
  networks: Pick<NetworkTable, 'networkOf'> | null;
  /** Costs of links; null if no route asks for them. */
  costs: Pick<LinkCosts, 'compared'> | null;
}

const READ_NOW = `
  SELECT (SELECT version::text FROM carrier_route_version) AS version, ${NETWORK_STAMP} AS networks, ${LOOKUPS_ENABLED} AS lookups,
    ${QUALITY_VERSION} AS quality, to_char(platform_now(), 'HH24:MI') AS clock,
    (SELECT coalesce(json_agg(l), '[]') FROM link_limits_now() l) AS limits,
    (SELECT CASE WHEN is_reseller THEN id ELSE reseller_id END FROM corporation WHERE id = $1) AS reseller_id,
    (SELECT coalesce(json_agg(json_build_object('link_id', link_id, 'link_name', link_name, 'enabled', enabled, 'state', state,
        'since', since, 'for_ms', extract(epoch FROM clock_timestamp() - since) * 1000)), '[]')
      FROM link_health_row WHERE for_tests = $2
        AND NOT (virtual AND EXISTS (SELECT FROM link o WHERE o.for_tests AND o.enabled AND NOT o.virtual))) AS links`;

// One statement reads both version and routes, so that they belong together.
const READ_ROUTES = `
  SELECT v.version::text AS version, r.id, r.name, r.corporation_id, r.reseller_id, r.sender_id, r.class, r.network_id, r.prefix, r.enabled, r.links,
    r.strategy, r.quality_floor, r.avoid_declined
  FROM carrier_route_version v LEFT JOIN all_carrier_routes() r ON true`;

/**
 * Maximum tables that are kept, the newest last. Transactions that began before a change still see the previous one.
 */
const KEPT_TABLES = 8;
const tables = new Map<string, RouteTable>();
const NO_ROUTES = new RouteTable('', []);

/**
 * Reads routes, links and their health as a transaction sees them now. The routes are read again only after a change,
 * which applies from the next message queued. Traffic of test keys has no routes and only test links, which no other
 * traffic takes: those of the operator, else the virtual carrier.
 */
export async function readRouting(
  read: Read,
  corporationId: number | null,
  { for_tests = false }: { for_tests?: boolean } = {},
): Promise<Routing> {
  const [now] = await read<Now>(READ_NOW, [corporationId, for_tests]);
  const { version, networks, reseller_id, clock } = now!;
  const table = for_tests ? NO_ROUTES : (tables.get(version + networks) ?? (await readTable(read, networks)));
  return {
    table,
    links: new Map(now!.links.map((link) => [link.link_id, link])),
    reseller_id,
    ported_by: now!.lookups && !for_tests ? networks : null,
    limits: new Map(for_tests ? [] : now!.limits.map(({ link_id, room, owed }) => [link_id, { room, owed }])),
    clock,
    quality: table.byQuality ? await qualityOfVersion(read, now!.quality) : NO_QUALITY,
    networks: table.networks,
    costs: table.byCost && table.networks ? await readLinkCosts(read, table.networks) : null,
  };
}

const NO_QUALITY = new QualityTable('', []);

interface Now {
  version: string;
  networks: string;
  lookups: boolean;
  quality: string;
  clock: string;
  limits: (Limit & { link_id: number })[];
  reseller_id: number | null;
  links: LinkNow[];
}

/** Returns whether a route goes by the quality or cost of its links. */
const isLearned = ({ strategy, avoid_declined }: Route): boolean => avoid_declined || strategy !== 'position';

async function readTable(read: Read, stamp: string): Promise<RouteTable> {
  const rows = await read<{ version: string } & (Route | { id: null })>(READ_ROUTES, []);
  const routes = rows.filter((row): row is { version: string } & Route => row.id !== null);
  // Read after the version: they are never older than it says.
  const registrations = await readRegistrations(read);
  const asked = registrations.nameNetworks || routes.some((route) => route.network_id !== null || isLearned(route));
  const networks = asked ? await networksOfStamp(read, stamp) : null;
  const table = new RouteTable(rows[0]!.version, routes, registrations, networks);
  tables.set(table.version + stamp, table);
  for (const oldest of tables.keys()) {
    if (tables.size <= KEPT_TABLES) break;
    tables.delete(oldest);
  }
  return table;
}

/**
 * Picks the link for the next `messages` of a route, or of none. Links of one position share by their weights. Returns
 * null if there is no link, if all ask for a registration that the sender ID does not have, or if their caps are reached.
 */
export function pickLink(
  routing: Pick<Routing, 'table' | 'links'> & Partial<Pick<Routing, 'limits'>>,
  route: Route | null,
  messageClass: MessageClass,
  messages: number,
  by: SentBy,
): number | null {
  const { table, links } = routing;
  const { links: choice } = chooseLinks(linksOf(routing, route, by), links, messageClass);
  const turns = table.turns(route?.id || null);
  const [first] = turns.order(choice.map(({ link_id }) => link_id));
  if (first === undefined) return null;
  turns.count(first, messages, choice.find(({ link_id }) => link_id === first)!.weight);
  return first;
}

/**
 * Returns why a sender ID has no link on a route, or on none: the code of the error that refuses its messages. A link
 * whose cap is reached is no way today.
 */
export const refusalOf = (
  routing: Pick<Routing, 'table' | 'links'> & Partial<Pick<Routing, 'limits'>>,
  route: Route | null,
): 'no_route' | 'sender_not_registered' =>
  linksOf(routing, route?.whole === undefined ? route : route.whole, null).some(({ link_id }) =>
    routing.links.has(link_id),
  )
    ? 'sender_not_registered'
    : 'no_route';

/**
 * Returns a function that tells which numbers have no link for a sender ID because it is not registered; null if no link
 * asks for a registration.
 */
export async function unregisteredNumbers(
  read: Read,
  traffic: Pick<Traffic, 'sender_id' | 'class'> & { corporation_id: number },
): Promise<((msisdn: string) => boolean) | null> {
  const routing = await readRouting(read, traffic.corporation_id);
  const { table, links, reseller_id } = routing;
  if (!table.registrations.asked) return null;
  const find = table.finder({ ...traffic, reseller_id });
  const isLimited = table.registrations.isLimited(traffic);
  const missing = new Map<Route | null, boolean>();
  const isMissing = (route: Route | null): boolean =>
    !linksOf(routing, route, traffic).some(({ link_id }) => links.has(link_id)) &&
    refusalOf(routing, route) === 'sender_not_registered';
  return (msisdn) => {
    const found = find(msisdn);
    const route = isLimited ? registeredRoute(routing, found, { ...traffic, msisdn }) : found;
    let known = missing.get(route);
    if (known === undefined) {
      known = isMissing(route);
      missing.set(route, known);
    }
    return known;
  };
}
