import { user } from '@heliograph/contract/access/user';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { systemId } from '@heliograph/contract/smpp-server/system-id';
import { useTranslation } from 'react-i18next';
import { ResourceList } from '../../resource/resource-list.tsx';

/** Screen of the SMPP accounts with which customers' programs bind to the SMPP server. */
export function SystemIds() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={systemId}
      columns={[
        'system_id',
        'user_name',
        'corporation_name',
        'binds',
        'waiting',
        'max_binds',
        'rate',
        { field: 'default_class', cell: (row) => t(`message_class.${row.default_class}`) },
        'receives_replies',
        'enabled',
        { field: 'window_size', hidden: true },
        { field: 'password_set_at', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, { field: 'user_id', to: user }, 'enabled']}
    />
  );
}
