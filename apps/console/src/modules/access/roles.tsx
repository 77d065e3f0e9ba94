import { role } from '@heliograph/contract/access/permission';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { IconShieldCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { roleName } from './role-name.ts';

export function Roles() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const mayAssign = useMay('assign-permissions-index');
  return (
    <ResourceList<typeof role>
      resource={role}
      columns={[
        { field: 'name', cell: (row) => roleName(row.name), csv: (row) => roleName(row.name) },
        { field: 'level', cell: (row) => t(keyIn('scope_level', row.level)), csv: (row) => row.level },
        { field: 'guard', cell: (row) => t(`guards.${row.guard}`) },
        {
          field: 'permissions_count',
          figure: true,
          cell: (row) => (row.unlimited ? t('rights.unlimited') : format.integer(row.permissions_count)),
          csv: (row) => (row.unlimited ? t('rights.unlimited') : row.permissions_count),
        },
        'users_count',
        'built_in',
        'created_at',
      ]}
      filters={[{ field: 'guard', words: 'guards' }]}
      rowActions={(row) =>
        mayAssign
          ? [
              {
                label: t('rights.assign'),
                icon: <IconShieldCheck size={16} stroke={1.6} />,
                onClick: () => void navigate({ to: '/assign-permissions', search: { role: String(row.id) } }),
              },
            ]
          : []
      }
    />
  );
}
