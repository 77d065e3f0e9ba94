import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { listVirtualHandsets } from '@heliograph/contract/sandbox/handsets';
import { NavLink, Text } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { RelativeTime } from '../../resource/cells.tsx';

export type Handset = ReplyOf<typeof listVirtualHandsets>['data'][number];

/** List of handsets; `open` is the id of the one that is shown. */
export function HandsetList({
  rows,
  open,
  onOpen,
}: {
  rows: readonly Handset[];
  open: number;
  onOpen: (id: number) => void;
}) {
  const { t } = useTranslation();
  const own = useSession((s) => s.profile?.corporation_id ?? null);
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0, maxHeight: 480, overflowY: 'auto' }}>
      {rows.map(({ id, number, corporation_id, corporation_name, messages, last_at }) => (
        <li key={id}>
          <NavLink
            component="button"
            type="button"
            active={id === open}
            aria-current={id === open ? 'true' : undefined}
            leftSection={<IconDeviceMobile size={18} stroke={1.6} aria-hidden />}
            label={number}
            description={[corporation_id !== own && corporation_name, t('sandbox.messages', { count: messages })]
              .filter(Boolean)
              .join(' · ')}
            rightSection={
              <Text size="xs" c="dimmed" component="span">
                <RelativeTime at={last_at} />
              </Text>
            }
            onClick={() => onOpen(id)}
          />
        </li>
      ))}
    </ul>
  );
}
