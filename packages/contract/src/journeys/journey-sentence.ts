import { keyIn, type MessageKey } from '../kernel/message-keys.ts';
import type { JourneyNames, JourneyStep, JourneyTrigger } from './journey-definition.ts';

/** Words and formats of a language in which steps are explained. */
export interface JourneyVoice {
  t(key: MessageKey, params?: Record<string, string | number>): string;
  /** Name of a weekday; 1 is Monday. */
  weekday(day: number): string;
}

const named = (names: Record<string, string>, id: number, { t }: JourneyVoice): string =>
  names[id] ?? t('journey_words.missing');

/** Returns the cause for which people enter, as a sentence. */
export function explainTrigger(trigger: JourneyTrigger, names: JourneyNames, voice: JourneyVoice): string {
  const { t } = voice;
  if (trigger.on === 'segment')
    return t('journey_words.trigger_segment', { segment: named(names.segments, trigger.segment_id, voice) });
  if (trigger.on === 'event') return t('journey_words.trigger_event');
  if (trigger.on === 'keyword') {
    const words = trigger.keywords.join(' / ');
    return trigger.number === null
      ? t('journey_words.trigger_keyword', { words })
      : t('journey_words.trigger_keyword_to', { words, number: trigger.number });
  }
  if (trigger.on === 'click') {
    if (trigger.campaign_id === null) return t('journey_words.trigger_click');
    const campaign = named(names.campaigns, trigger.campaign_id, voice);
    return trigger.link === null
      ? t('journey_words.trigger_click_campaign', { campaign })
      : t('journey_words.trigger_click_link', { campaign, link: trigger.link });
  }
  const { days, yearly, at } = trigger;
  const when = days === 0 ? 'on' : days < 0 ? 'before' : 'after';
  return t(keyIn('journey_words', `trigger_${yearly ? 'yearly' : 'date'}_${when}`), {
    field: named(names.fields, trigger.field_id, voice),
    count: Math.abs(days),
    at,
  });
}

/** Returns a step as a sentence. */
export function explainStep(step: JourneyStep, names: JourneyNames, voice: JourneyVoice): string {
  const { t } = voice;
  switch (step.do) {
    case 'wait':
      return t(`journey_words.wait_${step.unit}`, { count: step.count });
    case 'until': {
      if (step.weekdays.length === 0) return t('journey_words.until', { at: step.at });
      const days = [...step.weekdays].sort((a, b) => a - b).map((day) => voice.weekday(day));
      return t('journey_words.until_weekdays', { at: step.at, days: days.join(', ') });
    }
    case 'message':
      return t('journey_words.message', { sender: named(names.senders, step.sender_id, voice), text: step.text });
    case 'condition':
      return t('journey_words.condition', { segment: named(names.segments, step.segment_id, voice) });
    case 'split':
      return t('journey_words.split', { shares: step.branches.map(({ share }) => `${share}%`).join(' / ') });
    case 'set': {
      const field = named(names.fields, step.field_id, voice);
      return step.value === null
        ? t('journey_words.set_nothing', { field })
        : t('journey_words.set', { field, value: step.value });
    }
    case 'tag':
      return t(step.add ? 'journey_words.tag_add' : 'journey_words.tag_remove', { tag: step.tag });
    case 'callback':
      return t('journey_words.callback', { name: step.name });
    case 'end':
      return t('journey_words.end');
  }
}
