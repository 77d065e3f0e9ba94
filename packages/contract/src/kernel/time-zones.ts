import { z } from 'zod';

/**
 * Names that runtimes still list although IANA renamed the zone, each with today's name. Unicode keeps the first name of
 * a zone for ever; IANA does not.
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

/** The zones a person chooses from, by the names of today. */
export const TIME_ZONES: readonly string[] = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(todaysName).sort()]),
];
const LISTED = new Set(TIME_ZONES);
/** Zones of whole hours, whose names have the sign of POSIX. */
const FIXED = /^Etc\/GMT(\+([1-9]|1[0-2])|-([1-9]|1[0-4]))$/;
/** A name, not an offset: PostgreSQL reads `+05:30` with the opposite sign. */
const NAME = /^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+)*$/i;

/** Today's IANA name of a zone that is given by any of its names, in any case; the text itself where it is no zone. */
export function canonicalZone(zone: string): string {
  if (LISTED.has(zone) || !NAME.test(zone)) return zone;
  try {
    return todaysName(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
  } catch {
    return zone;
  }
}

/** The zone that a person or a program gives, under its name of today. */
export const timeZone = z
  .string()
  .trim()
  .max(64)
  .overwrite(canonicalZone)
  .refine((zone) => LISTED.has(zone) || FIXED.test(zone), { error: 'timezone' });

/** A zone as it is shown: records of before keep the name that their zone had. */
export const shownTimeZone = z.string().overwrite(canonicalZone);
