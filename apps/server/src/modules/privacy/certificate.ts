import { PassThrough } from 'node:stream';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { homeOf } from '#platform/person/home';
import { localTime } from '#platform/records/period';
import { PdfTable } from '#platform/table/write-pdf';
import type { AttachedFile } from '#platform/tasks/csv-file';
import { translate } from '#platform/text/i18n';
import { countsOf, findRequest } from './request-rows.ts';

/** Things that an erasure leaves, in the order of the certificate. */
const STAYS = ['money', 'digits', 'stops', 'log'] as const;

/** Writes the certificate of an erasure in the caller's language. It has the hash of the number in place of it. */
export async function certificate(ctx: Context, id: number): Promise<AttachedFile> {
  const row = await findRequest(ctx, id);
  if (row.state !== 'erased') throw new BusinessError('not_found');
  const entry = await ctx.db
    .selectFrom('activity_log')
    .select(['position', 'hash'])
    .where('id', '=', row.activity_id)
    .executeTakeFirst();
  const { timezone } = await homeOf(ctx);
  const say = (key: MessageKey, params: Record<string, string | number> = {}) => translate(ctx.locale, key, params);
  const stream = new PassThrough();
  const pdf = await PdfTable.create(stream, {
    title: say('erasure.title', { id }),
    facts: [
      say('erasure.of', { corporation: row.corporation_name ?? say('person.everywhere') }),
      say('erasure.at', { time: localTime(row.erased_at, timezone)!, timezone }),
      say('erasure.by', { name: row.erased_by_name ?? '–' }),
      ...(row.confirmed_at === null ? [] : [say('erasure.confirmed', { name: row.confirmed_by_name ?? '–' })]),
      say('erasure.reason', { reason: row.reason! }),
      say('erasure.person', { digest: row.digest! }),
      ...(entry ? [say('erasure.entry', { position: entry.position }), entry.hash.toString('hex')] : []),
    ],
    columns: [{ share: 82 }, { share: 18, right: true }],
    locale: ctx.locale,
    foot: (page, pages) => say('statement.page', { page, pages }),
  });
  pdf.heading([say('erasure.erased'), say('person.count')]);
  for (const { kind, count } of countsOf(row.erased)) pdf.row([say(`person.kind.${kind}`), count]);
  for (const what of STAYS) pdf.row([say(`erasure.stays.${what}`), '']);
  pdf.end();
  return { stream, name: `erasure-${id}.pdf`, type: 'application/pdf' };
}
