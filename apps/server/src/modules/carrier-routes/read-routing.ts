import type { MessageClass } from '#platform/database/schema';
import { chooseLinks, type LinkNow, linksOf } from './choose-links.ts';
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
}

const READ_NOW = `
  SELECT (SELECT version::text FROM carrier_route_version) AS version,
    (SELECT CASE WHEN is_reseller THEN id ELSE reseller_id END FROM corporation WHERE id = $1) AS reseller_id,
    (SELECT coalesce(json_agg(json_build_object('link_id', link_id, 'link_name', link_name, 'enabled', enabled, 'state', state,
        'since', since, 'for_ms', extract(epoch FROM clock_timestamp() - since) * 1000)), '[]')
      FROM link_health_row WHERE for_tests = $2) AS links`;

// One statement reads both version and routes, so that they belong together.
const READ_ROUTES = `
  SELECT v.version::text AS version, r.id, r.name, r.corporation_id, r.reseller_id, r.sender_id, r.class, r.prefix, r.enabled, r.links
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
 * traffic takes.
 */
export async function readRouting(
  read: Read,
  corporationId: number | null,
  { for_tests = false }: { for_tests?: boolean } = {},
): Promise<Routing> {
  const [now] = await read<{ version: string; reseller_id: number | null; links: LinkNow[] }>(READ_NOW, [
    corporationId,
    for_tests,
  ]);
  const table = for_tests ? NO_ROUTES : (tables.get(now!.version) ?? (await readTable(read)));
  return { table, links: new Map(now!.links.map((link) => [link.link_id, link])), reseller_id: now!.reseller_id };
}

async function readTable(read: Read): Promise<RouteTable> {
  const rows = await read<{ version: string } & (Route | { id: null })>(READ_ROUTES, []);
  const routes = rows.filter((row): row is { version: string } & Route => row.id !== null);
  // Read after the version: they are never older than it says.
  const table = new RouteTable(rows[0]!.version, routes, await readRegistrations(read));
  tables.set(table.version, table);
  for (const oldest of tables.keys()) {
    if (tables.size <= KEPT_TABLES) break;
    tables.delete(oldest);
  }
  return table;
}

/**
 * Picks the link for the next `messages` of a route, or of none. Links of one position share by their weights. Returns
 * null if there is no link, or if all ask for a registration that the sender ID does not have.
 */
export function pickLink(
  routing: Pick<Routing, 'table' | 'links'>,
  route: Route | null,
  messageClass: MessageClass,
  messages: number,
  by: SentBy,
): number | null {
  const { table, links } = routing;
  const { links: choice } = chooseLinks(linksOf(routing, route, by), links, messageClass);
  const turns = table.turns(route?.id ?? null);
  const [first] = turns.order(choice.map(({ link_id }) => link_id));
  if (first === undefined) return null;
  turns.count(first, messages, choice.find(({ link_id }) => link_id === first)!.weight);
  return first;
}

/** Returns why a sender ID has no link on a route, or on none: the code of the error that refuses its messages. */
export const refusalOf = (
  routing: Pick<Routing, 'table' | 'links'>,
  route: Route | null,
): 'no_route' | 'sender_not_registered' =>
  linksOf(routing, route, null).some(({ link_id }) => routing.links.has(link_id))
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
  const missing = new Map<Route | null, boolean>();
  const isMissing = (route: Route | null): boolean =>
    !linksOf(routing, route, traffic).some(({ link_id }) => links.has(link_id)) &&
    refusalOf(routing, route) === 'sender_not_registered';
  return (msisdn) => {
    const route = find(msisdn);
    let known = missing.get(route);
    if (known === undefined) {
      known = isMissing(route);
      missing.set(route, known);
    }
    return known;
  };
}
