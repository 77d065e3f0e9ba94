import { z } from 'zod';

/**
 * Old names of zones that runtimes still list, each with the present IANA name. Unicode keeps the first name of a zone
 * forever; IANA does not.
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Johnston': 'Pacific/Honolulu',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
const todaysName = (zone: string) => RENAMED[zone] ?? zone;

/** Zones that a person can choose, by their present names. */
export const TIME_ZONES: readonly string[] = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(todaysName).sort()]),
];
const LISTED = new Set(TIME_ZONES);
/** Zones of whole hours; their names have the sign of POSIX. */
const FIXED = /^Etc\/GMT(\+([1-9]|1[0-2])|-([1-9]|1[0-4]))$/;
/** Name of a zone. Offsets are not allowed: PostgreSQL reads `+05:30` with the opposite sign. */
const NAME = /^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+)*$/i;

/** Returns the present IANA name of a zone given by any of its names, in any case; the text itself if it is no zone. */
export function canonicalZone(zone: string): string {
  if (LISTED.has(zone) || !NAME.test(zone)) return zone;
  try {
    return todaysName(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
  } catch {
    return zone;
  }
}

/** Zone that a person or a program enters; it is stored under its present name. */
export const timeZone = z
  .string()
  .trim()
  .max(64)
  .overwrite(canonicalZone)
  .refine((zone) => LISTED.has(zone) || FIXED.test(zone), { error: 'timezone' });

/** Zone as it is shown, under its present name; older records still store the old name of their zone. */
export const shownTimeZone = z.string().overwrite(canonicalZone);
