import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useZone } from '../../platform/format.ts';
import { languageTag } from '../../platform/language.ts';

const DAY = 86_400_000;

/** Days and times of day of a thread. */
export function useMoments() {
  const { i18n } = useTranslation();
  const zone = useZone();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tag follows the language
  return useMemo(() => {
    const tag = languageTag();
    const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: zone });
    const weekday = new Intl.DateTimeFormat(tag, { weekday: 'long', month: 'short', day: 'numeric', timeZone: zone });
    const far = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: zone });
    const plain = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: zone });
    const words = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
    /** Day of a moment in the zone, such as 2026-01-31. */
    const dayOf = (at: string | number) => plain.format(new Date(at));
    const sameYear = (at: string) => dayOf(at).slice(0, 4) === dayOf(Date.now()).slice(0, 4);
    return {
      dayOf,
      /** Time of day, to the minute. */
      clock: (at: string) => clock.format(new Date(at)),
      day(at: string): string {
        const days = Math.round((Date.parse(dayOf(at)) - Date.parse(dayOf(Date.now()))) / DAY);
        if (days === 0 || days === -1) return words.format(days, 'day');
        return (sameYear(at) ? weekday : far).format(new Date(at));
      },
    };
  }, [i18n.language, zone]);
}
