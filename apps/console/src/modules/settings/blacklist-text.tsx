import { blacklistText } from '@heliograph/contract/settings/blacklist-text';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(blacklistText.create);

/** Screen of the words and phrases that no message may contain. */
export function BlacklistText() {
  return (
    <ResourceList
      resource={blacklistText}
      columns={['text', 'created_at']}
      form={<Field.Text name="text" autoFocus />}
    />
  );
}
