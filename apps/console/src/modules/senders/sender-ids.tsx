import { corporation } from '@heliograph/contract/organizations/corporation';
import { SENDER_COLUMNS, senderId, uploadSenderIds } from '@heliograph/contract/senders/sender-id';
import { useTranslation } from 'react-i18next';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { InEffect } from '../../ui/in-effect.tsx';

const Field = fieldsOf(senderId.create);

/** Screen of the names and numbers from which messages come. They are added one by one or as files. */
export function SenderIds() {
  const { t } = useTranslation();
  const bulk = useBulkUpload({
    resource: senderId,
    operation: uploadSenderIds,
    title: t('resources.sender-ids.bulk'),
    columns: SENDER_COLUMNS,
    required: ['sender_id'],
    sample: ['ACME,true,false,STOP,true', 'AcmeNews,false,,,'],
    children: <Field.Reference name="corporation_id" to={corporation} />,
  });
  return (
    <ResourceList
      resource={senderId}
      header={{ actions: bulk.button }}
      columns={[
        { field: 'sender_id', cell: (row) => <InEffect {...row}>{row.sender_id}</InEffect> },
        'corporation_name',
        'is_promotional',
        'add_optout',
        'optout_keyword',
        { field: 'throughput', hidden: true },
        'enabled',
        'created_at',
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, 'enabled']}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="sender_id" autoFocus />
          <Field.Switch name="is_promotional" />
          <Field.Switch name="add_optout" />
          <Field.Text name="optout_keyword" />
          <Field.Number name="throughput" />
          <Field.Switch name="enabled" />
        </>
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
