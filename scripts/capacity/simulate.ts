import { rateAt, SECONDS } from './day.ts';
import type { Demand, Plan } from './plan.ts';

/** What a simulated day showed. */
export interface Day {
  sent: number;
  left: number;
  most_waiting: number;
  /** The longest that a bulk message and an urgent one waited, in seconds. */
  longest_wait: number;
  longest_urgent_wait: number;
  /** Share of the senders' capacity that was used in the busiest second. */
  busiest_sender: number;
}

/** A sender that dies is replaced within these seconds; it dies at eleven, at the peak. */
const FAILOVER = 5;
const DIES_AT = 11 * 3_600;

type Random = () => number;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A count whose mean is given: by Knuth's way where it is small, as a bell where it is large. */
function poisson(mean: number, random: Random): number {
  if (mean > 50) {
    const bell = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * bell));
  }
  let count = -1;
  for (let product = 1; product > Math.exp(-mean); count++) product *= random();
  return count;
}

interface Lane {
  urgent: number;
  bulk: number;
  /** Bulk that came and bulk that left, by second, to tell how long the first of those that wait has waited. */
  came: Float64Array;
  oldest: number;
}

/**
 * A day in steps of a second: urgent messages one by one, bulk as whole campaigns, each for one link; links as fast as
 * their contracts, binds as wide as their windows, senders as fast as they are, and one of them dies at the peak.
 */
export function simulateDay(demand: Demand, plan: Plan, seed: number): Day {
  const random = seeded(seed);
  const lanes: Lane[] = Array.from({ length: plan.links }, () => ({
    urgent: 0,
    bulk: 0,
    came: new Float64Array(SECONDS),
    oldest: 0,
  }));
  const day: Day = { sent: 0, left: 0, most_waiting: 0, longest_wait: 0, longest_urgent_wait: 0, busiest_sender: 0 };
  const linkRate = demand.link_rate / demand.parts;
  const senderRate = demand.sender_a_second * demand.headroom;
  // Campaigns are shared out over links by routes with weights: each has a part on every link.
  for (let second = 0; second < SECONDS; second++) {
    const rate = rateAt(second, demand.messages_a_day);
    const campaigns = poisson((rate * (1 - demand.urgent_share)) / demand.campaign, random) * demand.campaign;
    const dead = second >= DIES_AT && second < DIES_AT + FAILOVER ? 0 : -1;
    const senders = plan.senders - (second >= DIES_AT ? 1 : 0);
    const room = new Float64Array(plan.senders).fill(senderRate);
    let waiting = 0;
    for (const [at, lane] of lanes.entries()) {
      lane.urgent += poisson((rate * demand.urgent_share) / lanes.length, random);
      lane.bulk += campaigns / lanes.length;
      lane.came[second] = campaigns / lanes.length;
      const holder = at % plan.senders === 0 && second >= DIES_AT ? 1 + (at % senders) : at % plan.senders;
      // How many windows' worth of answers come in a second depends on how quick the carrier is in it.
      const latency = (demand.latency_ms / 1_000) * (0.8 + 0.4 * random());
      const windows = (plan.binds * demand.window) / latency / demand.parts;
      const can = at % plan.senders === dead ? 0 : Math.min(linkRate, windows, room[holder % plan.senders]!);
      const urgent = Math.min(lane.urgent, can);
      const bulk = Math.min(lane.bulk, can - urgent);
      lane.urgent -= urgent;
      lane.bulk -= bulk;
      room[holder % plan.senders]! -= urgent + bulk;
      day.sent += urgent + bulk;
      for (let gone = bulk; gone > 0 && lane.oldest <= second; ) {
        const taken = Math.min(gone, lane.came[lane.oldest]!);
        lane.came[lane.oldest]! -= taken;
        gone -= taken;
        if (lane.came[lane.oldest]! > 1e-6) break;
        lane.oldest++;
      }
      if (lane.bulk > 1) day.longest_wait = Math.max(day.longest_wait, second - lane.oldest);
      if (lane.urgent > 0) day.longest_urgent_wait = Math.max(day.longest_urgent_wait, lane.urgent / linkRate);
      waiting += lane.urgent + lane.bulk;
    }
    day.most_waiting = Math.max(day.most_waiting, waiting);
    day.busiest_sender = Math.max(day.busiest_sender, 1 - Math.min(...room) / senderRate);
  }
  day.left = lanes.reduce((sum, lane) => sum + lane.urgent + lane.bulk, 0);
  return day;
}

/**
 * Answers a second through windows of `slots` places, message by message: each place is taken again as soon as its answer,
 * which takes `latency` seconds give or take a half, is there.
 */
export function simulateWindow(slots: number, latency: number, random: Random): number {
  const seconds = 20;
  let answered = 0;
  for (let slot = 0; slot < slots; slot++)
    for (let now = 0; ; answered++) {
      now += latency * (0.5 + random());
      if (now > seconds) break;
    }
  return answered / seconds;
}
