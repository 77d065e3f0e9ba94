import { corporation } from '@heliograph/contract/organizations/corporation';
import { verifyService } from '@heliograph/contract/verify/verify-service';
import { Badge, Button } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { Link } from '../../ui/link.tsx';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const COLORS = { off: 'gray', shadow: 'yellow', enforce: 'teal' } as const;

/** Screen of the services that verify phone numbers. */
export function VerifyServices() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayShow = useMay(verifyService.permissions.show);
  return (
    <ResourceList
      resource={verifyService}
      columns={[
        'name',
        'app_name',
        { field: 'id', title: 'verify_services.id' },
        { field: 'senders', cell: ({ senders }) => senders.join(', '), csv: ({ senders }) => senders.join(', ') },
        {
          field: 'countries',
          cell: ({ countries }) => countries.join(', '),
          csv: ({ countries }) => countries.join(', '),
        },
        {
          field: 'guard',
          cell: ({ guard }) => (
            <Badge variant="light" size="sm" color={COLORS[guard]} style={{ minWidth: 'max-content' }}>
              {t(`verify_guard_mode.${guard}`)}
            </Badge>
          ),
          csv: ({ guard }) => t(`verify_guard_mode.${guard}`),
        },
        'corporation_name',
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }]}
      header={{
        actions: mayShow && (
          <Button variant="default" component={Link} to="/verifications" leftSection={<IconListCheck {...ICON} />}>
            {t('menu.verifications')}
          </Button>
        ),
      }}
      {...(mayShow && { rowTo: (row: RowOf<typeof verifyService.list>) => `/verify-services/${row.id}` })}
      rowActions={(row) =>
        mayShow
          ? [
              {
                label: t('menu.verifications'),
                icon: <IconListCheck {...ICON} />,
                onClick: () => void navigate({ to: '/verifications', search: { service_id: String(row.id) } }),
              },
            ]
          : []
      }
    />
  );
}
