import {
  BLACKLIST_COLUMNS,
  blacklistNumber,
  uploadBlacklistNumbers,
} from '@heliograph/contract/contacts/blacklist-number';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { useTranslation } from 'react-i18next';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(blacklistNumber.create);

/** Fields for the scope of the block, for a single number and for all numbers of a file. */
const WHERE = (
  <>
    <Field.Reference name="corporation_id" to={corporation} />
    <Field.Reference name="sender_id_id" to={senderId} within="corporation_id" />
    <Field.Select name="channel" words="channel" />
  </>
);

/** Screen of the numbers that receive no messages because the customer blocked them. */
export function BlacklistNumbers() {
  const { t } = useTranslation();
  const bulk = useBulkUpload({
    resource: blacklistNumber,
    operation: uploadBlacklistNumbers,
    title: t('resources.blacklist-numbers.bulk'),
    columns: BLACKLIST_COLUMNS,
    required: BLACKLIST_COLUMNS,
    sample: ['639171234567', '639181234567'],
    children: WHERE,
  });
  return (
    <ResourceList
      resource={blacklistNumber}
      header={{ actions: bulk.button }}
      columns={[
        'number',
        'corporation_name',
        {
          field: 'sender_id_name',
          cell: (row) =>
            row.sender_id_id === null
              ? t('resources.blacklist-numbers.any_sender')
              : (row.sender_id_name ?? `#${row.sender_id_id}`),
        },
        { field: 'channel', cell: (row) => t(`channel.${row.channel}`), csv: (row) => t(`channel.${row.channel}`) },
        'created_at',
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'sender_id_id', to: senderId, within: 'corporation_id' },
        { field: 'channel', words: 'channel' },
      ]}
      form={
        <>
          {WHERE}
          <Field.Text name="number" type="tel" autoFocus />
        </>
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
