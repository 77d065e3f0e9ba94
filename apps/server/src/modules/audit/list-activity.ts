import { activityLogs, exportActivityLogs } from '@heliograph/contract/audit/activity-log';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { mayTryNumbers } from '#platform/access/hidden-numbers';
import { containing } from '#platform/database/like';
import { BusinessError, fieldError } from '#platform/errors';
import { homeOf } from '#platform/person/home';
import { localTime, momentsOf } from '#platform/records/period';
import { momentCell } from '#platform/table/cells';
import { downloadJob } from '#platform/tasks/downloads';
import type { ExportedList, ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { actionOf, areaOf, changesOf, recordsOf, subjectOf, withAmounts } from './describe-activity.ts';
import { readRecordNames } from './record-names.ts';

type Query = QueryOf<typeof activityLogs>;
type Filters = Omit<Query, 'limit' | 'cursor'>;
type Row = ReplyOf<typeof activityLogs>['data'][number];

/** Filters that a column must equal. */
const EQUAL = ['name', 'description', 'subject_type', 'subject_id', 'causer_id', 'corporation_id'] as const;

async function selection(ctx: ListContext, filters: Filters) {
  const { from, to, search } = filters;
  if (from !== undefined && to !== undefined && to < from) throw fieldError('to', 'date_order');
  const { timezone } = await homeOf(ctx);
  const pattern = containing(search ?? '');
  let query = ctx.db
    .selectFrom('activity_log as a')
    // A person who is gone is shown by their number.
    .leftJoin('user_account as u', 'u.id', 'a.causer_id')
    .leftJoin('corporation as c', 'c.id', 'a.corporation_id')
    .select(['a.id', 'a.name', 'a.description', 'a.subject_type', 'a.subject_id', 'a.causer_type', 'a.causer_id'])
    .select(['u.name as causer_name', 'a.corporation_id', 'c.name as corporation_name', 'a.properties', 'a.created_at'])
    .select(['c.currency', 'u.is_service'])
    .orderBy('a.id', 'desc')
    .$if(from !== undefined, (q) =>
      q.where('a.created_at', '>=', momentsOf({ from: from!, to: from! }, timezone).start),
    )
    .$if(to !== undefined, (q) => q.where('a.created_at', '<', momentsOf({ from: to!, to: to! }, timezone).end))
    .$if(Boolean(search), (q) =>
      q.where((eb) =>
        eb.or([
          eb('a.name', 'ilike', pattern),
          eb('a.description', 'ilike', pattern),
          eb('u.name', 'ilike', pattern),
          ...(mayTryNumbers(ctx.caller, search!) ? [eb(sql`a.properties::text`, 'ilike', pattern)] : []),
        ]),
      ),
    );
  for (const field of EQUAL)
    if (filters[field] !== undefined) query = query.where(sql.ref(`a.${field}`), '=', filters[field]);
  return query;
}

/** Lists the activities, the newest first; the cursor is the last id of the page before. */
export async function listActivity(
  ctx: ListContext,
  { limit, cursor, ...filters }: Query,
): Promise<ReplyOf<typeof activityLogs>> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  const query = await selection(ctx, filters);
  const rows = await query
    .$if(cursor !== undefined, (q) => q.where('a.id', '<', Number(cursor)))
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit).map((row) => ({
    ...row,
    properties: propertiesOf(row),
    removed: (row.properties as { removed?: boolean } | null)?.removed === true,
  }));
  const has_more = rows.length > page.length;
  const names = await readRecordNames(
    ctx,
    page.flatMap((row) => [...recordsOf(row)]),
  );
  return {
    data: page.map(({ is_service, ...row }) => ({
      ...row,
      causer_name: is_service
        ? translate(ctx.locale, 'activity.service_account', { name: row.causer_name! })
        : row.causer_name,
      action: actionOf(row.description, ctx.locale),
      area: areaOf(row.name, ctx.locale),
      subject: subjectOf(row, names, ctx.locale),
      changes: changesOf(row.subject_type, row.properties, names, ctx.locale),
    })),
    next_cursor: has_more ? String(page.at(-1)!.id) : null,
    has_more,
  };
}

function propertiesOf({ subject_type, properties }: { subject_type: string; properties: unknown }): Row['properties'] {
  const { before = null, after = null } = (properties ?? {}) as Partial<Row['properties']>;
  return { before: withAmounts(subject_type, before), after: withAmounts(subject_type, after) };
}

/** Job that writes the activity log to a file. */
export const exportActivityJob = downloadJob('export-activity');

const FILE_COLUMNS = [
  'created_at',
  'causer_name',
  'area',
  'description',
  'subject',
  'corporation_name',
  'changes',
  'id',
] as const;

/** The activity log as a file. */
export const activityFile: ExportedList<Filters, Row> = {
  kind: 'activity-logs',
  row: activityLogs.reply.shape.data.element,
  permission: exportActivityLogs.permission!,
  filters: exportActivityLogs.body.omit({ format: true }),
  page: listActivity,
  heading: (_, locale) => FILE_COLUMNS.map((field) => translate(locale, `resources.activity-logs.fields.${field}`)),
  cells: (row, _, locale, zone) =>
    FILE_COLUMNS.map((field) => {
      if (field === 'created_at') return momentCell(row.created_at, zone);
      if (field === 'causer_name') return causerOf(row, locale);
      if (field === 'description') return row.action;
      return field === 'changes'
        ? row.changes.map((change) => lineOf(change, row, locale, zone)).join('\n')
        : row[field];
    }),
  value: ({ properties, name, description, ...row }) => ({
    id: row.id,
    created_at: row.created_at,
    area: name,
    action: description,
    causer_type: row.causer_type,
    causer_id: row.causer_id,
    causer_name: row.causer_name,
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    corporation_id: row.corporation_id,
    corporation_name: row.corporation_name,
    currency: row.currency,
    before: properties.before,
    after: properties.after,
  }),
};

function causerOf({ causer_name, causer_id }: Row, locale: Locale): string {
  if (causer_name !== null) return causer_name;
  return causer_id === null
    ? translate(locale, 'activity.system')
    : translate(locale, 'activity.gone', { id: causer_id });
}

/** Writes a changed field as a line: its name, the old value and the new value. */
function lineOf(change: Row['changes'][number], { currency }: Row, locale: Locale, zone: string): string {
  const say = (value: string | null) => {
    if (value === null) return '–';
    if (change.show === 'money') return [currency, value].filter(Boolean).join(' ');
    if (change.show === 'instant') return localTime(value, zone);
    return change.show === 'yes-no' ? translate(locale, value === 'true' ? 'common.yes' : 'common.no') : value;
  };
  return `${change.label}: ${change.before === null ? '' : `${say(change.before)} → `}${say(change.after)}`;
}
