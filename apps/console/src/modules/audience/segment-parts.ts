import {
  SEGMENT_OPS,
  type SegmentCondition,
  type SegmentGroup,
  type SegmentNode,
  type SegmentRule,
} from '@heliograph/contract/audience/segment-rule';
import type { ContactFieldRow } from './value-fields.tsx';

/** Returns the rule with which a new segment begins. */
export const firstRule = (): SegmentRule => ({ version: 1, match: 'all', rules: [firstCondition()] });

/** Returns the condition with which a new row begins: the name of the contact. */
export const firstCondition = (): SegmentCondition => ({
  on: 'text',
  field_id: null,
  op: 'is',
  value: null,
  not: false,
});

/** Returns the group with which a new group begins. */
export const firstGroup = (): SegmentGroup => ({ on: 'group', match: 'any', rules: [firstCondition()] });

/** Subject of a condition in the form of an option: a field by its id, or a kind of condition. */
export const subjectOf = (condition: SegmentCondition): string => {
  if (!('field_id' in condition)) return condition.on;
  return condition.field_id === null ? 'name' : `field:${condition.field_id}`;
};

/** Returns a new condition about a subject. */
export function conditionAbout(subject: string, fields: readonly ContactFieldRow[]): SegmentCondition {
  const not = false;
  switch (subject) {
    case 'tag':
      return { on: 'tag', tag: '', not };
    case 'list':
      return { on: 'list', list_id: 0, not };
    case 'consent':
      return { on: 'consent', consents: ['opt_in'], not };
    case 'time':
      return { on: 'time', time: 'created', op: 'last_days', day: null, days: 30, not };
    case 'event':
      return { on: 'event', event: 'sent', campaign_id: null, link: null, conversion: null, days: 30, not };
  }
  const field = fields.find(({ id }) => subject === `field:${id}`);
  const field_id = field?.id ?? 0;
  switch (field?.type) {
    case 'text':
      return { on: 'text', field_id, op: 'is', value: null, not };
    case 'choice':
      return { on: 'choice', field_id, op: 'in', values: [], not };
    case 'number':
      return { on: 'number', field_id, op: 'is', value: null, to: null, not };
    case 'date':
      return { on: 'date', field_id, op: 'birthday', day: null, to: null, days: 0, not };
    case 'yes_no':
      return { on: 'yes_no', field_id, op: 'yes', not };
    default:
      return firstCondition();
  }
}

/** Returns the comparisons that a condition can have; none for conditions without a choice. */
export const opsOf = (condition: SegmentCondition): readonly string[] =>
  condition.on in SEGMENT_OPS ? SEGMENT_OPS[condition.on as keyof typeof SEGMENT_OPS] : [];

/** Returns the parts of a group with one replaced, or removed if it is null. */
export const withPart = (rules: readonly SegmentNode[], at: number, part: SegmentNode | null): SegmentNode[] =>
  rules.flatMap((each, place) => (place !== at ? [each] : part === null ? [] : [part]));
