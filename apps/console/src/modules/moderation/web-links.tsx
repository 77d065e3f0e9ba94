import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { webLinks } from '@heliograph/contract/moderation/web-domain';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { useTranslation } from 'react-i18next';
import { CursorList } from '../../resource/cursor-list.tsx';
import { noneYet } from '../../resource/none-yet.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

type Row = ReplyOf<typeof webLinks>['data'][number];

/** Screen of the web addresses in texts that broke the rules, counted by day. */
export function WebLinks() {
  const { t } = useTranslation();
  return (
    <CursorList<typeof webLinks, Row>
      name="web-links"
      operation={webLinks}
      title="domain"
      header={{
        subtitle: t('resources.web-links.empty'),
        crumbs: [{ label: t('menu.web-domains'), to: '/web-domains' }],
      }}
      columns={[
        'domain',
        {
          field: 'reason',
          cell: ({ reason }) => t(`web_link_reason.${reason}`),
          csv: ({ reason }) => t(`web_link_reason.${reason}`),
        },
        'messages',
        'refused',
        'corporation_name',
        'sender_id',
        'day',
        'last_at',
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, { field: 'reason', words: 'web_link_reason' }, 'refused']}
      empty={<EmptyState of="web-links" learn title={noneYet('web-links')} />}
    />
  );
}
