import { backlogOf, peakRate, SECONDS } from './day.ts';
import { FIGURES } from './figures.ts';

/** What is asked of an installation. */
export interface Demand {
  messages_a_day: number;
  /** Parts a message has on average: carriers count these. */
  parts: number;
  /** How long bulk may wait behind the peak, in seconds. */
  wait: number;
  /** Share of messages that are urgent and go before all bulk; messages of a usual campaign, which come all at once. */
  urgent_share: number;
  campaign: number;
  /** What a link's contract allows, in parts a second; how long its carrier takes to answer, in ms; window of a bind. */
  link_rate: number;
  latency_ms: number;
  window: number;
  /** Share of messages that programs hand in one by one over HTTP; the rest comes as campaigns, batches or over SMPP. */
  api_share: number;
  /** Days for which messages are kept. */
  kept_days: number;
  /** Share of what was measured that is planned with: the rest is for faults, vacuum, reports and growth. */
  headroom: number;
  /** Messages a second of one PostgreSQL and of one sender, where one's own machines were measured. */
  primary_a_second: number;
  sender_a_second: number;
}

export const USUAL: Demand = {
  messages_a_day: 1_000_000,
  parts: 1.2,
  wait: 600,
  urgent_share: 0.1,
  campaign: 20_000,
  link_rate: 1_000,
  latency_ms: 80,
  window: 50,
  api_share: 0.1,
  kept_days: 90,
  headroom: 0.6,
  primary_a_second: FIGURES.pipeline_a_second.value,
  sender_a_second: FIGURES.pipeline_a_second.value,
};

/** What it takes. Rates are a second; cores and clusters are of all machines together. */
export interface Plan {
  mean: number;
  peak: number;
  /** What must leave a second, so that nobody waits longer than allowed. */
  needed: number;
  /** That wait at the peak of a usual day, and of the worst of twenty. */
  usually_waiting: number;
  most_waiting: number;
  longest_wait: number;
  links: number;
  /** Parts that are under way to one carrier and not yet answered. */
  in_flight: number;
  binds: number;
  /** One more than it takes, for the one that fails. */
  senders: number;
  clusters: number;
  cores: { sender: number; postgres: number; worker: number; api: number };
  wal_a_second: number;
  disk_a_day: number;
  disk_kept: number;
}

const CALLBACKS_A_MESSAGE = 1;

/** How many wait and how long where `rate` leaves a second. Campaigns come by chance: two deviations of that are allowed for. */
function waitingAt(demand: Demand, rate: number): { usual: number; most: number; wait: number } {
  const { messages_a_day, campaign, urgent_share } = demand;
  const { most, crowd } = backlogOf(messages_a_day, rate);
  const worst = most + 2 * campaign * Math.max(1, Math.sqrt(crowd / campaign));
  // What is urgent goes first, so bulk has the rest.
  return { usual: most, most: worst, wait: worst / (rate - urgent_share * peakRate(messages_a_day)) };
}

/** The least rate, in messages a second, at which bulk waits no longer than it may. */
function neededRate(demand: Demand): number {
  const peak = peakRate(demand.messages_a_day);
  let low = Math.max(demand.messages_a_day / SECONDS, 1.01 * demand.urgent_share * peak);
  let high = peak + (2 * demand.campaign) / demand.wait;
  while (high - low > high / 10_000) {
    const rate = (low + high) / 2;
    if (waitingAt(demand, rate).wait > demand.wait) low = rate;
    else high = rate;
  }
  return high;
}

/** The plan for a demand: a model on paper, whose figures bench/RESULTS.md has and whose queues a simulated day confirms. */
export function planFor(demand: Demand): Plan {
  const { messages_a_day, parts, headroom } = demand;
  const needed = neededRate(demand);
  const waiting = waitingAt(demand, needed);
  const links = Math.max(1, Math.ceil((needed * parts) / demand.link_rate));
  // Little's law: what is under way is the rate times the time each takes.
  const in_flight = demand.link_rate * (demand.latency_ms / 1_000);
  const core = (us: number, rate: number) => (us * rate) / 1e6 / headroom;
  const peak = peakRate(messages_a_day);
  return {
    mean: messages_a_day / SECONDS,
    peak,
    needed,
    usually_waiting: waiting.usual,
    most_waiting: waiting.most,
    longest_wait: waiting.wait,
    links,
    in_flight,
    binds: Math.max(1, Math.ceil(in_flight / demand.window)),
    senders: Math.ceil(needed / (demand.sender_a_second * headroom)) + 1,
    clusters: Math.ceil(needed / (demand.primary_a_second * headroom)),
    cores: {
      sender: core(FIGURES.sender_us.value, needed),
      postgres: core(FIGURES.postgres_sending_us.value, needed) + core(FIGURES.postgres_preparing_us.value, peak),
      worker:
        core(FIGURES.worker_preparing_us.value, peak) + core(FIGURES.callback_us.value, needed * CALLBACKS_A_MESSAGE),
      api: (2 * peak * demand.api_share) / FIGURES.api_a_second.value / headroom,
    },
    wal_a_second: needed * FIGURES.wal_octets.value,
    disk_a_day: messages_a_day * FIGURES.disk_octets.value,
    disk_kept: messages_a_day * FIGURES.disk_octets.value * demand.kept_days,
  };
}
