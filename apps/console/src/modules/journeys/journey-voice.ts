import type { JourneyNames, JourneyStep, JourneyTrigger } from '@heliograph/contract/journeys/journey-definition';
import { explainStep, explainTrigger, type JourneyVoice } from '@heliograph/contract/journeys/journey-sentence';
import { useTranslation } from 'react-i18next';
import { languageTag } from '../../platform/language.ts';

/** First Monday of 2024, as a moment of UTC. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Returns the short name of a weekday in a language; 1 is Monday. */
export const weekdayName = (tag: string, day: number): string =>
  new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC' }).format(MONDAY + (day - 1) * DAY_MS);

/** Returns functions that write a step and the cause of entering as sentences in the user's language. */
export function useJourneyWords() {
  const { t } = useTranslation();
  const tag = languageTag();
  const voice: JourneyVoice = { t: (key, params) => t(key, { ...params }), weekday: (day) => weekdayName(tag, day) };
  return {
    stepWords: (step: JourneyStep, names: JourneyNames) => explainStep(step, names, voice),
    triggerWords: (trigger: JourneyTrigger, names: JourneyNames) => explainTrigger(trigger, names, voice),
  };
}
