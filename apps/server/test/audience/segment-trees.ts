import type { SegmentCondition, SegmentNode, SegmentRule } from '@heliograph/contract/audience/segment-rule';
import fc from 'fast-check';

/** Contact in the plain form that the evaluator reads. */
export interface Person {
  name: string | null;
  tags: string[];
  town: string | null;
  level: string | null;
  visits: number | null;
  born: string | null;
  member: boolean | null;
  /** Conversions that programs reported for the contact, with the days before today. */
  conversions: { name: string; ago: number }[];
}

/** Ids of the fields that the trees compare. */
export interface FieldIds {
  town: number;
  level: number;
  visits: number;
  born: number;
  member: number;
}

/** Day that the trees and the evaluator call today: the end of February of an ordinary year is two days later. */
export const TODAY = '2027-02-26';

const WORDS = ['Cebu', 'CEBU city', 'Davao', 'ÑAÑO', "O'Brien", '100%', 'a_b', ''];
const DAYS = ['2000-02-29', '1999-02-28', '2027-02-26', '2027-03-01', '1990-12-31', '2027-02-25'];
const LEVELS = ['Gold', 'Silver', 'gold'];
const TAGS = ['vip', 'new', 'VIP', "it's"];
const CONVERSIONS = ['order', 'Order', 'sign_up'];
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 });

export const person: fc.Arbitrary<Person> = fc.record({
  name: maybe(fc.constantFrom(...WORDS)),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  town: maybe(fc.constantFrom(...WORDS.filter((word) => word !== ''))),
  level: maybe(fc.constantFrom(...LEVELS)),
  visits: maybe(fc.constantFrom(-1, 0, 0.5, 3, 12)),
  born: maybe(fc.constantFrom(...DAYS)),
  member: maybe(fc.boolean()),
  conversions: fc.array(fc.record({ name: fc.constantFrom(...CONVERSIONS), ago: fc.integer({ min: 0, max: 5 }) }), {
    maxLength: 2,
  }),
});

const not = fc.boolean();

/** Returns the arbitrary of conditions whose values come from `text`. */
const conditionOf = (ids: FieldIds, text: fc.Arbitrary<string>): fc.Arbitrary<SegmentCondition> => {
  const days = fc.integer({ min: 0, max: 4 });
  const day = fc.constantFrom(...DAYS);
  const number = fc.constantFrom(-1, 0, 0.5, 2, 12);
  return fc.oneof(
    fc.record({
      on: fc.constant('text' as const),
      field_id: fc.constantFrom(null, ids.town),
      op: fc.constantFrom('is' as const, 'contains' as const, 'begins' as const, 'empty' as const),
      value: text,
      not,
    }),
    fc.record({
      on: fc.constant('choice' as const),
      field_id: fc.constant(ids.level),
      op: fc.constantFrom('in' as const, 'empty' as const),
      values: fc.array(fc.oneof(fc.constantFrom(...LEVELS), text), { minLength: 1, maxLength: 3 }),
      not,
    }),
    fc.record({
      on: fc.constant('number' as const),
      field_id: fc.constant(ids.visits),
      op: fc.constantFrom('is' as const, 'below' as const, 'above' as const, 'between' as const, 'empty' as const),
      value: number,
      to: number,
      not,
    }),
    fc.record({
      on: fc.constant('date' as const),
      field_id: fc.constant(ids.born),
      op: fc.constantFrom(
        ...([
          'on',
          'before',
          'after',
          'between',
          'in_days',
          'days_ago',
          'next_days',
          'last_days',
          'birthday',
          'empty',
        ] as const),
      ),
      day,
      to: day,
      days,
      not,
    }),
    fc.record({
      on: fc.constant('yes_no' as const),
      field_id: fc.constant(ids.member),
      op: fc.constantFrom('yes' as const, 'no' as const, 'empty' as const),
      not,
    }),
    fc.record({
      on: fc.constant('event' as const),
      event: fc.constant('converted' as const),
      campaign_id: fc.constant(null),
      link: fc.constant(null),
      conversion: fc.oneof(fc.constantFrom(null, ...CONVERSIONS), text),
      days: fc.constantFrom(null, 1, 2, 4),
      not,
    }),
    fc.record({ on: fc.constant('tag' as const), tag: fc.oneof(fc.constantFrom(...TAGS), text), not }),
  );
};

const match = fc.constantFrom('all' as const, 'any' as const, 'none' as const);

/** Returns the arbitrary of rules over fields; texts in them come from `text`. */
export function ruleOf(ids: FieldIds, text: fc.Arbitrary<string> = fc.constantFrom(...WORDS, 'cebu', '%', '_', 'c')) {
  const condition = conditionOf(ids, text);
  const { node } = fc.letrec<{ node: SegmentNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      condition,
      fc.record({
        on: fc.constant('group' as const),
        match,
        rules: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
      }),
    ),
  }));
  return fc.record({
    version: fc.constant(1 as const),
    match,
    rules: fc.array(node, { minLength: 1, maxLength: 4 }),
  }) as fc.Arbitrary<SegmentRule>;
}

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

function isBirthday(born: string, day: string): boolean {
  if (born.slice(5) === day.slice(5)) return true;
  const ordinary = dayAfter(day, 1).slice(5) === '03-01';
  return ordinary && day.endsWith('02-28') && born.endsWith('02-29');
}

function holds(condition: SegmentCondition, who: Person, ids: FieldIds): boolean {
  switch (condition.on) {
    case 'text': {
      const own = condition.field_id === ids.town ? who.town : who.name;
      if (condition.op === 'empty') return own === null || own === '';
      if (own === null) return false;
      const [has, wanted] = [own.toLowerCase(), (condition.value ?? '').toLowerCase()];
      if (condition.op === 'is') return has === wanted;
      return condition.op === 'contains' ? has.includes(wanted) : has.startsWith(wanted);
    }
    case 'choice':
      if (condition.op === 'empty') return who.level === null;
      return who.level !== null && condition.values.includes(who.level);
    case 'number': {
      const { visits } = who;
      if (condition.op === 'empty') return visits === null;
      if (visits === null) return false;
      const [value, to] = [condition.value!, condition.to!];
      if (condition.op === 'is') return visits === value;
      if (condition.op === 'below') return visits < value;
      return condition.op === 'above' ? visits > value : visits >= value && visits <= to;
    }
    case 'date': {
      const { born } = who;
      const { op, day, to, days } = condition;
      if (op === 'empty') return born === null;
      if (born === null) return false;
      if (op === 'on') return born === day;
      if (op === 'before') return born < day!;
      if (op === 'after') return born > day!;
      if (op === 'between') return born >= day! && born <= to!;
      if (op === 'in_days') return born === dayAfter(TODAY, days!);
      if (op === 'days_ago') return born === dayAfter(TODAY, -days!);
      if (op === 'next_days') return born >= TODAY && born <= dayAfter(TODAY, days!);
      if (op === 'last_days') return born <= TODAY && born >= dayAfter(TODAY, -days!);
      return isBirthday(born, dayAfter(TODAY, days!));
    }
    case 'yes_no':
      return condition.op === 'empty' ? who.member === null : who.member === (condition.op === 'yes');
    case 'event':
      return who.conversions.some(
        ({ name, ago }) =>
          (condition.conversion === null || condition.conversion === name) &&
          (condition.days === null || ago <= condition.days),
      );
    case 'tag':
      return who.tags.includes(condition.tag);
    default:
      throw new Error('the trees have no such condition');
  }
}

/** Tells if a rule finds a person, by the words of the contract. */
export function finds(rule: Pick<SegmentRule, 'match' | 'rules'>, who: Person, ids: FieldIds): boolean {
  const each = rule.rules.map((part) =>
    part.on === 'group' ? finds(part, who, ids) : holds(part, who, ids) !== part.not,
  );
  if (rule.match === 'all') return each.every(Boolean);
  return each.some(Boolean) === (rule.match === 'any');
}
