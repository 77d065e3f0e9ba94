import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { Cell } from '../../resource/columns.tsx';
import type { CampaignDetail } from './timeline.tsx';

/** List of the times, by time zone, at which messages held for quiet hours may be sent. */
export function Releases({ releases }: { releases: CampaignDetail['releases'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('schedule.recipients_in')}</Table.Th>
          <Table.Th ta="right">{t('quote.messages')}</Table.Th>
          <Table.Th>{t('schedule.leave')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {releases.map(({ zone, messages, release_at }) => (
          <Table.Tr key={zone}>
            <Table.Td>
              {zone
                .split(',')
                .map((each) => each.slice(each.lastIndexOf('/') + 1).replaceAll('_', ' '))
                .join(', ')}
            </Table.Td>
            <Table.Td ta="right">{format.integer(messages)}</Table.Td>
            <Table.Td>{release_at ? <Cell show="instant" value={release_at} /> : t('schedule.now')}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
