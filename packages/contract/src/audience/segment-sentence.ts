import { keyIn, type MessageKey } from '../kernel/message-keys.ts';
import type { SegmentCondition, SegmentGroup, SegmentNames, SegmentNode } from './segment-rule.ts';

/** Words and formats of a language in which a rule is explained. */
export interface SegmentVoice {
  t(key: MessageKey, params?: Record<string, string | number>): string;
  /** Writes a day such as 2026-01-31. */
  date(day: string): string;
  number(value: number): string;
}

type Params = Record<string, string | number>;

/** Conditions of values, for which `not` finds contacts without a value too. */
const OF_VALUES: ReadonlySet<string> = new Set(['text', 'choice', 'number', 'date', 'yes_no']);

/** Returns a rule as a sentence: the contacts that it finds. Records without a name are shown as missing. */
export function explainSegment(rule: Pick<SegmentGroup, 'match' | 'rules'>, names: SegmentNames, voice: SegmentVoice) {
  return voice.t('segment_words.sentence', { rule: groupWords(rule, names, voice) });
}

const joinedBy = (word: 'and' | 'or', parts: readonly string[], voice: SegmentVoice): string =>
  parts.reduce((first, second) => voice.t(`segment_words.${word}`, { first, second }));

function groupWords({ match, rules }: Pick<SegmentGroup, 'match' | 'rules'>, names: SegmentNames, voice: SegmentVoice) {
  const parts = rules.map((part) => partWords(part, names, voice, rules.length > 1));
  const joined = joinedBy(match === 'all' ? 'and' : 'or', parts, voice);
  return match === 'none' ? voice.t('segment_words.none', { rule: joined }) : joined;
}

function partWords(part: SegmentNode, names: SegmentNames, voice: SegmentVoice, inside: boolean): string {
  if (part.on !== 'group') return conditionWords(part, names, voice);
  const words = groupWords(part, names, voice);
  return inside && part.rules.length > 1 && part.match !== 'none'
    ? voice.t('segment_words.brackets', { rule: words })
    : words;
}

/** Returns one condition in words. */
export function conditionWords(condition: SegmentCondition, names: SegmentNames, voice: SegmentVoice): string {
  const [key, params] = wordsOf(condition, names, voice);
  const said = voice.t(keyIn('segment_words', key), params);
  if (!condition.not) return said;
  const isValue = OF_VALUES.has(condition.on) && !('op' in condition && condition.op === 'empty');
  return voice.t(isValue ? 'segment_words.not_value' : 'segment_words.not', { rule: said });
}

/** Returns the key of the words for a condition, under `segment_words`, and their parameters. */
function wordsOf(condition: SegmentCondition, names: SegmentNames, voice: SegmentVoice): [string, Params] {
  const missing = voice.t('segment_words.missing');
  const nameOf = (kind: keyof SegmentNames, id: number) => names[kind][id] ?? missing;
  const quoted = (text: string) => voice.t('segment_words.quoted', { text });
  switch (condition.on) {
    case 'text': {
      const { field_id, op, value } = condition;
      const field = field_id === null ? voice.t('resources.contacts.fields.name') : nameOf('fields', field_id);
      return op === 'empty' ? ['empty', { field }] : [`text_${op}`, { field, value: quoted(value ?? '') }];
    }
    case 'choice': {
      const field = nameOf('fields', condition.field_id);
      if (condition.op === 'empty') return ['empty', { field }];
      const value = joinedBy('or', condition.values.map(quoted), voice);
      return ['text_is', { field, value }];
    }
    case 'number': {
      const { field_id, op, value, to } = condition;
      const field = nameOf('fields', field_id);
      if (op === 'empty') return ['empty', { field }];
      return [`number_${op}`, { field, value: voice.number(value ?? 0), to: voice.number(to ?? 0) }];
    }
    case 'date': {
      const { field_id, op, day, to, days } = condition;
      const field = nameOf('fields', field_id);
      if (op === 'empty') return ['empty', { field }];
      const today = days === 0 && op !== 'last_days' && op !== 'next_days';
      if (today) return [op === 'birthday' ? 'date_birthday_today' : 'date_today', { field }];
      const shown = (at: string | null) => (at === null ? '' : voice.date(at));
      return [`date_${op}`, { field, day: shown(day), to: shown(to), count: days ?? 0 }];
    }
    case 'yes_no': {
      const field = nameOf('fields', condition.field_id);
      return [condition.op === 'empty' ? 'empty' : `flag_${condition.op}`, { field }];
    }
    case 'tag':
      return ['tag', { tag: quoted(condition.tag) }];
    case 'list':
      return ['list', { list: quoted(nameOf('lists', condition.list_id)) }];
    case 'consent': {
      const states = condition.consents.map((state) => quoted(voice.t(`contact_consent.${state}`)));
      return ['consent', { consent: joinedBy('or', states, voice) }];
    }
    case 'time': {
      const { time, op, day, days } = condition;
      return [`${time}_${op}`, { day: day === null ? '' : voice.date(day), count: days ?? 0 }];
    }
    case 'event': {
      const { event, campaign_id, link, conversion, days } = condition;
      const campaign = campaign_id === null ? '' : quoted(nameOf('campaigns', campaign_id));
      const name = event === 'converted' ? (conversion ?? null) : null;
      const kind = name === null ? event : 'converted_as';
      const key = link !== null ? 'clicked_link' : campaign_id === null ? `${kind}_any` : kind;
      const said = voice.t(keyIn('segment_words', key), { campaign, link: link ?? 0, name: quoted(name ?? '') });
      return days === null ? ['event', { event: said }] : ['event_days', { event: said, count: days }];
    }
  }
}
