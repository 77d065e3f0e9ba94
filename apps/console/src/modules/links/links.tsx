import { link } from '@heliograph/contract/links/link';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { BindTest } from './bind-test.tsx';
import { linkActions } from './link-actions.tsx';
import { type LinkRow, useLinkFeed } from './link-feed.ts';
import { LinkState } from './link-state.tsx';

/** Interval between two reads of the list, in ms. A sender that died sends no events about its links. */
const REFRESH_MS = 10_000;

/** Screen of all links with their present state. */
export function Links() {
  const { t } = useTranslation();
  const format = useFormat();
  const mayShow = useMay(link.permissions.show);
  const [testing, setTesting] = useState<LinkRow | null>(null);
  useLinkFeed();
  return (
    <>
      <ResourceList<typeof link>
        resource={link}
        header={{ subtitle: t('link.subtitle') }}
        refreshEvery={REFRESH_MS}
        columns={[
          'name',
          { field: 'state', cell: (row) => <LinkState state={row.state} /> },
          { field: 'host', cell: (row) => `${row.host}:${row.port}`, csv: (row) => `${row.host}:${row.port}` },
          {
            field: 'binds',
            cell: (row) => (row.holder && row.live ? t('link.sessions_of', row.live.sessions) : row.binds),
          },
          {
            field: 'live',
            cell: (row) => (row.holder && row.live ? format.integer(row.live.minute.accepted) : '–'),
            csv: (row) => row.live?.minute.accepted ?? '',
          },
          'rate',
          { field: 'system_id', hidden: true },
          { field: 'bind_mode', cell: (row) => t(`link_bind_mode.${row.bind_mode}`), hidden: true },
          { field: 'tls', hidden: true },
          { field: 'holder', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[{ field: 'state', words: 'link_state' }, 'enabled']}
        rowActions={(row) => linkActions(row, () => setTesting(row))}
        {...(mayShow && { rowTo: (row) => `/links/${row.id}` })}
      />
      {testing && <BindTest row={testing} onClose={() => setTesting(null)} />}
    </>
  );
}
