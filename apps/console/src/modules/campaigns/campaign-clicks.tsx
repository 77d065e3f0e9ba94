import { campaignClicks, exportClicks } from '@heliograph/contract/campaigns/link-results';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import { askForFile } from '../../resource/ask-for-file.ts';
import type { Column } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useLinks } from './link-results.tsx';
import type { CampaignDetail } from './timeline.tsx';

type Row = ReplyOf<typeof campaignClicks>['data'][number];

const COLUMNS: readonly Column<Row>[] = ['number', 'link', 'clicks', 'first_at', 'last_at'];

/** List of the people who followed a link of a campaign, the newest first. */
export function CampaignClicks({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const mayExport = useMay(exportClicks.permission ?? '');
  const { data } = useLinks(campaign);
  const params = useMemo(() => ({ id: campaign.id }), [campaign.id]);
  const what = data?.data.named === false ? 'unnamed' : 'none';
  return (
    <CursorList<typeof campaignClicks, Row>
      name="clicks"
      operation={campaignClicks}
      params={params}
      title="number"
      header={null}
      columns={COLUMNS}
      filters={[]}
      {...(mayExport && { onExport: () => askForFile(() => call(exportClicks, { params, body: {} })) })}
      empty={<EmptyState of="transactions" title={t(`link_results.${what}`)} text={t(`link_results.${what}_hint`)} />}
    />
  );
}
