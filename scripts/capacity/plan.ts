import { backlogOf, peakRate, SECONDS } from './day.ts';
import { type Disk, diskOf } from './disk.ts';
import { FIGURES, MEASURED_CORES, WAL_OCTETS } from './figures.ts';

/** Requirements of an installation. */
export interface Demand {
  messages_a_day: number;
  /** Average number of parts of a message, because carriers count parts. */
  parts: number;
  /** Longest time that bulk may wait behind the peak, in seconds. */
  wait: number;
  /** Share of urgent messages, which go before all bulk; messages of a usual campaign, which all come together. */
  urgent_share: number;
  campaign: number;
  /** Parts per second that a link's contract allows; response time of its carrier, in ms; window of a bind. */
  link_rate: number;
  latency_ms: number;
  window: number;
  /** Share of messages that programs submit one by one over HTTP; the rest comes as campaigns, batches or over SMPP. */
  api_share: number;
  /** Share of messages that programs submit over SMPP. */
  smpp_share: number;
  /** Share of messages that come alone or a few at a time, so that each has rows of its own in the ledger. */
  small_share: number;
  /** Number of days for which messages are kept. */
  kept_days: number;
  /** Share of the measured capacity to plan with: the rest is for faults, vacuum, reports and growth. */
  headroom: number;
  /** Messages per second of one PostgreSQL and of one sender, if your own machines were measured. */
  primary_a_second: number;
  sender_a_second: number;
  /** Price of a core with its memory, and of a terabyte, a month. They are examples, in any currency. */
  core_month: number;
  terabyte_month: number;
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
  smpp_share: 0.1,
  small_share: 0.1,
  kept_days: 90,
  headroom: 0.6,
  primary_a_second: FIGURES.pipeline_a_second,
  sender_a_second: FIGURES.pipeline_a_second,
  core_month: 15,
  terabyte_month: 40,
};

/** Needs of an installation. Rates are per second; cores and clusters are the total of all machines. */
export interface Plan extends Disk {
  mean: number;
  peak: number;
  /** Messages that must leave per second, so that none waits longer than allowed. */
  needed: number;
  /** Messages that wait at the peak of a usual day, and of the worst day in twenty. */
  usually_waiting: number;
  most_waiting: number;
  longest_wait: number;
  links: number;
  /** Parts that are with one carrier and have no answer yet. */
  in_flight: number;
  binds: number;
  /** One more than needed, for the one that fails. */
  senders: number;
  clusters: number;
  cores: { sender: number; postgres: number; worker: number; api: number; smpp: number };
  wal_a_second: number;
}

const CALLBACKS_A_MESSAGE = 1;

/**
 * Returns how many messages wait, and how long, if `rate` leave per second. Campaigns come at random, so two standard
 * deviations of them are allowed for.
 */
function waitingAt(demand: Demand, rate: number): { usual: number; most: number; wait: number } {
  const { messages_a_day, campaign, urgent_share } = demand;
  const { most, crowd } = backlogOf(messages_a_day, rate);
  const worst = most + 2 * campaign * Math.max(1, Math.sqrt(crowd / campaign));
  // Urgent messages go first, so bulk has the rest.
  return { usual: most, most: worst, wait: worst / (rate - urgent_share * peakRate(messages_a_day)) };
}

/** Finds the lowest rate, in messages per second, at which bulk waits no longer than it may. */
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

/**
 * Plans for a demand, by a calculated model. Its figures are from bench/RESULTS.md, and a simulated day confirms its
 * queues.
 */
export function planFor(demand: Demand): Plan {
  const { messages_a_day, parts, headroom } = demand;
  const needed = neededRate(demand);
  const waiting = waitingAt(demand, needed);
  const links = Math.max(1, Math.ceil((needed * parts) / demand.link_rate));
  // Little's law: the number in progress is the rate times the time that each takes.
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
      sender: core(FIGURES.sender_us, needed),
      postgres: core(FIGURES.postgres_sending_us, needed) + core(FIGURES.postgres_preparing_us, peak),
      worker:
        core(FIGURES.worker_preparing_us, peak) + core(1e6 / FIGURES.callbacks_a_second, needed * CALLBACKS_A_MESSAGE),
      api: (MEASURED_CORES * peak * demand.api_share) / FIGURES.api_a_second / headroom,
      smpp: core(FIGURES.smpp_server_us, peak * demand.smpp_share),
    },
    wal_a_second: needed * WAL_OCTETS,
    ...diskOf(demand),
  };
}
