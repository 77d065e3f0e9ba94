import { role } from '@heliograph/contract/access/permission';
import { user } from '@heliograph/contract/access/user';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { Avatar, Badge, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { ResetPassword } from './reset-password.tsx';
import { roleName } from './role-name.ts';
import { SeeConsole } from './see-console.tsx';
import { Supervisors } from './supervisors.tsx';
import { userActions } from './user-actions.tsx';

export type UserRow = ReplyOf<typeof user.get>['data'];
/** Dialog that is open for one person. */
export type UserDialog = { row: UserRow; what: 'reset' | 'supervisors' | 'support' } | null;

export function Users() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const mayShow = useMay(user.permissions.show);
  const [dialog, setDialog] = useState<UserDialog>(null);
  const open = (row: UserRow) => void navigate({ to: `/users/${row.id}` });
  return (
    <>
      <ResourceList<typeof user>
        resource={user}
        columns={[
          { field: 'name', cell: (row) => <Person row={row} /> },
          'email',
          { field: 'role_name', cell: (row) => roleName(row.role_name), csv: (row) => roleName(row.role_name) },
          'corporation_name',
          'department_name',
          {
            field: 'permissions_count',
            figure: true,
            cell: (row) => (row.unlimited ? t('users.unlimited') : format.integer(row.permissions_count)),
            csv: (row) => (row.unlimited ? t('users.unlimited') : row.permissions_count),
          },
          'enabled',
          { field: 'phone', hidden: true },
          { field: 'scope_level', cell: (row) => t(keyIn('scope_level', row.scope_level)), hidden: true },
          { field: 'billing_account_name', hidden: true },
          { field: 'landing_page', hidden: true },
          { field: 'otp', hidden: true },
          { field: 'content_visible', hidden: true },
          { field: 'numbers_visible', hidden: true },
          { field: 'activated_at', hidden: true },
          { field: 'created_by_name', hidden: true },
          'created_at',
        ]}
        filters={[
          { field: 'corporation_id', to: corporation },
          { field: 'department_id', to: department, within: 'corporation_id' },
          { field: 'role_id', to: role },
          'enabled',
          'otp',
        ]}
        rowActions={(row) => userActions(row, { show: open, open: setDialog })}
        {...(mayShow && { rowTo: (row) => `/users/${row.id}` })}
      />
      <UserDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}

function Person({ row }: { row: UserRow }) {
  const { t } = useTranslation();
  return (
    <Group gap={10} wrap="nowrap">
      <Avatar size={26} src={row.image_path} name={row.name.replace(/[^\p{L}\s]/gu, '')} color="brand" alt="" />
      <Text span inherit truncate>
        {row.name}
      </Text>
      {row.locked && (
        <Badge size="sm" color="red" variant="light">
          {t('users.locked')}
        </Badge>
      )}
    </Group>
  );
}

/** Dialogs about one person, used by list and page alike. */
export function UserDialogs(props: { dialog: UserDialog; onClose: () => void }) {
  const { dialog, onClose } = props;
  if (dialog?.what === 'reset') return <ResetPassword row={dialog.row} onClose={onClose} />;
  if (dialog?.what === 'support') return <SeeConsole row={dialog.row} onClose={onClose} />;
  if (dialog?.what === 'supervisors') return <Supervisors row={dialog.row} onClose={onClose} />;
  return null;
}
