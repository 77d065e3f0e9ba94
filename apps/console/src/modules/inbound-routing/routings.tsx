import { user } from '@heliograph/contract/access/user';
import { ACTION_USES, type RouteAction, routing } from '@heliograph/contract/inbound-routing/routing';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Button, Group, Text } from '@mantine/core';
import { IconHistory, IconTestPipe } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { TryRouting } from './try-routing.tsx';

const COLORS = { inbox: 'brand', url: 'cyan' } as const satisfies Record<RouteAction, string>;

/** Screen of the rules that decide where an inbound message goes. */
export function Routings() {
  const { t } = useTranslation();
  const [trying, setTrying] = useState(false);
  const navigate = useNavigate();
  const mayShow = useMay(routing.permissions.show);
  return (
    <>
      <ResourceList
        resource={routing}
        columns={[
          { field: 'number', cell: (row) => <InEffect {...row}>{row.number}</InEffect> },
          {
            field: 'keyword',
            cell: (row) =>
              row.keyword ?? (
                <Text span inherit c="dimmed">
                  {t('routings.catch_all')}
                </Text>
              ),
          },
          {
            field: 'action',
            cell: (row) => (
              <Badge variant="light" size="sm" color={COLORS[row.action]}>
                {t(`route_action.${row.action}`)}
              </Badge>
            ),
          },
          'campaign_name',
          'user_name',
          'sender_id_name',
          'corporation_name',
          'enabled',
          { field: 'url', hidden: true },
          { field: 'valid_reply_message', hidden: true },
          { field: 'invalid_reply_message', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'corporation_id', to: corporation },
          { field: 'action', words: 'route_action' },
          { field: 'user_id', to: user },
          'enabled',
        ]}
        header={{
          actions: (
            <Button
              variant="default"
              leftSection={<IconTestPipe size={16} stroke={1.6} />}
              onClick={() => setTrying(true)}
            >
              {t('routings.try')}
            </Button>
          ),
        }}
        rowActions={(row) =>
          ACTION_USES[row.action] === 'address' && mayShow
            ? [
                {
                  label: t('routings.calls'),
                  icon: <IconHistory size={16} stroke={1.6} />,
                  onClick: () => void navigate({ to: '/http-deliveries', search: { routing_id: String(row.id) } }),
                },
              ]
            : []
        }
      />
      {trying && <TryRouting onClose={() => setTrying(false)} />}
    </>
  );
}

/** Number or name, with a mark if the platform assigned it to another organization. */
function InEffect(props: { withheld: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  if (!props.withheld) return props.children;
  return (
    <Group gap="xs" wrap="nowrap">
      {props.children}
      <Badge variant="light" size="sm" color="orange" title={t('resources.sender-ids.withheld_hint')}>
        {t('resources.sender-ids.fields.withheld')}
      </Badge>
    </Group>
  );
}
