import { HEALTHY, PROFILE_NAMES, PROFILES, type ProfileName } from './profile.ts';

/** What can be changed while the simulator runs; PATCH /api/settings takes any part of it. */
export interface SimulatorSettings {
  /** The profile chosen last; choosing one sets all that profiles decide. */
  profile: ProfileName;
  /** Segments a second and system_id before ESME_RTHROTTLED; 0 is unlimited. */
  rate: number;
  /** Time from the response to the receipt, in milliseconds. */
  receipt_delay_ms: number;
  /** A random part on top of receipt_delay_ms, which also shuffles receipts. */
  receipt_jitter_ms: number;
  /** Time from a segment to its response, and a random part on top, in milliseconds; 0 answers at once. */
  response_delay_ms: number;
  response_jitter_ms: number;
  /** Segments of one system_id whose receipts are open, above which ESME_RMSGQFUL answers; 0 is unlimited. */
  queue_limit: number;
  /** Sessions of one system_id, above which ESME_RALYBND answers a bind; 0 is unlimited. */
  max_binds: number;
  /** Drops all sessions and leaves binds without an answer. */
  silent: boolean;
  /** Extra time of a late receipt. */
  late_receipt_ms: number;
  /** How ids are written in submit_sm_resp and in receipts. */
  response_id_format: 'decimal' | 'hex';
  receipt_id_format: 'decimal' | 'hex';
  /** Receipts carry TLVs, the Appendix B text, or both. */
  receipt_style: 'both' | 'text' | 'tlv';
  /** Magic numbers have their special outcomes. */
  magic_numbers: boolean;
  /** Shares (0..1) of ordinary numbers that meet a fault. */
  faults: {
    no_response: number;
    late_response: number;
    throttled: number;
    rejected: number;
    undeliverable: number;
    duplicate_receipt: number;
    no_receipt: number;
    /** Accepted, and then the session falls before its response. */
    dropped: number;
    /** Answered, and a PDU that is at fault follows. */
    malformed: number;
  };
  /** How late a late response is. */
  late_response_ms: number;
  /** Passwords by system_id; an empty table takes every bind. */
  accounts: Record<string, string>;
}

export const DEFAULT_SETTINGS: SimulatorSettings = {
  ...HEALTHY,
  profile: 'healthy',
  late_receipt_ms: 30_000,
  response_id_format: 'decimal',
  receipt_id_format: 'decimal',
  receipt_style: 'both',
  magic_numbers: true,
  late_response_ms: 35_000,
  accounts: {},
};

/** A part of the settings; faults may be given one by one. */
export type SettingsChange = Partial<Omit<SimulatorSettings, 'faults'>> & {
  faults?: Partial<SimulatorSettings['faults']>;
};

const DAY_MS = 86_400_000;
const CHOICES: Record<string, readonly string[]> = {
  profile: PROFILE_NAMES,
  response_id_format: ['decimal', 'hex'],
  receipt_id_format: ['decimal', 'hex'],
  receipt_style: ['both', 'text', 'tlv'],
};

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown, max: number): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= max;

/** What is wrong with a change that came from outside, as a sentence, or undefined. */
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

/** The settings with a change applied: a profile first, then what the change itself names. */
export function withChange(settings: SimulatorSettings, change: SettingsChange): SimulatorSettings {
  const base = change.profile === undefined ? settings : { ...settings, ...PROFILES[change.profile] };
  return { ...base, ...change, faults: { ...base.faults, ...change.faults } };
}
