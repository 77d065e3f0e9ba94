import { clickRow, exportClicks } from '@heliograph/contract/campaigns/link-results';
import { z } from 'zod';
import type { Context } from '#platform/context';
import type { Handler } from '#platform/http/http';
import { momentCell } from '#platform/table/cells';
import { downloadJob } from '#platform/tasks/downloads';
import { askForList, type ExportedList } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { findCampaignRow } from './campaign-rows.ts';
import { linkAddresses, readClicks } from './link-results.ts';

/** Job that writes the clicks of a campaign to a file. */
export const exportClicksJob = downloadJob('export-clicks');

const filters = z.object({ campaign_id: z.int() });
const row = clickRow.extend({ address: z.string().nullable() });
type Row = z.output<typeof row>;

/** Clicks of a campaign as a file, the newest first: who, which link, how often, and when. */
export const clickFile: ExportedList<z.output<typeof filters>, Row> = {
  kind: 'clicks',
  row,
  permission: exportClicks.permission!,
  sheet: 'link_results.clicked',
  filters,
  async page(ctx, { limit, cursor, campaign_id }) {
    const { data, next_cursor } = await readClicks(ctx, campaign_id, {
      limit,
      ...(cursor !== undefined && { cursor }),
    });
    const addresses = data.length === 0 ? new Map<number | null, string>() : await linkAddresses(ctx, campaign_id);
    return { data: data.map((each) => ({ ...each, address: addresses.get(each.link) ?? null })), next_cursor };
  },
  heading: (_, locale) => [
    ...(['number', 'link'] as const).map((field) => translate(locale, `resources.clicks.fields.${field}`)),
    translate(locale, 'link_results.address'),
    ...(['clicks', 'first_at', 'last_at'] as const).map((field) =>
      translate(locale, `resources.clicks.fields.${field}`),
    ),
  ],
  cells: ({ number, link, address, clicks, first_at, last_at }, _, locale, zone) => [
    number,
    link ?? translate(locale, 'link_results.other'),
    address,
    clicks,
    momentCell(first_at, zone),
    momentCell(last_at, zone),
  ],
};

/** Queues the writing of a file of clicks. The finished file appears in the bell. */
export const askForClicks: Handler<typeof exportClicks> = async (ctx: Context, { params, body }) => {
  await findCampaignRow(ctx, params.id);
  return askForList(ctx, exportClicksJob, clickFile, { format: body.format, campaign_id: params.id });
};
