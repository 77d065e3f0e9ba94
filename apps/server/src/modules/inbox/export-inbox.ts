import { exportInbox, inbox } from '@heliograph/contract/inbox/inbox-message';
import type { Handler } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { checkPeriod, dateIn, momentsOf, type Period } from '#platform/records/period';
import { momentCell } from '#platform/table/cells';
import { downloadJob } from '#platform/tasks/downloads';
import { askForList, type ExportedList } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { type InboxRow, inboxBelow } from './inbox-rows.ts';

/** Job that writes messages of an inbox to a file. */
export const exportInboxJob = downloadJob('export-inbox');

/** Columns of the file, in order: the fields of the specification first. */
const COLUMNS = [
  'created_at',
  'oa',
  'message',
  'campaign',
  'reply_message',
  'number',
  'keyword',
  'handled',
  'important',
  'assigned_to_name',
] as const;

/** List of the messages of a period, for a file. */
export const inboxFile: ExportedList<Period, InboxRow> = {
  kind: 'inbox',
  row: inbox.reply.shape.data.element,
  permission: exportInbox.permission!,
  filters: exportInbox.body.omit({ format: true }),
  async page(ctx, { limit, cursor, ...period }) {
    const { timezone } = await homeOf(ctx);
    const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
    const { rows, reached } = await inboxBelow(ctx, {}, below, limit, momentsOf(period, timezone));
    const next = rows.length === limit ? rows.at(-1)!.id : reached;
    return { data: rows, next_cursor: next === null ? null : String(next) };
  },
  heading: (_, locale) => COLUMNS.map((field) => translate(locale, `resources.inbox.fields.${field}`)),
  cells: (row, _, locale, zone) =>
    COLUMNS.map((field) => {
      if (field === 'handled') return translate(locale, `inbox.handled.${row.handled}`);
      return field === 'created_at' ? momentCell(row.created_at, zone) : row[field];
    }),
};

/** Queues the writing of an inbox file. The finished file appears in the bell. */
export const askForFile: Handler<typeof exportInbox> = async (ctx, { body }) => {
  const { timezone } = await homeOf(ctx);
  checkPeriod(body, dateIn(timezone, ctx.clock.now()));
  return askForList(ctx, exportInboxJob, inboxFile, body);
};
