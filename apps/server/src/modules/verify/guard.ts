import type { GuardSignal } from '@heliograph/contract/verify/verification';
import type { Service } from './service-reader.ts';

/** Starts and approvals, as they were counted. */
export interface Count {
  starts: number;
  approved: number;
}

/** History of a beginning of numbers: counts that fade by half in a minute, an hour, six hours, and a week. */
export interface History {
  /** Starts of the last minute or two, whose codes may not have been entered yet. */
  fresh: number;
  hour: Count;
  recent: Count;
  past: Count;
}

/** Everything that the guard knows about a start, before it is counted. */
export interface Known {
  number: Count;
  /** Null if the program gave none. */
  address: Count | null;
  device: Count | null;
  /** 100 numbers in a row, among them this one. */
  block: Count;
  /** 10,000 numbers in a row, a million, and ten million. */
  near: History;
  wide: History;
  range: History;
  /** All numbers of the service. */
  service: History;
  /** Reason of the reputation list; null if it names neither number nor address. */
  reputation: string | null;
}

/** Open starts to 10,000 numbers that are allowed in an hour without any history. */
const FEWEST_OPEN = 20;
/** Multiple of the usual open starts from which a prefix is refused. */
const TIMES_USUAL = 4;
/** Starts that a service needs before its own conversion is compared. */
const ENOUGH_PAST = 200;
/** Starts to a prefix before its conversion is judged. */
const ENOUGH_STARTS = 8;
/** Share of the conversion of the service below which a prefix is refused. */
const LOW = 1 / 3;
/** One-sided 95%. */
const Z = 1.645;
/** Mean life in hours of counts that fade by half in a week, and in an hour. */
const PAST_HOURS = 168 / Math.LN2;
const HOUR_HOURS = 1 / Math.LN2;

/** Returns the upper bound of a conversion by Wilson's interval: the truth is above it once in twenty. */
export function upperBound({ starts, approved }: Count): number {
  if (starts <= 0) return 1;
  const share = Math.min(1, approved / starts);
  const square = Z * Z;
  const middle = share + square / (2 * starts);
  const spread = Z * Math.sqrt((share * (1 - share)) / starts + square / (4 * starts * starts));
  return Math.min(1, (middle + spread) / (1 + square / starts));
}

const open = ({ starts, approved }: Count): number => Math.max(0, starts - approved);

/** Returns the signals by which a start is false traffic; none lets it pass. The start itself is counted in each figure. */
export function judgeStart(limits: Service, known: Known): GuardSignal[] {
  const signals: GuardSignal[] = [];
  const above = (signal: GuardSignal['signal'], counted: number, limit: number) => {
    const figure = Math.round(counted) + 1;
    if (figure > limit) signals.push({ signal, figure, limit, reason: null });
  };
  if (known.reputation !== null)
    signals.push({ signal: 'reputation', figure: null, limit: null, reason: known.reputation });
  above('number', known.number.starts, limits.number_limit);
  if (known.address) above('address', open(known.address), limits.address_limit);
  if (known.device) above('device', open(known.device), limits.device_limit);
  above('block', open(known.block), limits.block_limit);
  above('prefix', open(known.near.hour), usualOpen(known.near));
  const conversion = lowConversion(known);
  if (conversion) signals.push(conversion);
  return signals;
}

/** Returns the open starts in an hour that are allowed to a prefix, by its own history. */
function usualOpen({ past }: History): number {
  const anHour = (past.starts / PAST_HOURS) * HOUR_HOURS;
  return Math.max(FEWEST_OPEN, Math.ceil(anHour * TIMES_USUAL));
}

/** Compares the conversion of the prefixes with that of the service before. */
function lowConversion({ near, wide, range, service }: Known): GuardSignal | undefined {
  if (service.past.starts < ENOUGH_PAST) return undefined;
  const usual = service.past.approved / service.past.starts;
  for (const { recent, fresh } of [near, wide, range]) {
    // People need a minute to enter a code.
    const starts = Math.max(recent.approved, recent.starts - fresh);
    const bound = upperBound({ starts, approved: recent.approved });
    if (starts >= ENOUGH_STARTS && bound < usual * LOW)
      return { signal: 'conversion', figure: Math.round(bound * 100), limit: Math.round(usual * 100), reason: null };
  }
  return undefined;
}
