import { senderKind } from '@heliograph/contract/senders/sender-id';
import {
  chooseLinks,
  type LinkCosts,
  linksOf,
  type Route,
  type RouteLink,
  type Routing,
  readLinkCosts,
  routeOf,
} from '#modules/carrier-routes';
import { type NetworkTable, type Read, readNetworks } from '#modules/networks';
import type { MessageClass } from '#platform/database/schema';

/** Handling of messages that bring a loss. */
export type GuardMode = 'warn' | 'refuse';

/** Message whose margin is asked. */
export interface PricedMessage {
  corporation_id: number;
  sender_id: string;
  class: MessageClass;
  msisdn: string;
  /** Price of a part that the platform gets, in thousandths of the currency. */
  price: number;
  currency: string;
}

/** Margin of a part: what the platform gets, and what the carriers of the route are expected to take, in millionths. */
export interface Margin {
  link_id: number;
  /** Network of the number; 0 if it is not known. */
  network_id: number;
  currency: string;
  price: number;
  cost: number;
}

const THOUSANDTH = 1_000;
const SETTING = `SELECT value FROM global_configuration WHERE key = 'negative_margins' AND enabled`;

/** Prices against costs at one moment. Made for each message of programs and campaigns. */
export class MarginGuard {
  readonly mode: GuardMode;
  readonly networks: Pick<NetworkTable, 'networkOf'>;
  readonly #costs: Pick<LinkCosts, 'inCurrency'>;

  constructor(mode: GuardMode, costs: Pick<LinkCosts, 'inCurrency'>, networks: Pick<NetworkTable, 'networkOf'>) {
    this.mode = mode;
    this.#costs = costs;
    this.networks = networks;
  }

  /**
   * Returns the margin of a part over some links, which share messages by their weights. Links whose cost is unknown do not
   * count; null if no cost is known.
   */
  marginOver(links: readonly Pick<RouteLink, 'link_id' | 'weight'>[], message: PricedMessage): Margin | null {
    const { msisdn, class: of, currency } = message;
    const network_id = this.networks.networkOf(msisdn)?.id ?? 0;
    const sender_kind = senderKind(message.sender_id);
    let weights = 0;
    let sum = 0;
    for (const { link_id, weight } of links) {
      const cost = this.#costs.inCurrency({ link_id, msisdn, network_id, class: of, sender_kind }, currency);
      if (cost === null) continue;
      weights += weight;
      sum += weight * cost;
    }
    if (weights === 0) return null;
    // A loss of less than a millionth is a loss: it is rounded up.
    const cost = Math.ceil(sum / weights);
    return { link_id: links[0]!.link_id, network_id, currency, price: message.price * THOUSANDTH, cost };
  }

  /** Returns the margin of a part that leaves by a route, or by none, if it is a loss; null for every other. */
  lossOn(routing: Routing, route: Route | null, message: PricedMessage): Margin | null {
    const margin = this.marginOver(linksTaken(routing, route, message), message);
    return margin && margin.cost > margin.price ? margin : null;
  }
}

/**
 * Returns the links that share a message now, as its route orders them. `known` keeps them by route, for messages that
 * share everything except the number.
 */
export function linksTaken(
  routing: Routing,
  route: Route | null,
  message: PricedMessage,
  known?: Map<Route | null, readonly RouteLink[]>,
): readonly RouteLink[] {
  const ranked = routeOf(routing, route, message);
  const kept = known?.get(ranked);
  if (kept) return kept;
  const { links } = chooseLinks(linksOf(routing, ranked, message), routing.links, message.class);
  known?.set(ranked, links);
  return links;
}

/** Reads the guard; null if the operator switched it off, or no cost is known at all. */
export async function readMarginGuard(read: Read): Promise<MarginGuard | null> {
  const [setting] = await read<{ value: string }>(SETTING, []);
  const mode = setting?.value ?? 'warn';
  if (mode === 'off') return null;
  const networks = await readNetworks(read);
  const costs = await readLinkCosts(read, networks);
  return costs.isEmpty ? null : new MarginGuard(mode === 'refuse' ? 'refuse' : 'warn', costs, networks);
}
