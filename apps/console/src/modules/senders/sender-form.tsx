import { corporation } from '@heliograph/contract/organizations/corporation';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { fieldsOf } from '../../resource/fields.tsx';

const Field = fieldsOf(senderId.create);

/** Fields of a sender ID's form. */
export function SenderForm() {
  return (
    <>
      <Field.Reference name="corporation_id" to={corporation} />
      <Field.Text name="sender_id" autoFocus />
      <Field.Textarea name="purpose" />
      <Field.Switch name="is_promotional" />
      <Field.Switch name="add_optout" />
      <Field.Text name="optout_keyword" />
      <Field.Number name="throughput" />
      <Field.Switch name="templates_only" />
      <Field.Tags name="parameters" />
      <Field.Switch name="enabled" />
      <Field.Switch name="draft" />
    </>
  );
}
