import type { activityLogs } from '@heliograph/contract/audit/activity-log';
import { kindOf, referenceOf } from '@heliograph/contract/kernel/fields';
import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { RESOURCES } from '@heliograph/contract/registry';
import { hasText, translate } from '#platform/text/i18n';
import type { RecordNames } from './record-names.ts';

type Row = ReplyOf<typeof activityLogs>['data'][number];
type Change = Row['changes'][number];
type Show = Change['show'];
type Properties = Row['properties'];

const RESOURCE = new Map(RESOURCES.map((resource) => [resource.name, resource]));
/** Amounts that a call's body gave, for records without such a field. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount']);
/** Fields of every record that are not listed as changes, because the entry itself shows them. */
const OWN: ReadonlySet<string> = new Set(['id', 'abilities', 'description_mark', 'translations_mark']);
/** Kinds of record that fields refer to only by their names. */
const REFERENCES: Readonly<Record<string, string>> = {
  corporation_id: 'corporations',
  reseller_id: 'corporations',
  department_id: 'departments',
  user_id: 'users',
  role_id: 'roles',
  campaign_id: 'campaigns',
  billing_account_id: 'billing-accounts',
  price_plan_id: 'price-plans',
  number_list_id: 'number-lists',
  link_id: 'links',
  assigned_to: 'users',
  links: 'links',
};

/** Groups of texts for fields with a fixed set of values, by kind of record and field. */
const WORDS: Readonly<Record<string, string>> = {
  'campaigns.state': 'campaign_state',
  'sender-ids.state': 'sender_state',
  'protected-names.kind': 'protected_kind',
  'protected-names.action': 'protected_action',
  'moderation-rules.action': 'moderation_action',
  'moderation-rules.traffic': 'moderation_traffic',
  'web-domains.verdict': 'web_verdict',
  'sending-limits.kind': 'limit_kind',
  'sending-limits.period': 'limit_period',
  'sending-hours.covers': 'hours_covers',
  'sending-hours.outside': 'hours_outside',
};

const schemaOf = (about: string, field: string) => RESOURCE.get(about)?.row.shape[field];
const referredBy = (about: string, field: string): string | undefined => {
  const schema = schemaOf(about, field);
  return (schema && referenceOf(schema as never)) ?? REFERENCES[field];
};

/** Lists the fields that changed; an id is left out if the record's name is listed too. */
function fieldsOf({ before, after }: Properties): string[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const named = new Set(fields);
  return fields.filter(
    (field) => !OWN.has(field) && !(field.endsWith('_id') && named.has(field.replace(/_id$/, '_name'))),
  );
}

/** Answers the fields of a record with amounts as decimal strings: tables hold thousandths. */
export function withAmounts(about: string, fields: Record<string, unknown> | null) {
  if (!fields) return null;
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const schema = schemaOf(about, field);
      const money = schema !== undefined && Number.isSafeInteger(value) && kindOf(schema as never) === 'money';
      return [field, money ? fromThousandths(value as number) : value];
    }),
  );
}

const idsIn = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'number');

/** Lists the records of an entry: its subject, and those its fields refer to. */
export function* recordsOf(entry: {
  subject_type: string;
  subject_id: number | null;
  properties: Properties;
}): Generator<readonly [kind: string, id: number]> {
  const { subject_type, subject_id, properties } = entry;
  if (subject_id !== null) yield [subject_type, subject_id];
  for (const field of fieldsOf(properties)) {
    const kind = referredBy(subject_type, field);
    if (!kind) continue;
    for (const value of [properties.before?.[field], properties.after?.[field]])
      for (const id of idsIn(value)) yield [kind, id];
  }
}

/** Describes the subject of an entry for a person: its kind of record and its name, or its number if it is gone. */
export function subjectOf(
  entry: { subject_type: string; subject_id: number | null; properties: Properties },
  names: RecordNames,
  locale: Locale,
): string {
  const { subject_type, subject_id, properties } = entry;
  const kind = textOr(locale, keyIn('resources', subject_type, 'one'), subject_type);
  if (subject_id === null) return kind;
  const title = RESOURCE.get(subject_type)?.title ?? 'name';
  const recorded = properties.after?.[title] ?? properties.before?.[title];
  return `${kind} ${names(subject_type, subject_id) ?? (typeof recorded === 'string' ? recorded : subject_id)}`;
}

const textOr = (locale: Locale, key: MessageKey, otherwise: string) =>
  hasText(key) ? translate(locale, key) : otherwise.replace(/[_-]/g, ' ');

/** Names the area of an entry for a person. */
export const areaOf = (name: string, locale: Locale): string =>
  textOr(
    locale,
    keyIn('resources', name, 'many'),
    hasText(keyIn('menu', name)) ? translate(locale, keyIn('menu', name)) : name,
  );

/** Names the action of an entry for a person. */
export const actionOf = (description: string, locale: Locale): string =>
  textOr(locale, keyIn('activity_action', description.replace(/[ -]/g, '_')), description);

/** Answers the fields that changed, in the form that a person reads. */
export function changesOf(about: string, properties: Properties, names: RecordNames, locale: Locale): Change[] {
  return fieldsOf(properties).map((field) => {
    const values = [properties.before?.[field], properties.after?.[field]];
    const show = showOf(about, field, values);
    const words = WORDS[`${about}.${field}`];
    const [before, after] = values.map((value) => {
      const key = words !== undefined && typeof value === 'string' ? keyIn(words as 'sender_state', value) : undefined;
      if (key && hasText(key)) return translate(locale, key);
      return textOf(value, show, referredBy(about, field), names, locale);
    });
    return {
      field,
      label: textOr(locale, keyIn('resources', about, 'fields', field), field.replace(/_id$/, '')),
      show,
      before: before ?? null,
      after: after ?? null,
    };
  });
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const AMOUNT = /^-?\d{1,12}(\.\d{1,3})?$/;

function showOf(about: string, field: string, values: readonly unknown[]): Show {
  const schema = schemaOf(about, field);
  const given = values.filter((value) => value !== null && value !== undefined);
  const all = (test: (value: unknown) => boolean) => given.length > 0 && given.every(test);
  const money = (schema && kindOf(schema as never) === 'money') || AMOUNTS.has(field);
  if (money && all((value) => typeof value === 'string' && AMOUNT.test(value))) return 'money';
  if (all((value) => typeof value === 'boolean')) return 'yes-no';
  if (all((value) => typeof value === 'string' && MOMENT.test(value))) return 'instant';
  return all((value) => typeof value === 'string' && DATE.test(value)) ? 'date' : 'text';
}

function textOf(
  value: unknown,
  show: Show,
  refersTo: string | undefined,
  names: RecordNames,
  locale: Locale,
): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (show === 'money') return fromThousandths(toThousandths(String(value)));
  if (show !== 'text') return String(value);
  if (refersTo && idsIn(value).length > 0)
    return idsIn(value)
      .map((id) => names(refersTo, id) ?? String(id))
      .join(', ');
  return plainText(value, locale) || null;
}

/** Writes a value in words: lists with commas, records as their fields. */
function plainText(value: unknown, locale: Locale): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return translate(locale, value ? 'common.yes' : 'common.no');
  if (Array.isArray(value)) return value.map((each) => plainText(each, locale)).join(', ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .filter(([, each]) => each !== null && each !== undefined && each !== '')
    .map(([name, each]) => `${name.replaceAll('_', ' ')}: ${plainText(each, locale)}`)
    .join('; ');
}
