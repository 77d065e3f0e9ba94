import { useTranslation } from 'react-i18next';
import { languageTag } from '../../platform/language.ts';
import type { UsualMoment } from '../../resource/moment-input.tsx';
import { suggestedStarts } from './composer/blackout.ts';

/** Writes the time of day of a wall time in the user's language. */
const timeOfDay = (at: string) =>
  new Intl.DateTimeFormat(languageTag(), { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`${at}Z`));
const weekdayOf = (at: string) =>
  new Intl.DateTimeFormat(languageTag(), { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${at}Z`));

/** Returns usual starts of a campaign after now, the nearest one first, such as tonight and tomorrow morning. */
export function useUsualStarts(zone: string): readonly UsualMoment[] {
  const { t } = useTranslation();
  return suggestedStarts(new Date(), zone).map(({ name, at }) => ({
    at,
    label: t(`when.${name}`, { time: timeOfDay(at), weekday: weekdayOf(at) }),
  }));
}
