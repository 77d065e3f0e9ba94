import { link } from '@heliograph/contract/links/link';
import { linkPulses } from '@heliograph/contract/links/link-history';
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { BindTest } from './bind-test.tsx';
import { linkActions } from './link-actions.tsx';
import { type LinkRow, useLinkFeed } from './link-feed.ts';
import { LinkState } from './link-state.tsx';

/** Interval between two reads of the list, in ms. A sender that died sends no events about its links. */
const REFRESH_MS = 10_000;
const MINUTE_MS = 60_000;

/** Screen of all links with their present state. */
export function Links() {
  const { t } = useTranslation();
  const format = useFormat();
  const mayShow = useMay(link.permissions.show);
  const [testing, setTesting] = useState<LinkRow | null>(null);
  useLinkFeed();
  const pulses = usePulses();
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
            cell: (row) => (
              <Group gap={10} wrap="nowrap" justify="flex-end">
                <Sparkline values={pulses.get(row.id) ?? []} width={72} height={22} />
                <span>{row.holder && row.live ? format.integer(row.live.minute.accepted) : '–'}</span>
              </Group>
            ),
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

/** Returns the accepted segments of each link by minute, over the last hour. */
function usePulses(): ReadonlyMap<number, readonly number[]> {
  const { data } = useQuery({
    queryKey: ['links', 'pulses'],
    queryFn: ({ signal }) => call(linkPulses, { signal }),
    refetchInterval: MINUTE_MS,
  });
  return new Map(data?.data.map(({ id, accepted }) => [id, accepted]));
}
