import { linksOf } from './choose-links.ts';
import { type Read, readRouting, refusalOf } from './read-routing.ts';
import type { Route, Traffic } from './route-table.ts';

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
