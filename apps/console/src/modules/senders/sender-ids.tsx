import { corporation } from '@heliograph/contract/organizations/corporation';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(senderId.create);

export function SenderIds() {
  return (
    <ResourceList
      resource={senderId}
      columns={[
        'sender_id',
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
    />
  );
}
