import { rateAt, SECONDS } from './day.ts';
import type { Demand, Plan } from './plan.ts';

/** Results of a simulated day. */
export interface Day {
  sent: number;
  left: number;
  most_waiting: number;
  /** Longest wait of a bulk message and of an urgent one, in seconds. */
  longest_wait: number;
  longest_urgent_wait: number;
  /** Share of the senders' capacity that was used in the busiest second. */
  busiest_sender: number;
}

/** Seconds until a dead sender is replaced. It dies at eleven, at the peak. */
const FAILOVER = 5;
const DIES_AT = 11 * 3_600;

type Random = () => number;

/** Makes a generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws a count with the given mean: with Knuth's method if it is small, from a normal distribution if it is large. */
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
  /** Bulk that came in each second and has not left, which shows how long the oldest of it has waited. */
  came: Float64Array;
  oldest: number;
}

/**
 * Simulates a day in steps of one second. Urgent messages come one by one, bulk as whole campaigns that are shared by
 * all links. Links are as fast as their contracts, binds as wide as their windows, and senders as fast as they are. One
 * of the senders dies at the peak, and the primary is away for `away` seconds an hour before.
 */
export function simulateDay(demand: Demand, plan: Plan, seed: number, away = 0): Day {
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
  // Routes with weights distribute campaigns over links, so each campaign has a part on every link.
  for (let second = 0; second < SECONDS; second++) {
    const rate = rateAt(second, demand.messages_a_day);
    const campaigns = poisson((rate * (1 - demand.urgent_share)) / demand.campaign, random) * demand.campaign;
    const dead = second >= DIES_AT && second < DIES_AT + FAILOVER ? 0 : -1;
    const senders = plan.senders - (second >= DIES_AT ? 1 : 0);
    const room = new Float64Array(plan.senders).fill(senderRate);
    const down = second >= DIES_AT - 3_600 && second < DIES_AT - 3_600 + away;
    let waiting = 0;
    for (const [at, lane] of lanes.entries()) {
      lane.urgent += poisson((rate * demand.urgent_share) / lanes.length, random);
      lane.bulk += campaigns / lanes.length;
      lane.came[second] = campaigns / lanes.length;
      const holder = at % plan.senders === 0 && second >= DIES_AT ? 1 + (at % senders) : at % plan.senders;
      // The number of windows answered in a second depends on the carrier's speed in that second.
      const latency = (demand.latency_ms / 1_000) * (0.8 + 0.4 * random());
      const windows = (plan.binds * demand.window) / latency / demand.parts;
      const can = down || at % plan.senders === dead ? 0 : Math.min(linkRate, windows, room[holder % plan.senders]!);
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
 * Returns the answers per second through windows of `slots` places, simulated message by message. Each place is taken
 * again as soon as its answer is there, which takes `latency` seconds, plus or minus one half.
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
