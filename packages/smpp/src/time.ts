/** Format `YYMMDDhhmmsstnnp` (§7.1.1): tenths, quarter hours from UTC, and the direction, or R for relative. */
const FORMAT = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d)(\d{2})([+\-R])$/;

const two = (value: number): string => String(value).padStart(2, '0');

/**
 * Formats an absolute time in UTC for validity_period or schedule_delivery_time. Tenths are always 0, because carriers
 * refuse others.
 */
export function formatAbsoluteTime(epochMs: number): string {
  const t = new Date(epochMs);
  const date = two(t.getUTCFullYear() % 100) + two(t.getUTCMonth() + 1) + two(t.getUTCDate());
  return `${date}${two(t.getUTCHours())}${two(t.getUTCMinutes())}${two(t.getUTCSeconds())}000+`;
}

/** Formats a relative time in whole seconds, limited to 0..30 days; no carrier keeps a message longer. */
export function formatRelativeTime(seconds: number): string {
  const s = Math.min(30 * 86_400, Math.max(0, Math.floor(seconds)));
  return `0000${two(Math.floor(s / 86_400))}${two(Math.floor(s / 3_600) % 24)}${two(Math.floor(s / 60) % 60)}${two(s % 60)}000R`;
}

/**
 * Parses a time to epoch milliseconds; relative times count from `nowMs`. Undefined for '' and for anything that is no
 * time.
 */
export function parseTime(text: string, nowMs: number): number | undefined {
  const match = FORMAT.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second, tenths, quarters] = match.slice(1, 9).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (match[9] === 'R') {
    const at = new Date(nowMs);
    at.setUTCFullYear(at.getUTCFullYear() + year, at.getUTCMonth() + month);
    return at.getTime() + (((day * 24 + hour) * 60 + minute) * 60 + second) * 1_000;
  }
  const offset = quarters * 15 * 60_000 * (match[9] === '-' ? -1 : 1);
  const local = Date.UTC(2000 + year, month - 1, day, hour, minute, second, tenths * 100);
  return month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59
    ? undefined
    : local - offset;
}
