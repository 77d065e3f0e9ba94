import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { isAdministration, type Locale } from '@heliograph/contract/kernel/scope';
import { type dataProcessing, exportDataProcessing } from '@heliograph/contract/privacy/data-processing';
import type { KeptField } from '@heliograph/contract/privacy/retention-rule';
import { requireVisible } from '#platform/access/visible';
import { BusinessError } from '#platform/errors';
import type { Retention } from '#platform/jobs/retention';
import { homeOf } from '#platform/person/home';
import { localTime } from '#platform/records/period';
import { downloadJob } from '#platform/tasks/downloads';
import type { ExportedList, ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { type KeptDays, readPlatformDays, readRulesOf } from './kept-days.ts';
import { ENCRYPTED_COLUMNS } from './personal-columns.ts';
import { nameOf, OF_PLATFORM, PROCESSED, PROCESSED_TABLES, rulesOf } from './processed.ts';

/** Job that writes the record of data processing to a file. */
export const exportProcessingJob = downloadJob('export-data-processing');

type Query = QueryOf<typeof dataProcessing>;
type Filters = Omit<Query, 'limit' | 'cursor'>;
type Row = ReplyOf<typeof dataProcessing>['data'][number];

/** Returns the days in force for the corporation of the filter, or the caller's own. */
async function daysInForce(ctx: ListContext, corporationId: number | undefined): Promise<KeptDays> {
  if (corporationId !== undefined) await requireVisible(ctx, 'corporation', corporationId, 'corporation_id');
  const of = corporationId ?? ctx.caller.corporation_id;
  const platform = await readPlatformDays(ctx.db);
  return of === null ? platform : readRulesOf(ctx.db, of, platform);
}

/** Returns the function that lists the record; `retention` are the rules that remove rows by age everywhere. */
export const listProcessing =
  (retention: readonly Retention[]) =>
  async (ctx: ListContext, { limit, cursor, corporation_id }: Query): Promise<ReplyOf<typeof dataProcessing>> => {
    if (cursor !== undefined && !/^\d{1,4}$/.test(cursor)) throw new BusinessError('malformed_request');
    const days = await daysInForce(ctx, corporation_id);
    const platform = isAdministration(ctx.caller.scope_level) && corporation_id === undefined;
    const seen = PROCESSED_TABLES.filter(({ table }) => platform || !OF_PLATFORM.has(table));
    const first = Number(cursor ?? 0);
    const say = (key: MessageKey, params: Record<string, string | number> = {}) => translate(ctx.locale, key, params);
    const data = seen.slice(first, first + limit).map(({ table, kind, columns }, at) => {
      const { subject, readers, recipients } = PROCESSED[kind];
      const sealed = columns.filter((column) => column.endsWith('_sealed'));
      const encrypted = ENCRYPTED_COLUMNS[table];
      const hashed = columns.filter((column) => /(^|_)(digest|hash)$/.test(column));
      return {
        id: first + at + 1,
        kind: say(nameOf(kind)),
        place: table,
        columns: columns.join(', '),
        subject: say(`processing.subject.${subject}`),
        purpose: say(keyIn('processing.purpose', kind)),
        kept: keptOf(table, days, retention, ctx.locale),
        readers: readers.join(', '),
        recipients: recipients.map((each) => say(`processing.recipient.${each}`)).join(', ') || '–',
        protection: [
          say(OF_PLATFORM.has(table) ? 'processing.protection.platform' : 'processing.protection.walls'),
          ...(sealed.length > 0 ? [say('processing.protection.sealed', { columns: sealed.join(', ') })] : []),
          ...(encrypted ? [say('processing.protection.encrypted', { columns: encrypted.split(' ').join(', ') })] : []),
          ...(hashed.length > 0 ? [say('processing.protection.hashed', { columns: hashed.join(', ') })] : []),
        ].join('. '),
      };
    });
    const next = first + data.length;
    const has_more = next < seen.length;
    return { data, next_cursor: has_more ? String(next) : null, has_more };
  };

/** Says how long the data of a table is kept: by rules of corporations, by age, and otherwise until somebody removes it. */
function keptOf(table: string, days: KeptDays, retention: readonly Retention[], locale: Locale): string {
  const rules = rulesOf(table);
  const byRule = rules.every((field) => days[field] === null)
    ? rules.slice(0, 1).map(() => translate(locale, 'processing.no_limit'))
    : rules.map((field) => partOf(field, days[field], locale));
  const byAge = [
    ...new Set(retention.filter((each) => each.table === table && each.days > 0).map((each) => each.days)),
  ];
  const all = [...byRule, ...byAge.map((count) => translate(locale, 'processing.days', { days: count }))];
  return all.join('; ') || translate(locale, 'processing.until_removed');
}

/** Says how long one part of the data is kept. */
const partOf = (field: KeptField, days: number | null, locale: Locale): string =>
  translate(locale, 'processing.part', {
    part: translate(locale, `processing.parts.${field}`),
    kept: translate(locale, days === null ? 'processing.part_no_limit' : 'processing.days', { days: days ?? 0 }),
  });

const FILE_COLUMNS = [
  'kind',
  'place',
  'columns',
  'subject',
  'purpose',
  'kept',
  'readers',
  'recipients',
  'protection',
] as const;

/** Returns the record as a file. */
export const processingFile = (retention: readonly Retention[]): ExportedList<Filters, Row> => ({
  kind: 'data-processing',
  permission: exportDataProcessing.permission!,
  filters: exportDataProcessing.body.omit({ format: true }),
  page: listProcessing(retention),
  heading: (_, locale) => FILE_COLUMNS.map((field) => translate(locale, `resources.data-processing.fields.${field}`)),
  cells: (row) => FILE_COLUMNS.map((field) => row[field]),
  async printed(ctx, { corporation_id }) {
    const say = (key: MessageKey, params: Record<string, string | number> = {}) => translate(ctx.locale, key, params);
    const corporation = corporation_id ?? ctx.caller.corporation_id;
    const named =
      corporation === null
        ? null
        : await ctx.db.selectFrom('corporation').select('name').where('id', '=', corporation).executeTakeFirst();
    const { timezone } = await homeOf(ctx);
    const at = say('processing.made', { time: localTime(ctx.clock.now().toISOString(), timezone)!, timezone });
    return {
      title: say('resources.data-processing.one'),
      facts: [named?.name ?? say('person.everywhere'), at],
      columns: [],
      blocks: true,
      locale: ctx.locale,
      foot: (page, pages) => say('statement.page', { page, pages }),
    };
  },
});
