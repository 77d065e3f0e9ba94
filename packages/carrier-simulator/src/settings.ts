import { HEALTHY, PROFILE_NAMES, PROFILES, type ProfileName } from './profile.ts';

/** Settings that can change while the simulator runs; PATCH /api/settings takes any part of them. */
export interface SimulatorSettings {
  /** The profile chosen last; a choice sets every setting that profiles set. */
  profile: ProfileName;
  /** Segments a second per system_id; more are refused with ESME_RTHROTTLED; 0 is unlimited. */
  rate: number;
  /** Time from the response to the receipt, in milliseconds. */
  receipt_delay_ms: number;
  /** Maximum random time added to receipt_delay_ms; it also changes the order of receipts. */
  receipt_jitter_ms: number;
  /** Time from a segment to its response, and a maximum random time added to it, in milliseconds; 0 is immediately. */
  response_delay_ms: number;
  response_jitter_ms: number;
  /** Maximum segments of one system_id with an open receipt; more are refused with ESME_RMSGQFUL; 0 is unlimited. */
  queue_limit: number;
  /** Maximum sessions of one system_id; more binds are refused with ESME_RALYBND; 0 is unlimited. */
  max_binds: number;
  /** True drops all sessions and leaves binds without an answer. */
  silent: boolean;
  /** Extra time of a late receipt. */
  late_receipt_ms: number;
  /** Base of the ids in submit_sm_resp and in receipts. */
  response_id_format: 'decimal' | 'hex';
  receipt_id_format: 'decimal' | 'hex';
  /** Content of receipts: TLVs, the Appendix B text, or both. */
  receipt_style: 'both' | 'text' | 'tlv';
  /**
   * Lies of the carrier. `false_receipts`: a share of messages is not sent, and reported as delivered. `early_receipts`:
   * that share is reported after 200 ms. `regular_receipts`: every receipt comes after exactly the delay.
   */
  liar: 'none' | 'false_receipts' | 'early_receipts' | 'regular_receipts';
  /** Share (0..1) of messages that the liar lies about. */
  liar_share: number;
  /** True gives magic numbers their special outcomes. */
  magic_numbers: boolean;
  /** Shares (0..1) of ordinary numbers that get each fault. */
  faults: {
    no_response: number;
    late_response: number;
    throttled: number;
    rejected: number;
    undeliverable: number;
    duplicate_receipt: number;
    no_receipt: number;
    /** Segments that are accepted before the session is dropped without a response. */
    dropped: number;
    /** Segments with an answer that a malformed PDU follows. */
    malformed: number;
  };
  /** Delay of a late response, in milliseconds. */
  late_response_ms: number;
  /** Passwords by system_id; an empty table accepts every bind. */
  accounts: Record<string, string>;
}

export const DEFAULT_SETTINGS: SimulatorSettings = {
  ...HEALTHY,
  profile: 'healthy',
  late_receipt_ms: 30_000,
  response_id_format: 'decimal',
  receipt_id_format: 'decimal',
  receipt_style: 'both',
  liar: 'none',
  liar_share: 1,
  magic_numbers: true,
  late_response_ms: 35_000,
  accounts: {},
};

/** Part of the settings; it may hold single faults. */
export type SettingsChange = Partial<Omit<SimulatorSettings, 'faults'>> & {
  faults?: Partial<SimulatorSettings['faults']>;
};

const DAY_MS = 86_400_000;
const CHOICES: Record<string, readonly string[]> = {
  profile: PROFILE_NAMES,
  response_id_format: ['decimal', 'hex'],
  receipt_id_format: ['decimal', 'hex'],
  receipt_style: ['both', 'text', 'tlv'],
  liar: ['none', 'false_receipts', 'early_receipts', 'regular_receipts'],
};

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown, max: number): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= max;

/** Returns the fault of a change that came from outside, as a sentence; undefined if there is none. */
export function settingsProblem(change: unknown): string | undefined {
  if (!isTable(change)) return 'Send the settings to change as a JSON object.';
  for (const [name, value] of Object.entries(change)) {
    if (!Object.hasOwn(DEFAULT_SETTINGS, name)) return `There is no setting “${name}”.`;
    if (Object.hasOwn(CHOICES, name)) {
      if (!CHOICES[name]!.includes(value as string)) return `“${name}” must be one of: ${CHOICES[name]!.join(', ')}.`;
    } else if (name === 'magic_numbers' || name === 'silent') {
      if (typeof value !== 'boolean') return `“${name}” must be true or false.`;
    } else if (name === 'accounts') {
      if (!isTable(value) || Object.values(value).some((password) => typeof password !== 'string')) {
        return '“accounts” must be an object of passwords by system_id.';
      }
    } else if (name === 'faults') {
      if (!isTable(value)) return '“faults” must be an object of shares.';
      for (const [fault, share] of Object.entries(value)) {
        if (!Object.hasOwn(DEFAULT_SETTINGS.faults, fault)) return `There is no fault “${fault}”.`;
        if (!isNumber(share, 1)) return `The share of “${fault}” must be between 0 and 1.`;
      }
    } else if (!isNumber(value, name === 'rate' ? 1_000_000 : DAY_MS)) {
      return `“${name}” must be a number from 0 to ${name === 'rate' ? '1,000,000' : '86,400,000'}.`;
    }
  }
  return undefined;
}

/** Returns the settings with a change applied: its profile first, then the settings that it names itself. */
export function withChange(settings: SimulatorSettings, change: SettingsChange): SimulatorSettings {
  const base = change.profile === undefined ? settings : { ...settings, ...PROFILES[change.profile] };
  return { ...base, ...change, faults: { ...base.faults, ...change.faults } };
}
