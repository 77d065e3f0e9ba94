import type { SimulatorSettings } from './settings.ts';

/** Settings that a profile sets; all others stay unchanged. */
type Governed = Pick<
  SimulatorSettings,
  | 'rate'
  | 'receipt_delay_ms'
  | 'receipt_jitter_ms'
  | 'response_delay_ms'
  | 'response_jitter_ms'
  | 'queue_limit'
  | 'max_binds'
  | 'silent'
  | 'faults'
>;

/** A carrier without a fault. */
export const HEALTHY: Governed = {
  rate: 0,
  receipt_delay_ms: 1_000,
  receipt_jitter_ms: 0,
  response_delay_ms: 0,
  response_jitter_ms: 0,
  queue_limit: 0,
  max_binds: 0,
  silent: false,
  faults: {
    no_response: 0,
    late_response: 0,
    throttled: 0,
    rejected: 0,
    undeliverable: 0,
    duplicate_receipt: 0,
    no_receipt: 0,
    dropped: 0,
    malformed: 0,
  },
};

const withFaults = (faults: Partial<Governed['faults']>): Governed => ({
  ...HEALTHY,
  faults: { ...HEALTHY.faults, ...faults },
});

/** Typical carriers by name. */
export const PROFILES = {
  healthy: HEALTHY,
  /** Answers after 0.5–2 s, receipts after 5–15 s. */
  slow: {
    ...HEALTHY,
    response_delay_ms: 500,
    response_jitter_ms: 1_500,
    receipt_delay_ms: 5_000,
    receipt_jitter_ms: 10_000,
  },
  /** Most faults now and then; a session is dropped from time to time. */
  flaky: {
    ...withFaults({
      no_response: 0.01,
      late_response: 0.01,
      throttled: 0.02,
      undeliverable: 0.02,
      duplicate_receipt: 0.02,
      no_receipt: 0.01,
      dropped: 0.0005,
    }),
    receipt_jitter_ms: 2_000,
  },
  /** Hard limit of 50 segments a second. */
  throttling: { ...HEALTHY, rate: 50 },
  /** Accepts connections, then never answers. */
  dead: { ...HEALTHY, silent: true },
  /** At most one bind, and at most 500 segments with an open receipt. */
  capped: { ...HEALTHY, queue_limit: 500, max_binds: 1 },
  /** About every twentieth answer is followed by a malformed PDU. Some of these break the framing. */
  malformed: withFaults({ malformed: 0.05 }),
} as const satisfies Record<string, Governed>;

export type ProfileName = keyof typeof PROFILES;

export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[];
